"""Files of `docs/snippets/`, and what the code says to them: faults, warnings, matches, order."""

import json
from pathlib import Path

from interpose.canonical.canonicalize import identify
from interpose.canonical.tools import Tools
from interpose.config.load import Loaded, load
from interpose.contracts.keys import Key
from interpose.contracts.words import Phase
from interpose.errors import ConfigurationError
from interpose.planning.plan import Plan
from interpose_gateway.core.registry import Revision
from reference.table import code, table

ROOT = Path(__file__).parents[2]
SNIPPETS = ROOT / "docs" / "snippets"
LANGUAGES = {".py": "python", ".json": "json", ".sh": "sh", ".yaml": "yaml"}

KEYS = [
    *["before:*", "before:mcp__github__*", "before:mcp__github__merge_pr", "before:message", "before:message.send"],
    *["before:message.*", "before:BASH"],
]
CALLS: dict[str, tuple[str, dict[str, str]]] = {
    "`message`, action `send`": ("message", {"action": "send"}),
    "`message`, no action told": ("message", {}),
    "`Bash`": ("Bash", {}),
    "`mcp__github__merge_pr`": ("mcp__github__merge_pr", {}),
}


def file(name: str) -> str:
    """A snippet whole."""
    text = (SNIPPETS / name).read_text().rstrip("\n")
    return f"```{LANGUAGES[Path(name).suffix]}\n{text}\n```"


def faults(name: str) -> str:
    """What loading this configuration says; it must be refused."""
    try:
        load(SNIPPETS / name)
    except ConfigurationError as error:
        return f"```text\n{_plain(str(error))}\n```"
    raise ValueError(f"{name} is good and was meant to show faults")


def warnings(name: str) -> str:
    """What a good configuration is still told."""
    return "```text\n" + "\n".join(_plain(warning) for warning in _loaded(name).warnings) + "\n```"


def matches() -> str:
    """Which key meets which call."""
    called = [identify(tool, None, parameters, Tools.of({})).names for tool, parameters in CALLS.values()]
    rows = [
        [code(key), *("yes" if Key.parse(key).match(names) is not None else "no" for names in called)] for key in KEYS
    ]
    return table(["key", *CALLS], rows)


def order(name: str, tool: str, action: str) -> str:
    """Who is asked about this call, in which order, in both phases."""
    loaded = _loaded(name)
    revision = Revision.of(1, loaded.digest, loaded.configuration)
    identity = identify(tool, action, {}, revision.tools)
    plans = [revision.plan(phase, identity) for phase in Phase]
    return table(["phase", "one after another", "then in parallel"], [_row(plan) for plan in plans])


def _row(plan: Plan) -> list[str]:
    chain, judging = (", ".join(code(step.hook.name) for step in steps) for steps in (plan.chain, plan.judging))
    return [plan.phase.value, chain or "nobody", judging or "nobody"]


def _loaded(name: str) -> Loaded:
    return load(SNIPPETS / name)


def _plain(text: str) -> str:
    """Without the folder of whoever generates this."""
    return text.replace(f"{SNIPPETS}/", "")


def pretty(value: object) -> str:
    """JSON for readers."""
    return "```json\n" + json.dumps(value, indent=2, ensure_ascii=False) + "\n```"

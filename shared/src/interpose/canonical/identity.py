"""Tool and action of a call, from its name, its parameters and the caller's word; two that disagree are an error."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interpose.canonical.pointer import resolve, steps
from interpose.contracts.config import ToolSpec
from interpose.contracts.keys import Names
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.contracts.paths import SHOWN_CHARACTERS, json_path
from interpose.errors import Fault, InvalidInput

SHIPPED_ACTION_FROM: Mapping[str, str] = {"message": "/action"}
"""Tools whose action stands in their parameters, by canonical name (OpenClaw's message tool)."""

KINDS: Mapping[str, str] = {
    "Bash": "Execute",
    "Read": "FileRead",
    "Write": "FileWrite",
    "Edit": "FileEdit",
    "Glob": "Glob",
    "Grep": "Grep",
    "LS": "ListDir",
    "Task": "Task",
    "WebFetch": "WebFetch",
    "WebSearch": "WebSearch",
    "TodoRead": "TodoRead",
    "TodoWrite": "TodoWrite",
    "NotebookEdit": "Notebook",
    "AskUserQuestion": "AskUser",
    "message": "Message",
}
_KINDS_FOLDED = {fold(name): kind for name, kind in KINDS.items()}


MCP_PREFIX = "mcp__"
"""How MCP tools are named (`mcp__<server>__<tool>`): known by their form, whatever they do."""


def is_known(canonical: str) -> bool:
    """Whether the tables that ship know this tool; what they do not know passes as it is."""
    folded = fold(canonical)
    return folded in _KINDS_FOLDED or folded.startswith(MCP_PREFIX)


@dataclass(frozen=True, slots=True)
class Identity:
    """`canonical` is the tool's one name, `native` the caller's spelling; `action` None when it cannot be told."""

    canonical: str
    native: str
    action: str | None
    kind: str

    @property
    def names(self) -> Names:
        """What hook keys are compared with."""
        return Names.of({self.canonical, self.native}, self.action)


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools a configuration declares, found by folded name."""

    specs: Mapping[str, tuple[str, ToolSpec]]

    @classmethod
    def of(cls, tools: Mapping[str, ToolSpec]) -> "Tools":
        """Index by folded name."""
        return cls({fold(name): (name, spec) for name, spec in tools.items()})

    def find(self, name: str) -> tuple[str, ToolSpec] | None:
        """The declared name and specification, or None."""
        return self.specs.get(fold(name))

    def knows(self, name: str) -> bool:
        """Declared, or known to ship with an action of its own."""
        return fold(name) in self.specs or fold(name) in SHIPPED_ACTION_FROM

    def action_pointer(self, canonical: str) -> str | None:
        """Where the action stands; a declared `actionFrom`, null included, overrides what is shipped."""
        declared = self.find(canonical)
        if declared and "action_from" in declared[1].model_fields_set:
            return declared[1].action_from
        return SHIPPED_ACTION_FROM.get(fold(canonical))


def identify(tool: str, action: str | None, parameters: JsonObject, tools: Tools) -> Identity:
    """Say what is called. Raises InvalidInput where two sources of the action disagree."""
    canonical, in_name = _split(tool, tools)
    told = {
        "$.tool": in_name,
        "$.action": action,
        **_action_in(parameters, tools.action_pointer(canonical)),
    }
    return Identity(canonical, tool, _agreed(told), _KINDS_FOLDED.get(fold(canonical), "Other"))


def action_of(canonical: str, parameters: JsonObject, tools: Tools) -> str | None:
    """What the parameters alone tell: a transform must not change it. None where nothing stands, empty for no word."""
    value = next(iter(_action_in(parameters, tools.action_pointer(canonical)).values()), None)
    return value if isinstance(value, str) or value is None else ""


def _split(tool: str, tools: Tools) -> tuple[str, str | None]:
    head, dot, rest = tool.partition(".")
    if dot and rest and not tools.knows(tool) and tools.knows(head):
        return _declared_name(head, tools), rest
    return _declared_name(tool, tools), None


def _declared_name(tool: str, tools: Tools) -> str:
    found = tools.find(tool)
    if found:
        return found[0]
    return next((name for name in SHIPPED_ACTION_FROM if fold(name) == fold(tool)), tool)


def _action_in(parameters: JsonObject, pointer: str | None) -> dict[str, Any]:
    return {} if pointer is None else {json_path(["parameters", *steps(pointer)]): resolve(parameters, pointer)}


def _agreed(told: Mapping[str, Any]) -> str | None:
    """The one action of all that stands somewhere. What is no word tells none, and differs from every word."""
    said = {path: value for path, value in told.items() if value is not None}
    if len({_word(value) for value in said.values()}) > 1:
        words = ", ".join(f"{path} says {_shown(value)}" for path, value in said.items())
        faults = [Fault(path, f"says {_shown(value)}") for path, value in said.items()]
        raise InvalidInput(f"the call's action is told twice and differs: {words}; send it once", faults)
    return next((value for value in said.values() if _word(value)), None)


def _word(value: Any) -> str:
    return fold(value) if isinstance(value, str) else ""


def _shown(value: Any) -> str:
    return repr(value[:SHOWN_CHARACTERS]) if isinstance(value, str) else "what is no text"

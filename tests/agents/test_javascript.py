"""The JavaScript of agents' plugins: its own tests, run by Node's own runner, and what holds for its files."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

HERE = Path(__file__).parent
AGENTS = HERE.parents[1] / "deploy" / "agents"
PLUGIN = AGENTS / "openclaw"
TESTS = sorted((HERE / "unit").glob("*.test.mjs"))
SOURCES = sorted(AGENTS.rglob("*.js"))
PROGRAMS = sorted((HERE / "programs").glob("*.mjs"))
LINES_OF_A_FILE = 300
CHARACTERS_OF_A_LINE = 120
TIMEOUT_S = 300
IMPORT = re.compile(
    r"""(?:^import|^export)\s[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"|^import\s+"([^"]+)\"""", re.MULTILINE
)
READ_CONFIG = """
const { readConfig } = await import(process.argv[1]);
const told = JSON.parse(process.argv[2]).map((given) => readConfig(given, { INTERPOSE_TOKEN: "t", OTHER: "t" }));
console.log(JSON.stringify(told.map(({ faults }) => faults ?? [])));
"""
RULE = {"tool": "web_fetch", "key": "host", "path": ["url", "host"]}
BAD_PATHS: list[Any] = [[], "a.b", [""], [-1], [1.5], [None]]
BAD_RULE_FIELDS = [("tool", ""), ("tool", "x" * 257), ("key", 1), ("from", "error"), ("ttlSeconds", 0), ("x", 1)]

FIELDS: list[tuple[str, list[Any], list[Any]]] = [
    ("baseUrl", ["https://gateway.example:443/v1", "http://[::1]:8600"], ["ftp://x", "http://a b", "http://u:p@x", 1]),
    ("baseUrl", ["http://x/" + "a" * 2039], ["http://x/" + "a" * 2040, "http://x/?q", "http://x#f", "http://", ""]),
    ("tokenEnv", ["OTHER"], ["", "1A", "A B", "A" * 129, None]),
    ("origin", ["a", "a" * 64, "my-agent_2"], ["", "A", "a" * 65, "a.b", "a\n"]),
    ("evaluateTimeoutMs", [100, 10_000], [99, 10_001, 100.5, "100", None]),
    ("installTimeoutMs", [100, 12_000], [99, 12_001, True]),
    ("auditTimeoutMs", [100, 60_000], [99, 60_001]),
    ("outboxFolder", ["", "/x", "~/x", "C:\\x"], ["x", "./x", "~x", "/" + "x" * 1024]),
    ("outboxMaxReports", [1, 10_000], [0, 10_001]),
    ("outboxMaxAgeMs", [60_000, 86_400_000], [59_999, 86_400_001]),
    ("evidence", [[], [RULE], [RULE] * 64, [RULE | {"from": "params", "ttlSeconds": 1}]], [[RULE] * 65, {}, [1]]),
    ("evidence", [[RULE | {"path": ["a.b", 0, "x" * 256]}]], [[RULE | {"path": path}] for path in BAD_PATHS]),
    ("evidence", [[RULE | {"ttlSeconds": 604_800}]], [[RULE | {name: value}] for name, value in BAD_RULE_FIELDS]),
    ("evidence", [], [[{name: RULE[name] for name in RULE if name != gone}] for gone in RULE]),
    ("unknown", [], [1, None]),
]
"""Values at each bound: what is taken, what is refused."""


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name.removesuffix(".test.mjs"))
def test_its_own_tests_pass(node: str, path: Path) -> None:
    """Node's runner finds every test of the file good, and finds some."""
    command = [node, "--test", "--test-reporter=tap", "--test-timeout=60000", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    counted = dict(re.findall(r"^# (tests|pass|skipped|todo) (\d+)$", done.stdout, re.MULTILINE))

    assert done.returncode == 0, done.stdout + done.stderr
    assert counted["tests"] == counted["pass"], done.stdout
    assert int(counted["pass"]) > 0


def test_there_are_tests_of_its_own() -> None:
    """The list is not empty by mistake."""
    assert {"claims", "config", "delivery", "opencode", "opencode-config", "plugin", "shedding"} <= {
        path.name.removesuffix(".test.mjs") for path in TESTS
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(AGENTS)))
def test_a_file_imports_its_own_folder_and_node_alone(path: Path) -> None:
    """So the folder works wherever it is copied, and `report/` does without the rest."""
    folder = AGENTS / path.relative_to(AGENTS).parts[0]
    home = PLUGIN / "report" if path.is_relative_to(PLUGIN / "report") else folder
    wanted = [next(filter(None, groups)) for groups in IMPORT.findall(path.read_text())]
    foreign = [name for name in wanted if not name.startswith("node:") and not _stands_in(home, path.parent / name)]

    assert [] == foreign


def _stands_in(home: Path, target: Path) -> bool:
    return target.is_file() and target.resolve().is_relative_to(home)


def test_imports_are_seen() -> None:
    """The pattern finds each way of importing."""
    text = (
        'import a from "x";\nimport {\n  b,\n} from "./y.js";\nexport { c } from "z";\nimport "w";\nawait import("v");'
    )

    assert ["x", "./y.js", "z", "w", "v"] == [next(filter(None, groups)) for groups in IMPORT.findall(text)]


@pytest.mark.parametrize("path", [*SOURCES, *TESTS, *PROGRAMS], ids=lambda path: path.name)
def test_no_file_and_no_line_is_too_long(path: Path) -> None:
    """A file can be read in one go, one of tests in two; a line fits where Python's do."""
    lines = path.read_text().splitlines()

    assert len(lines) <= LINES_OF_A_FILE * (2 if path in TESTS else 1)
    assert [] == [f"{path.name}:{number}" for number, line in enumerate(lines, 1) if len(line) > CHARACTERS_OF_A_LINE]


def test_the_reporting_side_is_a_module_of_its_own(node: str, tmp_path: Path) -> None:
    """Any plugin may take `report/` alone: the folder says itself that it is made of modules."""
    copied = shutil.copytree(PLUGIN / "report", tmp_path / "report")
    script = "console.log(Object.keys(await import(process.argv[1])).includes('createReporter'))"
    done = run(node, "--input-type=module", "--eval", script, str(copied / "index.js"))

    assert ("true\n", "") == (done.stdout, done.stderr)


@pytest.mark.parametrize(("field", "good", "bad"), FIELDS)
def test_code_and_manifest_take_and_refuse_the_same(node: str, field: str, good: list[Any], bad: list[Any]) -> None:
    """What the host checks by the manifest before it loads the plugin is what the plugin checks."""
    manifest = jsonschema_rs.validator_for(json.loads((PLUGIN / "openclaw.plugin.json").read_text())["configSchema"])
    given = [{field: value} for value in [*good, *bad]]
    done = run(node, "--input-type=module", "--eval", READ_CONFIG, str(PLUGIN / "config.js"), json.dumps(given))
    by_code = [faults == [] for faults in json.loads(done.stdout)]

    assert [True] * len(good) + [False] * len(bad) == by_code, done.stdout
    assert by_code == [manifest.is_valid(config) for config in given]


def test_the_page_tells_every_field_and_its_default() -> None:
    """In the manifest's order; and every counter that there is."""
    page = (PLUGIN.parents[2] / "docs" / "agents" / "openclaw.md").read_text()
    fields = json.loads((PLUGIN / "openclaw.plugin.json").read_text())["configSchema"]["properties"]
    counters = re.findall(r'^  "(\w+)", // ', (PLUGIN / "report" / "counters.js").read_text(), re.MULTILINE)
    told = re.findall(r"^\| `(\w+)` \| `(.+?)` \|", page, re.MULTILINE)
    counted = re.findall(r"`(\w+)`", page.partition("| counter |")[2].partition("\n\n")[0])

    assert [(name, json.dumps(field["default"])) for name, field in fields.items()] == told
    assert sorted(counters) == sorted(counted)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """To its end."""
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)

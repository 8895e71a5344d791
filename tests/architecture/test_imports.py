"""The import rules bite: each is broken on purpose in a copy of the tree, for a rule that matches nothing is silent."""

import importlib.util
import sys
import tomllib
from pathlib import Path

import pytest

CORE = "the gateway's core knows no broker and no HTTP"
DOWN = "arrows point down inside interpose"
PLAIN = "what is pure knows no broker, no telemetry, no HTTP"
APART = "services meet on the bus, never by import"
LIBRARY = "the library knows no service"
FAST = "a command shim starts fast: reporting loads neither the bus nor pydantic"
WRONG_IMPORTS = [
    ("services/gateway/src/interpose_gateway/core/settle.py", "import nats", CORE),
    ("services/gateway/src/interpose_gateway/core/judge.py", "import interpose.bus.subjects", CORE),
    ("services/gateway/src/interpose_gateway/core/decide.py", "import interpose_gateway.adapters.clock", CORE),
    ("services/gateway/src/interpose_gateway/core/ports.py", "import starlette.requests", CORE),
    ("shared/src/interpose/contracts/words.py", "import interpose.bus.subjects", DOWN),
    ("shared/src/interpose/telemetry/names.py", "import interpose.bus.headers", DOWN),
    ("shared/src/interpose/bus/subjects.py", "import interpose.hook.verdicts", DOWN),
    ("shared/src/interpose/contracts/words.py", "import opentelemetry.trace", PLAIN),
    ("shared/src/interpose/canonical/identity.py", "import nats", PLAIN),
    ("shared/src/interpose/planning/plan.py", "import nats", PLAIN),
    ("shared/src/interpose/planning/plan.py", "import interpose.config.load", DOWN),
    ("services/validator/src/interpose_validator/judge.py", "import interpose_gateway.settings", APART),
    ("services/gateway/src/interpose_gateway/settings.py", "import interpose_validator.settings", APART),
    ("shared/src/interpose/errors.py", "import interpose_validator", LIBRARY),
    ("shared/src/interpose/report/gate.py", "import interpose.bus.subjects", FAST),
    ("shared/src/interpose/report/claims.py", "import interpose.contracts.evaluation", FAST),
    ("shared/src/interpose/client/http.py", "import interpose.report.gate", DOWN),
]
HEAVY = ("nats", "faststream", "opentelemetry", "starlette", "uvicorn", "pydantic", "typer")
LOADED = "import sys, {module}; print(*[name for name in {heavy} if name in sys.modules])"


@pytest.fixture
def workspace(copy_workspace, tmp_path) -> Path:
    """A copy of the sources and their rules, to be changed at will."""
    return copy_workspace(tmp_path)


@pytest.fixture
def lint(workspace, run_program):
    """Run the import rules of the copy on the copy; the exit code must be as expected. Returns what was said."""

    def run(expect: int) -> str:
        return run_program(sys.executable, "tests/architecture/linter.py", cwd=workspace, expect=expect).stdout

    return run


def test_the_tree_keeps_its_rules(lint) -> None:
    """The unchanged copy passes, so whatever fails below fails because of what was planted."""
    assert " 0 broken" in lint(expect=0)


@pytest.mark.parametrize(("file", "statement", "rule"), WRONG_IMPORTS, ids=[wrong[1] for wrong in WRONG_IMPORTS])
def test_a_wrong_import_is_objected_to(workspace, lint, file, statement, rule) -> None:
    """Each rule names itself when one import goes against it."""
    with (workspace / file).open("a") as source:
        source.write(f"\n{statement}\n")

    assert f"{rule} BROKEN" in lint(expect=1)


def test_a_new_room_must_take_its_place(workspace, lint) -> None:
    """A package of the library that stands in no layer is an error, not a room without rules."""
    room = workspace / "shared/src/interpose/cellar"
    room.mkdir()
    (room / "__init__.py").write_text('"""A room that nobody placed."""\n')

    assert "interpose.cellar" in lint(expect=1)


def test_every_name_in_the_rules_exists(root) -> None:
    """No rule speaks of a module that is not there: it would hold for ever without holding anything back."""
    rules = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    lists = [rule.get(kind, []) for rule in rules for kind in ("source_modules", "forbidden_modules", "modules")]
    names = {name for listed in lists for name in listed} - {"services/*"}

    assert names
    assert [] == [name for name in sorted(names) if importlib.util.find_spec(name) is None]


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("interpose", []),
        ("interpose.errors", []),
        ("interpose.report", []),
        ("interpose.contracts.ask", ["pydantic"]),
        ("interpose.canonical.identity", ["pydantic"]),
        ("interpose.cli.main", ["pydantic", "typer"]),
    ],
)
def test_importing_stays_light(run_program, module, allowed) -> None:
    """Importing the library loads no broker and no telemetry, and the command line starts without them."""
    loaded = run_program(sys.executable, "-c", LOADED.format(module=module, heavy=HEAVY)).stdout.split()

    assert [] == [name for name in loaded if name not in allowed]

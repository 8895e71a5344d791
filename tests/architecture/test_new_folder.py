"""A new hook is one new folder: about twelve lines of manifest, as many of code, and no edit anywhere else."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

MANIFEST = """\
[build-system]
requires = ["hatchling==1.33.0"]
build-backend = "hatchling.build"

[project]
name = "interpose-greeter"
version = "0.1.0"
dependencies = ["interpose==0.1.0"]

[project.entry-points."interpose.services"]
greeter = "interpose_greeter"

[tool.uv.sources]
interpose = { workspace = true }

[tool.hatch.build]
dev-mode-dirs = ["src"]
"""
CODE = """\
\"\"\"Nobody speaks without a greeting.\"\"\"

from interpose import Ask, Hook, Verdict, allow, reject

hook = Hook("greeter")


@hook.before("speak")
def judge(ask: Ask) -> Verdict:
    \"\"\"Hello first.\"\"\"
    return allow() if str(ask.parameters.get("text", "")).startswith("Hello") else reject("say hello first")
"""
MAIN = """\
from interpose_greeter import hook

if __name__ == "__main__":
    hook.run()
"""
pytestmark = pytest.mark.server

RULES = {"hooks": {"before:speak": [{"name": "greeter", "service": "greeter"}]}}


@pytest.fixture(scope="module")
def extended(copy_workspace, root, run_program, tmp_path_factory) -> Path:
    """A copy of the workspace with one more folder, set up by the command that everybody uses."""
    workspace = copy_workspace(tmp_path_factory.mktemp("extended"))
    package = workspace / "services/greeter/src/interpose_greeter"
    package.mkdir(parents=True)
    (workspace / "services/greeter/pyproject.toml").write_text(MANIFEST)
    (package / "__init__.py").write_text(CODE)
    (package / "__main__.py").write_text(MAIN)
    (workspace / "interpose.json").write_text(json.dumps(RULES))
    (workspace / ".tools").symlink_to(root / ".tools")
    run_program("make", "setup", f"PYTHON={sys.executable}", cwd=workspace)
    return workspace


@pytest.fixture(scope="module")
def interpose(extended, run_program) -> Iterator:
    """The command of the extended workspace, in a system that runs; it is down afterwards."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("INTERPOSE_")}

    def run(*words: str, expect: int = 0) -> str:
        return run_program(extended / ".venv/bin/interpose", *words, cwd=extended, env=clean, expect=expect).stdout

    run("up", "--detach", "--config", "interpose.json")
    yield run
    run("down")


def test_the_new_service_is_started_with_the_others(interpose) -> None:
    """`interpose up` starts the new folder's worker, which is present on the bus."""
    services = json.loads(interpose("status", "--json"))["services"]

    assert ["greeter-1"] == [
        each["instance"] for one in services if one["name"] == "greeter" for each in one["workers"]
    ]


def test_the_new_rule_is_enforced(interpose) -> None:
    """The new hook refuses a call with its own words."""
    answer = json.loads(interpose("call", "speak", "--param", "text=Bye", "--dry-run", "--json", expect=2))["answer"]

    assert ("refuse", "greeter", "say hello first") == (answer["decision"], answer["decided_by"], answer["reason"])


def test_the_import_rules_hold_for_it(extended, run_program) -> None:
    """The linter knows the new folder, and objects when it imports another service."""
    (extended / "services/greeter/src/interpose_greeter/friend.py").write_text("import interpose_validator.settings\n")

    told = run_program(sys.executable, "tests/architecture/linter.py", cwd=extended, expect=1).stdout

    assert "services meet on the bus, never by import BROKEN" in told

"""`make demo`'s program: every decision is as expected, and one that is not makes it fail."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.server

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples/demo"
PATIENCE_S = 300


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    command = [sys.executable, str(DEMO), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_every_decision_is_as_expected() -> None:
    """Exit code 0; each decision with hooks, trace and waterfall."""
    ran = demo()

    assert (0, "") == (ran.returncode, ran.stderr)
    assert ran.stdout.endswith("\n6 of 6 decisions were as expected.\n")
    assert 6 == ran.stdout.count("  execute_tool ")
    assert 6 == ran.stdout.count(", trace ")


def test_a_validator_that_lets_everything_pass_is_noticed(tmp_path: Path) -> None:
    """With a schema that anything fits, the broken message is sent: exit code 1, and which decision it was."""
    rules = json.loads((DEMO / "rules.json").read_text())
    rules["hooks"]["before:message.send"][0]["with"] = {"schema": {"type": "object"}}
    broken = tmp_path / "rules.json"
    broken.write_text(json.dumps(rules))

    ran = demo("--rules", str(broken))

    assert ran.returncode == 1
    assert "NOT AS EXPECTED: decision is 'deliver', not 'refuse'" in ran.stderr
    assert ran.stdout.endswith("\n5 of 6 decisions were as expected.\n")

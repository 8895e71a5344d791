"""The pages, their snippets, and a terminal in which the commands of a page are typed."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from interpose.config.load import load
from interpose.contracts.config import HookSpec
from interpose.embedded.ports import own_ports

ROOT = Path(__file__).parents[2]
MARK = "== ended with"
PORT = "8600"
"""The gateway's, as pages write it."""
TIMEOUT_S = 240

Terminal = Callable[[list[str], Path], tuple[list[str], list[str], str]]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's own folder."""
    return ROOT


@pytest.fixture(scope="session")
def snippets() -> Path:
    """Where the code of the pages stands."""
    return ROOT / "docs" / "snippets"


@pytest.fixture(scope="session")
def configured(snippets: Path) -> Callable[[str], HookSpec]:
    """The one hook of a snippet's configuration, as the gateway knows it."""

    def find(folder: str) -> HookSpec:
        hooks = load(snippets / folder / "interpose.json").configuration.hooks
        ((hook,),) = hooks.values()
        return hook

    return find


@pytest.fixture
def environment() -> dict[str, str]:
    """This environment's programs, and ports that nobody else uses."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("INTERPOSE_", "OTEL_"))}
    own["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), own["PATH"]])
    return own | own_ports()


@pytest.fixture
def terminal(environment: dict[str, str]) -> Terminal:
    """`terminal(commands, folder)`: typed one after another in one shell; how each ended, what each printed, and all of
    it for whoever has to look why."""

    def type_in(commands: list[str], folder: Path) -> tuple[list[str], list[str], str]:
        typed = "".join(f"{command}code=$?; echo; echo {MARK} $code\n" for command in commands)
        ended = subprocess.run(
            ["bash", "-c", typed.replace(PORT, environment["INTERPOSE_HTTP_PORT"])],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        said = re.split(rf"^{MARK} .*\n", ended.stdout, flags=re.MULTILINE)[:-1]
        return re.findall(rf"^{MARK} (.*)$", ended.stdout, re.MULTILINE), said, ended.stdout + ended.stderr

    return type_in

"""The canary for OpenCode: through the installed file where there is a Node to run it, else past it, and told so."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from interpose.agents.canary import ARGUMENTS, SESSION, TIMEOUT_S, Sung, environ
from interpose.agents.merging import read
from interpose.agents.opencode.plugin import CONFIGURATION, EVENTS, FILE, PLATFORM, folder, is_current
from interpose.contracts.evaluation import CANARY
from interpose.errors import ConfigurationError
from interpose.report.client import Answer, Client
from interpose.shim.options import TIMEOUT_MS, Wrong
from interpose.shim.run import endpoint_of

OLDEST_NODE = 20
CALL = {"tool": CANARY, "sessionID": SESSION, "callID": "canary"}
EVENT: dict[str, Any] = {
    "hook": EVENTS[0],
    "directory": "/",
    "worktree": "/",
    "input": CALL,
    "output": {"args": ARGUMENTS},
}
UNTRIED = (
    f"there is no Node {OLDEST_NODE} or newer here, so this command asked the gateway itself, with the plugin's"
    " configuration: that OpenCode's plugin asks it was not tried"
)

OTHER = "the plugin's file is not the one that this version ships: interpose agents install opencode writes it"


def sing(project: Path | None) -> Sung:
    """Send it. Raises ConfigurationError where that cannot be done at all."""
    node, place = _node(), folder(project)
    sung = _posted(place) if node is None else _driven(node, place)
    return sung if is_current(project) else replace(sung, note=f"{sung.note} {OTHER}".strip())


def _node() -> str | None:
    found = shutil.which("node")
    if found is None:
        return None
    told = subprocess.run(  # noqa: S603 (a fixed command)
        [found, "--version"], capture_output=True, text=True, check=False, timeout=TIMEOUT_S
    )
    version = re.match(r"v(\d+)\.", told.stdout)
    return found if version and int(version[1]) >= OLDEST_NODE else None


def _driven(node: str, place: Path) -> Sung:
    """The installed file itself, by a link whose name tells Node that it is a module."""
    with TemporaryDirectory() as links, as_file(files(__package__).joinpath("canary.mjs")) as program:
        module = Path(links) / "interpose.mjs"
        module.symlink_to(place / FILE)
        (Path(links) / CONFIGURATION).symlink_to(place / CONFIGURATION)
        command = [node, "--preserve-symlinks", str(program), module.as_uri(), json.dumps({**CALL, "args": ARGUMENTS})]
        try:
            done = subprocess.run(  # noqa: S603 (words of our own, no shell)
                command, capture_output=True, check=False, timeout=TIMEOUT_S, env=environ()
            )
        except subprocess.TimeoutExpired as error:
            raise ConfigurationError(f"the installed plugin did not end within {TIMEOUT_S:.0f} s") from error
    return Sung(done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode)


def _posted(place: Path) -> Sung:
    told = read(place / CONFIGURATION)
    url, file = told.get("url"), told.get("tokenFile")
    if not isinstance(url, str) or not isinstance(file, str):
        raise ConfigurationError(
            f"{place / CONFIGURATION} names no url or no tokenFile: interpose agents install again"
        )
    try:
        token = Path(file).expanduser().read_text().strip()
        client = Client(endpoint_of(url), token)
    except (OSError, UnicodeDecodeError, Wrong) as error:
        raise ConfigurationError(f"the plugin's gateway cannot be asked: {error}") from error
    answer = client.post(f"/agents/{PLATFORM}/shim", json.dumps(EVENT).encode(), TIMEOUT_MS)
    said = answer.body.get("stdout") if isinstance(answer, Answer) and answer.is_success else None
    if not isinstance(said, str):
        return Sung("", answer.trouble, 1, UNTRIED)
    return Sung(said, "", 0, UNTRIED)

"""`interpose up --detach`: the same command in the background; we return when it is ready, or say why it is not."""

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import typer

from interpose.cli.output import console, write_json
from interpose.cli.plain import plain
from interpose.cli.screen import summary

if TYPE_CHECKING:
    from interpose.embedded.home import Home
    from interpose.embedded.state import RunState

_LOOK_S = 0.1
_SHOWN_LINES = 30


def detached(home: "Home", *, json: bool) -> None:
    """Start, wait, show where everything is. Exit code 1 when it ended instead."""
    from interpose.embedded.files import open_private
    from interpose.embedded.logs import rotate

    home.prepared()
    log = home.log("up")
    rotate(log)
    began_at = log.stat().st_size if log.exists() else 0
    with open_private(log) as output:
        process = subprocess.Popen(  # noqa: S603 - our own command, again
            [sys.executable, "-m", "interpose.cli", *(word for word in sys.argv[1:] if word != "--detach")],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    state = _wait(home, process)
    if state is None:
        text = log.read_bytes()[began_at:].decode(errors="replace")
        lines = "\n".join(text.splitlines()[-_SHOWN_LINES:])
        print(plain(lines, lines=True), file=sys.stderr)
        raise typer.Exit(1)
    _show(home, state, json=json)


def _wait(home: "Home", process: "subprocess.Popen[bytes]") -> "RunState | None":
    """The state once it is ready; None when the process ended. It bounds its own start, so we need no limit."""
    from interpose.embedded.state import RunState

    while process.poll() is None:
        state = RunState.read(home)
        if state is not None and state.ready and state.supervisor.pid == process.pid:
            return state
        time.sleep(_LOOK_S)
    return None


def _show(home: "Home", state: "RunState", *, json: bool) -> None:
    if json:
        write_json({"started": state.model_dump(mode="json")})
        return
    screen = console()
    for line in summary(home, state):
        screen.print(line, markup=False)
    for warning in state.said:
        screen.print(f"warning: {plain(warning, lines=True)}", style="bold yellow", markup=False)
    screen.print("  stop      interpose down", markup=False)

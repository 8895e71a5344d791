"""`interpose down`: the clean stop, from another terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options
from interpose.cli.output import write_json

if TYPE_CHECKING:
    from interpose.embedded.home import Home

EPILOG = "Example:\n\n  interpose down"

Patience = Annotated[int, typer.Option("--timeout-ms", min=100, help="How long to wait for it to be gone.")]


def down(home: options.Home = None, timeout_ms: Patience = 60_000, json: options.Json = False) -> None:
    """Stop what `interpose up` started and wait until it is gone. Exit code 0 also when nothing runs.

    Calls in flight are finished first. What a killed supervisor left behind is ended as well. Exit code 1 when it is
    still there after the time.
    """
    import asyncio

    from interpose.embedded.home import Home

    where = Home.find(home)
    outcome = asyncio.run(_down(where, timeout_ms))
    if json:
        write_json({"home": str(where.root), "outcome": outcome})
    else:
        typer.echo(SENTENCES[outcome].format(home=where.root))
    if outcome == "still-running":
        raise typer.Exit(1)


SENTENCES = {
    "stopped": "stopped what ran in {home}",
    "cleaned": "the supervisor of {home} was gone; ended the processes it had left",
    "nothing": "nothing runs in {home}",
    "still-running": "what runs in {home} did not stop in time; look with `interpose logs up`, or try again",
}


async def _down(home: "Home", timeout_ms: int) -> str:
    import asyncio
    import os
    import signal

    from interpose.embedded import processes
    from interpose.embedded.state import RunState

    state = RunState.read(home)
    if state is None:
        return "nothing"
    if state.supervisor.lives:
        os.kill(state.supervisor.pid, signal.SIGTERM)
        gone = await processes.gone(state.supervisor.pid, state.supervisor.began, timeout_ms)
        return "stopped" if gone else "still-running"
    left = [child for child in state.children if child.lives]
    await asyncio.gather(*(processes.end(child.pid, child.began, timeout_ms) for child in left))
    home.state.unlink(missing_ok=True)
    return "cleaned" if left else "nothing"

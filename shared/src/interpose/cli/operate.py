"""`interpose operate`: the operator's process alone, for containers and clusters; `interpose up` has it inside."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.embedded.events import Report
    from interpose.embedded.home import Home

EPILOG = "Example:\n\n  interpose operate --config interpose.json"

Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The rules; INTERPOSE_CONFIG, else interpose.json or .yaml here."),
]


def operate(config: Config = None, home: options.Home = None, json: options.Json = False) -> None:
    """Make stream and bucket, keep the registry as the file says, and register workers, until Ctrl-C.

    With INTERPOSE_NATS_URL and the operator's INTERPOSE_NATS_SEED, else with the key of the state folder. A file that
    refuses leaves the last good revision in force. `interpose up` does the same by itself.
    """
    import asyncio

    from interpose.cli.screen import JsonScreen, TerminalScreen
    from interpose.config.find import find_configuration
    from interpose.embedded.home import Home

    where = Home.find(home)
    screen = JsonScreen() if json else TerminalScreen(where)
    asyncio.run(_operate(where, find_configuration(config), screen.report))


async def _operate(home: "Home", path: Path | None, report: "Report") -> None:
    import asyncio
    import signal

    from interpose.bus.tasks import end
    from interpose.embedded.operating import operate

    told, loop = asyncio.Event(), asyncio.get_running_loop()
    for signum in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signum, told.set)
    working = asyncio.create_task(operate(home, path, report))
    stopping = asyncio.create_task(told.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end(working, stopping)
    if not working.cancelled():
        working.result()

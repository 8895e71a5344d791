"""`interpose records`: what was decided, as it stands on the record."""

from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.embedded.home import Home
    from interpose.embedded.reading import Stored

EPILOG = "Example:\n\n  interpose records follow --last 10"

app = typer.Typer(help="Read the record of every call.", add_completion=False)

FromStart = Annotated[bool, typer.Option("--from-start", help="Everything that is there, then what comes.")]
Last = Annotated[int | None, typer.Option("--last", min=1, metavar="N", help="The last N, then what comes.")]
CallId = Annotated[str | None, typer.Option("--call", metavar="ID", help="Only the records of this call.")]
Count = Annotated[int | None, typer.Option("--count", min=1, metavar="N", help="Stop after N records.")]


@app.callback()
def records() -> None:
    """Read the record of every call."""


@app.command("follow", epilog="Example:\n\n  interpose records follow --from-start --count 2 --json")
def follow(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    from_start: FromStart = False,
    last: Last = None,
    call_id: CallId = None,
    count: Count = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Show each record once, in the order of the stream, until Ctrl-C. With --call from the start."""
    import asyncio

    from interpose.embedded.home import Home

    if from_start and last is not None:
        raise typer.BadParameter("give --from-start or --last, not both", param_hint="--last")
    where = Home.find(home)
    start = None if from_start or (call_id is not None and last is None) else last or 0
    asyncio.run(_follow(where, start, (call_id, count), json=json))


async def _follow(home: "Home", last: int | None, wanted: tuple[str | None, int | None], *, json: bool) -> None:
    from interpose.embedded import operator
    from interpose.embedded.reading import read

    call_id, left = wanted
    client = await operator.connect(home)
    try:
        async for stored in read(client, last):
            if call_id in (None, stored.call_id):
                _show(stored, json=json)
                left = None if left is None else left - 1
            if left == 0:
                return
    finally:
        await client.close()


def _show(stored: "Stored", *, json: bool) -> None:
    from interpose.cli.lines import stored_line
    from interpose.cli.output import console, write_json

    if json:
        write_json({"sequence": stored.sequence, "record": stored.body})
    else:
        console().print(stored_line(stored))

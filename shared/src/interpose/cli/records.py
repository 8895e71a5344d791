"""`interpose records`: what was decided, as it stands on the record."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from interpose.cli import options, record_grep
from interpose.cli.record_filters import filtered
from interpose.cli.record_source import Source, opened

if TYPE_CHECKING:
    from interpose.embedded.home import Home
    from interpose.records.stored import Stored
    from interpose.records.wanted import Wanted

CODES = "Exit code: 0 shown; 1 nothing to read, or no such record; 2 a wrong use, as a kind that there is not."
EPILOG = f"{CODES}\n\nExample:\n\n  interpose records list --decision refuse --since 1h"
LIST_EPILOG = f"{CODES}\n\nExample:\n\n  interpose records list --tool message --since 1h --json"
SHOW_EPILOG = f"{CODES}\n\nExample:\n\n  interpose records show CALL_ID"
FOLLOW_EPILOG = f"{CODES}\n\nExample:\n\n  interpose records follow --from-start --kind call --count 2 --json"
STATS_EPILOG = f"{CODES}\n\nExample:\n\n  interpose records stats --since 7d"

app = typer.Typer(help="Read the record of every call.", add_completion=False)

FromStart = Annotated[bool, typer.Option("--from-start", help="Everything that is there, then what comes.")]
Last = Annotated[int | None, typer.Option("--last", min=1, metavar="N", help="The last N, then what comes.")]
Count = Annotated[int | None, typer.Option("--count", min=1, metavar="N", help="Stop after N records.")]
Limit = Annotated[int, typer.Option("--limit", min=1, metavar="N", help="The newest N.")]
CallId = Annotated[str, typer.Argument(metavar="CALL_ID", help="A call, or a trace, as answers and lines name it.")]
From = Annotated[
    Source,
    typer.Option("--source", help="The audit store, or the stream; auto: the store where it can be read."),
]


@app.callback()
def records() -> None:
    """Read the record of every call."""


app.command("grep", epilog=record_grep.EPILOG)(record_grep.grep)


@app.command("list", epilog=LIST_EPILOG)
@filtered
def list_(
    wanted: "Wanted",
    limit: Limit = 50,
    source: From = Source.AUTO,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Show the newest records that are wanted, newest last, a line each."""
    with opened(_home(home), source) as (reader, found):
        for stored in reader.newest(wanted, limit):
            _show(stored, found, json=json)


@app.command("show", epilog=SHOW_EPILOG)
def show(call_id: CallId, source: From = Source.AUTO, home: options.Home = None, json: options.Json = False) -> None:
    """Show both phases of a call with every hook: what it said, how long it took, what it noted."""
    from interpose.cli.output import console
    from interpose.cli.record_page import page
    from interpose.errors import NoSuchRecord

    found, where = _of_call(call_id, source, _home(home))
    if not found:
        raise NoSuchRecord(
            f"nothing is on the record of {call_id} in the {where}: `interpose records list` shows calls"
        )
    if json:
        for stored in found:
            _show(stored, where, json=True)
        return
    for line in page(found):
        console().print(line)


@app.command("follow", epilog=FOLLOW_EPILOG)
@filtered
def follow(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    wanted: "Wanted",
    from_start: FromStart = False,
    last: Last = None,
    count: Count = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Show each record of the stream once, in its order, until Ctrl-C. With --call or --since from the start."""
    import asyncio

    if from_start and last is not None:
        raise typer.BadParameter("give --from-start or --last, not both", param_hint="--last")
    of_the_past = from_start or (last is None and (wanted.call_id is not None or wanted.since is not None))
    start = None if of_the_past else last or 0
    asyncio.run(_follow(_home(home), start, wanted, count, json=json))


@app.command("stats", epilog=STATS_EPILOG)
@filtered
def stats(wanted: "Wanted", source: From = Source.AUTO, home: options.Home = None, json: options.Json = False) -> None:
    """Count decisions, tools, codes and how hooks ended, and say how long hooks took."""
    from interpose.cli import record_stats
    from interpose.cli.output import console, write_json

    with opened(_home(home), source) as (reader, where):
        found = reader.summary(wanted)
    if json:
        write_json({"source": where, **found.model_dump(mode="json")})
        return
    for line in record_stats.lines(found):
        console().print(line, markup=False)
    if found.hooks:
        console().print(record_stats.hooks(found))


def _home(given: Any) -> "Home":
    from interpose.embedded.home import Home

    return Home.find(given)


def _of_call(call_id: str, source: Source, home: "Home") -> "tuple[list[Stored], Source]":
    """The records of a call; those that the store does not have yet are looked for in the stream."""
    with opened(home, source) as (reader, where):
        found = reader.of_call(call_id)
    if found or source is not Source.AUTO or where is Source.STREAM:
        return found, where
    return _of_call(call_id, Source.STREAM, home)


async def _follow(home: "Home", last: int | None, wanted: "Wanted", left: int | None, *, json: bool) -> None:
    from interpose.embedded import operator
    from interpose.embedded.reading import read
    from interpose.records.sieve import Sieve

    client, sieve = await operator.connect(home), Sieve(wanted)
    try:
        async for stored in read(client, last):
            if sieve.lets_through(stored):
                _show(stored, Source.STREAM, json=json)
                left = None if left is None else left - 1
            if left == 0:
                return
    finally:
        await client.close()


def _show(stored: "Stored", source: Source, *, json: bool) -> None:
    from interpose.cli.lines import stored_line
    from interpose.cli.output import console, write_json

    if json:
        write_json({"source": source, "sequence": stored.sequence, "record": stored.body})
    else:
        console().print(stored_line(stored))

"""`interpose records grep`: a text in calls, live ones and those that were imported from agents' logs."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.embedded.home import Home
    from interpose.history.pattern import Matches
    from interpose.history.reader import Reader as HistoryReader
    from interpose.history.search import Hit
    from interpose.records.reader import Reader

EPILOG = (
    "Exit code: 0 found; 1 nothing found, or nothing to look in; 2 a wrong use, as a pattern that cannot be read."
    "\n\nExample:\n\n  interpose records grep push --tool Bash --limit 3"
)
WIDTH = 160
NOTHING, WRONG = 1, 2

Pattern = Annotated[str, typer.Argument(metavar="PATTERN", help="A text, whatever its case.")]
Regex = Annotated[bool, typer.Option("--regex", help="PATTERN is a regular expression (RE2); (?i) ignores case.")]
Tool = Annotated[str | None, typer.Option("--tool", metavar="T", help="Of this tool, by its platform's name or ours.")]
Platform = Annotated[str | None, typer.Option("--platform", metavar="P", help="Of this platform.")]
Limit = Annotated[int, typer.Option("--limit", min=1, metavar="N", help="The newest N.")]
Raw = Annotated[
    bool, typer.Option("--raw", help="The whole event as JSON: normalised, beside the provider's own record.")
]
Normal = Annotated[bool, typer.Option("--json", help="The normalised content only, as JSON.")]


def grep(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    pattern: Pattern,
    raw: Raw = False,
    json: Normal = False,
    regex: Regex = False,
    tool: Tool = None,
    platform: Platform = None,
    limit: Limit = 10,
    home: options.Home = None,
) -> None:
    """Find calls by a text in them, live or imported, the newest first: in the provider's words or in the normal form.

    --json and --raw print one object a line: {name, arguments, provider_call_id}, or {type, content, metadata}.
    """
    from itertools import islice

    from interpose.embedded.home import Home
    from interpose.history.search import Sought, hits
    from interpose.platforms.read import known

    if raw and json:
        raise typer.BadParameter("give --raw or --json, not both", param_hint="--raw")
    with _wrong_use():
        sought = Sought(_matches(pattern, is_regex=regex), tool, None if platform is None else known(platform))
    is_any = False
    with _opened(Home.find(home)) as (history, live):
        for hit in islice(hits(sought, history, live), limit):
            is_any = True
            _show(hit, raw=raw, json=json)
    if not is_any:
        raise typer.Exit(NOTHING)


@contextmanager
def _wrong_use() -> Iterator[None]:
    from interpose.errors import InvalidInput

    try:
        yield
    except InvalidInput as error:
        raise typer.BadParameter("; ".join([error.message, *map(str, error.faults)])) from error


def _matches(pattern: str, *, is_regex: bool) -> "Matches":
    from interpose.history.pattern import plain_text, regular_expression

    return regular_expression(pattern) if is_regex else plain_text(pattern)


@contextmanager
def _opened(home: "Home") -> "Iterator[tuple[HistoryReader | None, Reader | None]]":
    """Both stores, or the one that there is. Raises StoreUnavailable where there is none."""
    from interpose.cli.record_source import Source, opened
    from interpose.embedded.history import history_path
    from interpose.errors import BusUnavailable, NotRunning, StoreUnavailable
    from interpose.history.reader import Reader as HistoryReader

    with ExitStack() as open_now:
        history: HistoryReader | None = None
        live: Reader | None = None
        if history_path(home).exists():
            history = HistoryReader.open(history_path(home))
            open_now.callback(history.close)
        try:
            live, _ = open_now.enter_context(opened(home, Source.AUTO))
        except (BusUnavailable, NotRunning, StoreUnavailable) as error:
            if history is None:
                raise StoreUnavailable(f"nothing to look in: {error}; and no history was imported") from error
        yield history, live


def _show(hit: "Hit", *, raw: bool, json: bool) -> None:
    from interpose.cli.output import console, write_json

    if raw or json:
        write_json(hit.event if raw else hit.content)
        return
    screen = console()
    for number, (line, style) in enumerate(_block(hit)):
        screen.print(line, style=style if number else "bold", markup=False)


def _block(hit: "Hit") -> Iterator[tuple[str, str]]:
    """A few lines for a person; nothing of a call can write an escape sequence."""
    from interpose.cli.output import compact
    from interpose.cli.plain import plain, shorten

    told, content = hit.metadata, hit.content
    at = "no moment told    " if hit.at_us is None else f"{_moment(hit.at_us):%Y-%m-%d %H:%M:%S}"
    error = "  failed" if told.get("is_error") else ""
    what = "result of " if hit.type == "tool_result" else ""
    native = "" if told["tool"] in {None, content["name"]} else f" ({told['tool']})"
    by = told.get("decision") or "imported"
    yield plain(f"{at}  {told['platform'] or 'no platform'}  {what}{content['name']}{native}  {by}{error}"), "bold"
    said: Any = content["arguments"] if "arguments" in content else content.get("response")
    yield f"  {'arguments' if 'arguments' in content else 'response':<11}{shorten(plain(compact(said)), WIDTH)}", ""
    yield f"  {'found':<11}{shorten(plain(hit.found), WIDTH)}", "yellow"
    for name, value in _places(told, content):
        if value is not None:
            yield f"  {name:<11}{plain(str(value))}", "dim"


def _places(told: dict[str, Any], content: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "session", told.get("session")
    yield "agent", told.get("agent")
    yield "call", content["provider_call_id"]
    yield "record", told.get("call_id")
    yield "log", f"{told['log']}, line {told['number']}" if "log" in told else None
    yield "note", told.get("note")


def _moment(at_us: int) -> datetime:
    return datetime.fromtimestamp(at_us / 1_000_000, tz=UTC).astimezone()

"""`interpose history`: calls that agents made before anybody asked us, from the logs of their platforms."""

import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpose.history.importing import Importer, Tally
    from interpose.history.shapes import Shape

CODES = "Exit code: 0 done; 1 an error, or something in a log was damaged (not with --lenient); 130 stopped by Ctrl-C."
EPILOG = f"{CODES}\n\nExample:\n\n  interpose history import claude ~/.claude/projects"
SCHEMA_EPILOG = f"{CODES}\n\nExample:\n\n  interpose history schema codex ~/.codex/sessions"

app = typer.Typer(help="Read agents' own logs.", add_completion=False)

Platform = Annotated[
    str,
    typer.Argument(
        metavar="PLATFORM",
        help="Whose logs: claude, codex, gemini, openclaw, copilot, vscode-copilot or cursor.",
    ),
]
Paths = Annotated[list[Path], typer.Argument(metavar="PATH…", help="Logs, or folders of them.")]
Servers = Annotated[
    str,
    typer.Option(
        "--known-servers",
        metavar="A,B",
        help="Names of MCP servers, for platforms whose tool names cannot be taken apart without them.",
    ),
]
Lenient = Annotated[bool, typer.Option("--lenient", help="Damaged lines are told and make no exit code 1.")]


@app.callback()
def history() -> None:
    """Read agents' own logs."""


@app.command("import", epilog=EPILOG)
def import_(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    platform: Platform,
    paths: Paths,
    known_servers: Servers = "",
    lenient: Lenient = False,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Store the calls of logs beside the live records, each once; a log that grew is read on from where it was left."""
    from interpose.cli.history_telling import Telling
    from interpose.embedded.history import prepared_history_path
    from interpose.embedded.home import Home
    from interpose.history.formats import format_of
    from interpose.history.importing import Importer
    from interpose.history.sources import logs
    from interpose.history.store import Store

    form = format_of(platform)
    store = Store.open(prepared_history_path(Home.find(home)))
    telling = Telling()
    importer = Importer(store, form, telling, _names(known_servers))
    try:
        with telling.shown(), _stopped_by_ctrl_c(importer):
            importer.run(logs(paths, form))
    finally:
        store.close()
    _tell(importer.tally, form.platform, is_stopped=importer.is_stopping, json=json)
    if importer.is_stopping:
        raise typer.Exit(128 + signal.SIGINT)
    if importer.tally.damaged and not lenient:
        raise typer.Exit(1)


@app.command("schema", epilog=SCHEMA_EPILOG)
def schema(
    platform: Platform,
    paths: Paths,
    known_servers: Servers = "",
    lenient: Lenient = False,
    json: options.Json = False,
) -> None:
    """Show which tools and arguments occur in logs, and which of them our models of the platform's tools do not cover.

    Nothing is stored. What no model covers is judged by its normal form all the same; it shows that a platform changed.
    """
    from interpose.cli.history_telling import Telling
    from interpose.cli.output import console, write_json
    from interpose.history.formats import format_of
    from interpose.history.shapes import Shapes
    from interpose.history.sources import logs
    from interpose.history.survey import survey

    form = format_of(platform)
    shapes, telling = Shapes(form.platform, _names(known_servers)), Telling()
    with telling.shown():
        damaged = survey(logs(paths, form), form, shapes, telling)
    if json:
        write_json({"platform": form.platform, "damaged": damaged, "tools": [each.to_wire() for each in shapes.all()]})
    else:
        screen = console()
        for line, style in _shown(shapes.all()):
            screen.print(line, style=style, markup=False)
    if damaged and not lenient:
        raise typer.Exit(1)


@contextmanager
def _stopped_by_ctrl_c(importer: "Importer") -> "Iterator[None]":
    """The first one ends the import where it is, with all of it stored; a second one ends the program."""

    def stop(_number: int, _frame: object) -> None:
        if importer.is_stopping:
            raise KeyboardInterrupt
        importer.is_stopping = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _names(told: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in told.split(",") if name.strip())


def _tell(tally: "Tally", platform: str, *, is_stopped: bool, json: bool) -> None:
    from dataclasses import asdict

    from interpose.cli.output import console, write_json

    if json:
        write_json({"platform": platform, "stopped": is_stopped, **asdict(tally)})
        return
    more = {
        "stored before": tally.repeated,
        "without a normal form": tally.noted,
        "results of no known call": tally.unmatched,
        "damaged, skipped": tally.damaged,
        "logs end with half a line, which is read when it is whole": tally.unfinished,
    }
    told = [f"{tally.logs} logs: {tally.calls} new calls, {tally.results} new results"]
    told += [f"{count} {what}" for what, count in more.items() if count]
    if is_stopped:
        told.append("stopped: what was imported stays, and the same command goes on from there")
    console().print("; ".join(told), markup=False)


def _shown(shapes: "list[Shape]") -> "list[tuple[str, str]]":
    """A line for each tool, its arguments below it, and what does not fit."""
    from interpose.cli.plain import plain
    from interpose.history.shapes import Cover

    said = {
        Cover.MODEL: "",
        Cover.NAME: "  (known by its name only)",
        Cover.MCP: "  (of an MCP server)",
        Cover.UNKNOWN: "  NO MODEL: a tool that this version does not know",
    }
    lines: list[tuple[str, str]] = []
    for shape in shapes:
        lines.append(
            (f"{plain(shape.tool)}  {shape.calls} calls{said[shape.cover]}", "" if shape.is_covered else "bold")
        )
        for name, types in sorted(shape.arguments.items()):
            kinds = ", ".join(f"{kind} {count}" for kind, count in types.most_common())
            lines.append((f"  {plain(name):<24}{kinds}", "dim"))
        for (what, path, message), count in shape.misfits.most_common():
            lines.append(
                (f"  ! {what} {plain(path)}{': ' if message else ''}{plain(message)}, {count} calls", "yellow")
            )
    return lines

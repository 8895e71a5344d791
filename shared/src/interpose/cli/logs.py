"""`interpose logs`: what the processes wrote."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options
from interpose.cli.output import write_json
from interpose.cli.plain import plain

if TYPE_CHECKING:
    from interpose.embedded.home import Home

EPILOG = "Example:\n\n  interpose logs validator-1 --lines 20"

_LOOK_S = 0.2

Name = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="A process (validator-1, gateway, broker) or a service.")
]
Follow = Annotated[bool, typer.Option("--follow", "-f", help="Go on until Ctrl-C.")]
Lines = Annotated[int, typer.Option("--lines", "-n", min=0, help="How many of the last lines of each log.")]


def logs(
    name: Name = None, follow: Follow = False, lines: Lines = 50, home: options.Home = None, json: options.Json = False
) -> None:
    """Show the last lines of one process's log, of all workers of a service, or of everything."""
    from interpose.embedded.home import Home
    from interpose.embedded.logs import tail

    where = Home.find(home)
    files = find(where, name)
    sizes = {path: path.stat().st_size for path in files}
    for path in files:
        for line in tail(path, lines):
            show(path, line, alone=len(files) == 1, json=json)
    if follow:
        for path, line in follow_all(where, name, sizes):
            show(path, line, alone=len(files) == 1, json=json)


def find(home: "Home", name: str | None) -> list[Path]:
    """The logs of that process or service, or all. Raises NotRunning where there is none."""
    from interpose.errors import NotRunning

    every = sorted(home.logs.glob("*.log")) if home.logs.is_dir() else []
    chosen = [path for path in every if name is None or name in {path.stem, path.stem.rpartition("-")[0]}]
    if not chosen:
        known = f"the logs there are: {', '.join(path.stem for path in every)}" if every else "nothing ran here yet"
        raise NotRunning(f"no log of {name or 'anything'} in {home.logs}; {known}")
    return chosen


def follow_all(home: "Home", name: str | None, sizes: dict[Path, int]) -> Iterator[tuple[Path, str]]:
    """Whole lines as they are written; a log that became shorter was begun anew."""
    while True:
        for path in find(home, name):
            size = path.stat().st_size
            start = sizes.get(path, 0) if size >= sizes.get(path, 0) else 0
            with path.open("rb") as file:
                file.seek(start)
                data = file.read()
            whole = data[: data.rfind(b"\n") + 1]
            sizes[path] = start + len(whole)
            yield from ((path, line) for line in whole.decode(errors="replace").splitlines())
        time.sleep(_LOOK_S)


def show(path: Path, line: str, *, alone: bool, json: bool) -> None:
    """One line, behind the name of its process where there are several."""
    from interpose.telemetry.logs import readable

    if json:
        write_json({"log": path.stem, "line": line})
    else:
        text = plain(readable(line), lines=True)
        typer.echo(text if alone else f"{path.stem:<18} {text}")

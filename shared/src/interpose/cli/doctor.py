"""`interpose doctor`: everything that must hold for a rule to be enforced, and the remedy for what does not."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.doctor.finding import Finding

EPILOG = "Exit code: 0 when nothing is bad, else 1.\n\nExample:\n\n  interpose doctor"

Config = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="The rules; by default those of the run, or of here.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only what is bad.")]

_MARKS = {"ok": ("ok  ", "green"), "note": ("note", "yellow"), "bad": ("BAD ", "bold red")}


def doctor(home: options.Home = None, config: Config = None, quiet: Quiet = False, json: options.Json = False) -> None:
    """Look at keys, rules, broker, gateway and workers; nothing is changed and no call is made."""
    import asyncio

    if asyncio.run(_examine(home, config, quiet=quiet, json=json)):
        raise typer.Exit(1)


async def _examine(home: Path | None, config: Path | None, *, quiet: bool, json: bool) -> bool:
    """Show each finding as it is made; True when one is bad."""
    from interpose.cli.output import write_json
    from interpose.doctor.examination import examine
    from interpose.doctor.finding import State
    from interpose.embedded.home import Home

    is_bad = False
    async for finding in examine(Home.find(home), config):
        is_bad = is_bad or finding.state is State.BAD
        if quiet and finding.state is not State.BAD:
            continue
        if json:
            write_json(finding.model_dump(mode="json"))
        else:
            _show(finding)
    return is_bad


def _show(finding: "Finding") -> None:
    from interpose.cli.output import console
    from interpose.cli.plain import plain

    screen = console()
    mark, style = _MARKS[finding.state]
    screen.print(mark, style=style, end="  ", markup=False)
    screen.print(f"{plain(finding.check):<22}{plain(finding.said, lines=True)}", markup=False)
    if finding.remedy is not None:
        screen.print(f"      {'remedy':<22}{plain(finding.remedy, lines=True)}", style="bold", markup=False)

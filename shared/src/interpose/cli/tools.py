"""`interpose tools [NAME]`: what each platform calls a tool, and what a platform's own name means."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.canonical.table import Row

EPILOG = "Examples:\n\n  interpose tools Bash\n\n  interpose tools run_shell_command --json"

Name = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="A canonical name or a platform's own; without one: all tools.")
]


def tools(name: Name = None, json: options.Json = False) -> None:
    """Show tools in both directions: a canonical name's spellings, and what a platform's own name stands for."""
    from interpose.canonical.table import table
    from interpose.cli.output import console, write_json

    rows = table().rows
    if name is not None:
        rows = _of(name, rows)
        if not rows:
            raise typer.BadParameter(_unknown(name, table().rows), param_hint="NAME")
    if json:
        for row in rows:
            write_json(_plain(row))
        return
    screen = console()
    for canonical, alike in _grouped(rows).items():
        screen.print(f"{canonical} ({', '.join(dict.fromkeys(row.kind for row in alike))})", style="bold", markup=False)
        for row in alike:
            doubt = "" if row.verified else "  (not verified)"
            screen.print(f"  {row.platform:<16}{row.native}{_arguments(row)}{doubt}", markup=False)
            if name is not None and row.note:
                screen.print(f"  {'':<16}{row.note}", style="dim", markup=False)


def _of(name: str, rows: Iterable["Row"]) -> "tuple[Row, ...]":
    """The rows of that canonical name, or of the tool that a platform's own name means."""
    from interpose.contracts.names import fold

    given, every = fold(name), tuple(rows)
    named = [row for row in every if fold(row.native) == given]
    meant = {row.canonical for row in named if row.canonical} | {
        row.canonical for row in every if row.canonical and fold(row.canonical) == given
    }
    return tuple(row for row in every if row in named or (row.canonical in meant and row.canonical is not None))


def _grouped(rows: "Iterable[Row]") -> "Mapping[str, list[Row]]":
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.canonical or f"{row.native} on {row.platform} alone", []).append(row)
    return found


def _arguments(row: "Row") -> str:
    renames = [f"{old} → {new}" for old, new in row.renames.items()]
    return f"  [{', '.join(renames)}]" if renames else ""


def _plain(row: "Row") -> dict[str, object]:
    return {
        "platform": row.platform,
        "native": row.native,
        "canonical": row.canonical,
        "kind": row.kind,
        "arguments": dict(row.renames),
        "verified": row.verified,
        "source": row.source,
        "note": row.note,
    }


def _unknown(name: str, rows: "Iterable[Row]") -> str:
    from difflib import get_close_matches

    names = {row.native for row in rows} | {row.canonical for row in rows if row.canonical}
    close = get_close_matches(name, sorted(names), n=3, cutoff=0.6)
    meant = f"; did you mean {' or '.join(close)}?" if close else ""
    return (
        f"no table knows {name!r}: such a tool keeps its name, and only rules for that very name or * judge it{meant} "
        "`toolAliases` in the configuration makes it another name of a tool"
    )

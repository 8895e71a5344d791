"""`interpose explain-error CODE`: what a code means, where it comes from, what to do."""

from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.contracts.codes import Code

EPILOG = "Example:\n\n  interpose explain-error no-responders"

Word = Annotated[str | None, typer.Argument(metavar="[CODE]", help="A code or a failure; without one: all of them.")]


def explain_error(code: Word = None, json: options.Json = False) -> None:
    """Explain a code of an answer, a record or an alarm: meaning, cause, remedy."""
    from interpose.cli.output import write_json

    entries = _wanted(code)
    if json:
        for entry in entries:
            write_json(entry.model_dump(mode="json"))
    elif code is None:
        _list(entries)
    else:
        _explain(entries[0])


def _wanted(word: str | None) -> "tuple[Code, ...]":
    from interpose.contracts.codes import catalogue, find, similar

    if word is None:
        return catalogue()
    entry = find(word)
    if entry is None:
        close = similar(word)
        meant = f" Did you mean {' or '.join(close)}?" if close else ""
        raise typer.BadParameter(
            f"{word!r} is no code of Interpose; hooks may choose codes of their own, and `interpose records show"
            f" CALL_ID` names the hook.{meant} Without a code all are listed",
            param_hint="CODE",
        )
    return (entry,)


def _list(entries: "tuple[Code, ...]") -> None:
    from interpose.cli.output import console

    for entry in entries:
        console().print(f"{entry.code:<24}{entry.means}", markup=False)


def _explain(entry: "Code") -> None:
    from interpose.cli.output import console

    screen = console()
    statuses = f"  (status {' or '.join(str(status) for status in entry.statuses)})" if entry.statuses else ""
    screen.print(f"{entry.code}{statuses}", style="bold", markup=False)
    screen.print(f"  means   {entry.means}", markup=False)
    screen.print(f"  cause   {entry.cause}", markup=False)
    screen.print(f"  remedy  {entry.remedy}", style="bold", markup=False)

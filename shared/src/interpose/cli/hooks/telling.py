"""What changing the registry tells a person: the difference, what it loosens, how long calls may wait, who has it."""

from collections.abc import Sequence

from interpose.cli.output import console
from interpose.cli.plain import plain
from interpose.registry.difference import Difference, Kind
from interpose.registry.presence import Reported
from interpose.registry.worst import Waiting

MARKS = {Kind.ADDED: ("+", "green"), Kind.REMOVED: ("-", "red"), Kind.CHANGED: ("~", "cyan")}


def show(differences: Sequence[Difference], waiting: Sequence[Waiting], notes: Sequence[str]) -> None:
    """The difference, line by line; what loosens enforcement, or may, is said to."""
    screen = console()
    for one in differences:
        mark, style = MARKS[one.kind]
        screen.print(f"{mark} {plain(one.name)}", style=style, markup=False)
        for told in one.told:
            screen.print(f"    {plain(told)}{_loosens(one, told)}", markup=False)
        for told in (each for each in one.loosened if each not in one.told):
            screen.print(f"    loosens: {plain(told)}", markup=False)
    for each in waiting:
        took = f"before {each.before_ms / 1000:g} s, after {each.after_ms / 1000:g} s"
        screen.print(f"worst case of {plain(each.subject)}: {took}", markup=False)
    for note in notes:
        screen.print(f"note: {plain(note)}", style="yellow", markup=False)


def in_force(revision: int, reported: Sequence[Reported], *, is_new: bool) -> None:
    """Which gateways have it, and by name those that do not."""
    screen = console()
    screen.print(f"revision {revision} is in force" if is_new else f"revision {revision} says the same", markup=False)
    if not reported:
        screen.print("no gateway is present: whichever starts reads it", markup=False)
    for each in reported:
        has = "has it" if each.has else f"does NOT have it ({_says(each)}): see `interpose logs gateway`"
        screen.print(f"  {plain(each.instance)} {has}", style="" if each.has else "bold red", markup=False)


def _loosens(one: Difference, told: str) -> str:
    if told in one.loosened:
        return "  (loosens)"
    return "  (may loosen: only the hook can tell)" if told in one.may_loosen else ""


def _says(each: Reported) -> str:
    return "it tells no revision" if each.revision is None else f"it says {each.revision}"

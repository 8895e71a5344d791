"""Faults as one reason: what the agent and the people behind it read when a call is refused."""

from collections.abc import Sequence

from interpose.contracts.limits import REASON_CHARACTERS
from interpose.errors import Fault


def sentence(faults: Sequence[Fault]) -> str:
    """Every fault with its path and what is wrong (limit and given stand in the words), at most 2000 characters.

    What does not fit is counted at the end: `… and 7 more`. Raises ValueError without faults: there is no reason then.
    """
    if not faults:
        raise ValueError("a reason needs at least one fault")
    lines = [f"{fault.path}: {fault.message}" for fault in faults]
    head = f"{len(lines)} faults: " if len(lines) > 1 else ""
    whole = head + "; ".join(lines)
    return whole if len(whole) <= REASON_CHARACTERS else _shortened(head, lines)


def _shortened(head: str, lines: list[str]) -> str:
    """The first line always, cut if it must be; then as many whole lines as leave room to count the rest."""
    room = REASON_CHARACTERS - len(head) - (len(_rest(len(lines))) if len(lines) > 1 else 0)
    text, shown = _cut(lines[0], room), 1
    for line in lines[1:]:
        if len(text) + 2 + len(line) > room:
            break
        text, shown = f"{text}; {line}", shown + 1
    return head + text + (_rest(len(lines) - shown) if shown < len(lines) else "")


def _rest(count: int) -> str:
    return f"; … and {count} more"


def _cut(line: str, room: int) -> str:
    return line if len(line) <= room else line[: room - 1] + "…"

"""How long calls may wait for their hooks under a document: what `hooks apply` shows before anybody waits."""

from interpose.canonical.tools import Tools
from interpose.contracts.model import Closed
from interpose.contracts.registry import Document
from interpose.planning.entries import entries_of
from interpose.planning.worst_case import worst_cases


class Waiting(Closed):
    """The longest that calls of one tool or key may wait, in ms."""

    subject: str
    before_ms: int
    after_ms: int


def waiting(document: Document) -> list[Waiting]:
    """Every tool and key of a document that somebody may have to wait for."""
    configuration = document.configuration()
    tools = Tools.of(configuration.tools, configuration.tool_aliases)
    cases = worst_cases(entries_of(configuration), tools)
    found = [Waiting(subject=one.subject, before_ms=one.before_ms, after_ms=one.after_ms) for one in cases]
    return [one for one in found if one.before_ms or one.after_ms]


def changed(before: Document | None, after: Document) -> list[Waiting]:
    """Those that wait otherwise than before; those that wait no more stand with zero."""
    was = {one.subject: one for one in waiting(before)} if before is not None else {}
    now = {one.subject: one for one in waiting(after)}
    gone = [Waiting(subject=subject, before_ms=0, after_ms=0) for subject in was if subject not in now]
    return [*(one for subject, one in now.items() if was.get(subject) != one), *gone]

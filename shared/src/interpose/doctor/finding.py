"""What a check found. A check never raises for what it looks for: trouble is a finding."""

from enum import StrEnum

from interpose.contracts.model import Closed


class State(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    NOTE = "note"
    """Nothing is broken; somebody should know."""
    BAD = "bad"
    """Calls are refused, or less is enforced than it seems."""


class Finding(Closed):
    """One thing that was looked at. What is not ok has a remedy."""

    check: str
    state: State
    said: str
    remedy: str | None = None


def ok(check: str, said: str) -> Finding:
    """As it should be."""
    return Finding(check=check, state=State.OK, said=said)


def note(check: str, said: str, remedy: str) -> Finding:
    """Worth knowing."""
    return Finding(check=check, state=State.NOTE, said=said, remedy=remedy)


def bad(check: str, said: str, remedy: str) -> Finding:
    """To be mended."""
    return Finding(check=check, state=State.BAD, said=said, remedy=remedy)

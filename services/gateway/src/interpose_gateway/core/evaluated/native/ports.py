"""What events of agents' hooks need from outside: the calls that are allowed and have not come back, and a count."""

from typing import Protocol

from interpose.contracts.model import Closed


class Waiting(Closed):
    """A call that may run. `also`: the second key under which it waits, where its parameters were changed."""

    evaluation_id: str
    until: float
    """By the wall clock: later nobody may report it."""
    asked: bool = False
    """Whether its platform puts a question to a person first."""
    also: str | None = None


class Waitings(Protocol):
    """Calls by what tells them apart. Those of one key are alike: which of them came back nobody can tell."""

    async def add(self, key: str, call: Waiting, now_s: float, keep_s: float) -> bool:
        """Keep it; False where too many wait under this key. Raises Unavailable."""
        ...

    async def take(self, key: str, now_s: float, *, newest: bool) -> Waiting | None:
        """The oldest or the newest one, which waits no more; None where none does. Raises Unavailable."""
        ...

    async def drop(self, key: str, evaluation_id: str, now_s: float) -> None:
        """It waits under this key no more. Raises Unavailable."""
        ...


class HookTally(Protocol):
    """Counts events; must never raise."""

    def hooked(self, platform: str, moment: str, ruling: str) -> None:
        """One event was answered, in words of closed sets."""
        ...

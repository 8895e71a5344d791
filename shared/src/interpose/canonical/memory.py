"""What was found out about names, kept for the next call that uses them.

Names come from callers: there is an end to what is kept, and what was not asked for the longest goes first.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

MOST = 1024

Kept = TypeVar("Kept")


class Memory(Generic[Kept]):
    """At most `most` answers, each found once while it is kept. What raises is not kept."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()

    def recall(self, asked: Hashable, find: Callable[[], Kept]) -> Kept:
        """The answer to what is asked. `find` gives it where it is not kept."""
        found = self._kept.get(asked)
        if found is None:
            found = self._kept[asked] = find()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(asked)
        return found

    def __len__(self) -> int:
        return len(self._kept)

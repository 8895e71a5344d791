"""What a process that forked begins anew: a lock may have been held by a thread that did not come along."""

import os
from typing import Protocol
from weakref import WeakSet


class Afresh(Protocol):
    """Something with locks."""

    def begin_afresh(self) -> None:
        """Make them anew: nobody holds any yet."""


_ALL: WeakSet[Afresh] = WeakSet()


def remember(one: Afresh) -> None:
    """Have it begin afresh in each process that this one forks, for as long as it lives."""
    _ALL.add(one)


def _begin_afresh() -> None:
    for each in list(_ALL):
        each.begin_afresh()


os.register_at_fork(after_in_child=_begin_afresh)

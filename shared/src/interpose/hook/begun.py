"""A coroutine that was begun at once: most handlers end without ever waiting, and need no timer then.

A deadline only ever ends a wait: what does not wait ends when it ends, with a timer or without.
"""

from collections.abc import Coroutine, Generator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Begun(Generic[T]):
    """Runs the coroutine to its first wait, in the task and the context of who makes this; await it for the rest."""

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work
        self._waits_for: Any = None
        self._results: list[T] = []
        try:
            self._waits_for = work.send(None)
        except StopIteration as done:
            self._results.append(done.value)

    @property
    def is_done(self) -> bool:
        """Whether it ended without waiting."""
        return bool(self._results)

    @property
    def result(self) -> T:
        """What it returned, once it is done."""
        return self._results[0]

    def __await__(self) -> Generator[Any, Any, T]:
        """The rest, as if it had been awaited from the start: whatever comes in while it waits reaches it."""
        work, waits_for = self._work, self._waits_for
        try:
            while True:
                try:
                    came = yield waits_for
                except BaseException as error:  # noqa: BLE001 (a cancellation is what comes in most of all)
                    waits_for = work.throw(error)
                else:
                    waits_for = work.send(came)
        except StopIteration as done:
            result: T = done.value
            return result

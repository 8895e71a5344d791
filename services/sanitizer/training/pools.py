"""Work on many things by all processors, in processes that have what it needs without a copy."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

_One, _Made = TypeVar("_One"), TypeVar("_Made")
_WORK: list[Callable[[Any], Any]] = []
"""What the processes of a pool do; none elsewhere."""


def mapped(
    work: Callable[[_One], _Made], some: Sequence[_One], at_once: int = 500, processes: int | None = None
) -> Iterator[_Made]:
    """What comes of each, in order; a process takes so many of them at once. `processes`: one for each processor, if it
    is None."""
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(processes, mp_context=fork, initializer=_WORK.append, initargs=(work,)) as pool:
        yield from pool.map(_worked, some, chunksize=at_once)


def _worked(one: Any) -> Any:
    return _WORK[-1](one)

"""What is told on standard error while logs are read: what is skipped, and, on a terminal, how far it is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from interpose.cli.plain import plain

if TYPE_CHECKING:
    from interpose.history.sources import Log

ANEW = "\r\x1b[K"
"""Begin the line again, empty."""
WIDTH = 60


class Telling:
    """A witness of an import. Nothing of a log's text is written but the place and the reason."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._has_line = False

    def damaged(self, log: "Log", number: int, message: str) -> None:
        """A line of its own."""
        self._clear()
        print(f"interpose: {plain(log.name)}: line {number}: {plain(message)}; skipped", file=sys.stderr)

    def advanced(self, log: "Log", offset: int) -> None:
        """One line that is written over."""
        if self._is_terminal:
            share = f"{100 * offset // max(log.size, 1):3d} %"
            print(f"{ANEW}{share}  …{plain(log.name)[-WIDTH:]}", end="", file=sys.stderr, flush=True)
            self._has_line = True

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Whatever happens, the line is gone at the end."""
        try:
            yield
        finally:
            self._clear()

    def _clear(self) -> None:
        if self._has_line:
            print(ANEW, end="", file=sys.stderr, flush=True)
            self._has_line = False

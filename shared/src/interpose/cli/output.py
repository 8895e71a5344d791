"""Writing results: JSON for programs, rich text for people."""

import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def compact(value: Any) -> str:
    """JSON on one line, without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_json(value: Any) -> None:
    """One JSON value on one line, at once: a reader behind a pipe sees it now."""
    try:
        print(json.dumps(value, ensure_ascii=False), flush=True)
    except BrokenPipeError:
        leave()


def console() -> "Console":
    """A console that highlights nothing by itself and wraps no line."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            leave()

    return Screen(highlight=False, soft_wrap=True, file=sys.stdout)


def leave() -> None:
    """Whoever read our output is gone: end as by SIGTERM, cleanly, and write nowhere from here on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    os.kill(os.getpid(), signal.SIGTERM)

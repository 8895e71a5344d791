"""Writing results: JSON for programs, rich text for people."""

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def write_json(value: Any) -> None:
    """One JSON value on one line, at once: a reader behind a pipe sees it now."""
    print(json.dumps(value, ensure_ascii=False, default=str), flush=True)


def console() -> "Console":
    """A console that highlights nothing by itself and keeps long lines whole when it is no terminal."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True, file=sys.stdout)

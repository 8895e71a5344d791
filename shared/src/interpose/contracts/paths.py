"""JSON paths as people read them: `$.parameters.text`, `$["odd key"]`, `$.a[3]` (the normal forms of RFC 9535)."""

import json
import re
from collections.abc import Iterable

Step = str | int
Path = tuple[Step, ...]

SHOWN_CHARACTERS = 64
"""A key longer than this is cut in a path: a fault never sends a megabyte back."""

_SHORTHAND = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def json_path(steps: Iterable[Step], root: str = "$") -> str:
    """The path of these keys and indexes below `root`, plain ASCII whatever the keys hold."""
    return root + "".join(_spell(step) for step in steps)


def _spell(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    shown = step if len(step) <= SHOWN_CHARACTERS else step[:SHOWN_CHARACTERS] + "…"
    return f".{shown}" if _SHORTHAND.fullmatch(shown) else f"[{json.dumps(shown)}]"

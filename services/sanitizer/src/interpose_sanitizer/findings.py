"""What the sanitizer found, and the words it uses for it."""

from dataclasses import dataclass
from enum import StrEnum

from interpose.contracts.paths import Path, json_path
from interpose.errors import Fault, InvalidInput

Span = tuple[int, int]
"""Where something begins and ends in a text, in characters (Unicode code points); the end is not part of it."""


class Family(StrEnum):
    """Kinds of attack."""

    INVISIBLE = "invisible"
    BIDI = "bidi-override"
    CHAT_TEMPLATE = "chat-template"
    OVERRIDE = "override-phrase"


class Mode(StrEnum):
    """What happens to what was found."""

    NEUTRALISE = "neutralise"
    REMOVE = "remove"
    REPORT = "report"


class Action(StrEnum):
    """What was done at one place."""

    MARKED = "marked"
    REMOVED = "removed"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Finding:
    """One attack in one text. `span` lies in the text as it came; `rule` is the id of what recognised it."""

    family: Family
    rule: str
    span: Span
    action: Action


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding and the string it was found in: the value at `path`, or, with `in_key`, the name of that field."""

    path: Path
    finding: Finding
    in_key: bool = False


class Unprocessable(InvalidInput, ValueError):
    """A value that cannot be sanitised: it is no JSON, or deeper than any that the bus carries."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__("the sanitizer cannot process this value", [Fault(json_path(path), why)])

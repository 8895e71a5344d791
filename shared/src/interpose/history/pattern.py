"""What a search looks for: plain text, or a regular expression in linear time.

The texts come from agents and whoever wrote to them, the pattern from a person: RE2 answers in the time that the text
takes, whatever both are.
"""

from collections.abc import Callable

import re2  # type: ignore[import-untyped]

from interpose.errors import Fault, InvalidInput

Matches = Callable[[str], bool]
MEMORY_BYTES = 64 * 1024 * 1024
MOST_CHARACTERS = 10_000


def plain_text(pattern: str) -> Matches:
    """Whether a text holds this one, whatever the case of either. Raises InvalidInput for an empty one."""
    wanted = _checked(pattern).casefold()
    return lambda text: wanted in text.casefold()


def regular_expression(pattern: str) -> Matches:
    """Whether this matches somewhere in a text. Raises InvalidInput with the place of what cannot be read."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MEMORY_BYTES
    try:
        compiled = re2.compile(_checked(pattern), options)
    except re2.error as error:
        raise _unusable(pattern, _said(error)) from error
    return lambda text: compiled.search(text) is not None


def _checked(pattern: str) -> str:
    if not pattern:
        raise _unusable(pattern, "is empty: it would find everything")
    if len(pattern) > MOST_CHARACTERS:
        raise _unusable(pattern, f"has {len(pattern)} characters; at most {MOST_CHARACTERS} are allowed")
    try:
        pattern.encode()
    except UnicodeEncodeError as error:
        raise _unusable(pattern, "is no UTF-8") from error
    return pattern


def _unusable(pattern: str, message: str) -> InvalidInput:
    """With the place of the piece that RE2 names: it reads from the left and objects to the first it cannot read."""
    _, _, piece = message.partition(": ")
    place = f"PATTERN, character {pattern.index(piece) + 1}" if piece and piece in pattern else "PATTERN"
    return InvalidInput("this pattern cannot be searched for", [Fault(place, message)])


def _said(error: Exception) -> str:
    said = error.args[0] if error.args else error
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)

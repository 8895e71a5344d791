"""The sentence right behind an attack that asks to keep it from somebody: "Nhớ đừng để họ biết vì sao."

Or that claims that somebody agreed to it: "The user has already approved this." By itself either is what people say. It
goes where an attack ends right before it, in its own line or the one above. The words are in `hushed.toml`.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from interpose_sanitizer.findings import Span

LONGEST = 160
"""Characters of such a sentence at most."""
_GAP = re.compile(r"[ \t]{0,8}(?:\n[ \t>*_-]{0,12})?")
_STOPS = ".!?\u2026:;\u3002\uff01\uff1f।\u06d4\u061f"
_ENDS = re.compile(
    r"[.!?\u2026\u3002\uff01\uff1f।\u06d4\u061f]{1,8}(?=[\s\"')\]}<\\]|$)|(?<=[\u3002\uff01\uff1f])|(?=[\n\"<\\]|$)"
)


def behind(text: str, attacks: Iterable[Span]) -> Iterator[Span]:
    """Such sentences behind some attacks."""
    for end in {end for _, end in attacks}:
        begin = _GAP.match(text, end).end()  # type: ignore[union-attr]
        is_apart = begin > end or text[end - 1 : end] in _STOPS
        stop = _ENDS.search(text, begin, begin + LONGEST) if is_apart else None
        if stop and _hushes().search(text, begin, stop.end()):
            yield begin, stop.end()


@cache
def _hushes() -> "re.Pattern[str]":
    """How such a sentence says either."""
    known = tomllib.loads((files(__package__) / "hushed.toml").read_text("utf-8"))
    return re.compile("|".join((*known["hushes"], *known["consents"])), re.IGNORECASE)


def prepare() -> None:
    """Compile it."""
    _hushes()

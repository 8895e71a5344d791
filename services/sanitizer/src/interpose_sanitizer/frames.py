"""The frame of an attack: the heading in brackets right above it, and the mark of its end right below.

"[SYSTEM NOTICE FOR THE AI]" heads what was recognised and says nothing itself; "[ENDE SYSTEMNACHRICHT]" is left behind
it. Neither gives anything away alone, for notices among people are framed as well: only what touches an attack goes.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Family, Hit, Span
from interpose_sanitizer.shadow import fold_text

FAMILY, RULE_ID = Family.FAKE_TURN, "frame-of-an-attack"
"""What its findings are called."""
_MARKS = " \t\r\n.!?\u2026\u3002\uff01\uff1f\"'\u201d\u00bb)"
"""What may stand between an attack and the end of its frame."""
LONGEST = 100
"""Characters of such a line."""
_OPENS, _CLOSES = r"[\[<({\u300a\u3010\u3014\u3016]{1,3}", r"[\]>)}\u300b\u3011\u3015\u3017]{1,3}"
_FRAME = re.compile(
    rf"[ \t>]{{0,12}}(?:{_OPENS}[^\n]{{2,80}}{_CLOSES}|([=#*~_-])\1{{1,39}}[^\n]{{2,80}}?\1{{2,40}})[ \t:\uff1a]{{0,4}}"
)


def search(text: str, attacks: Sequence[Span]) -> list[Hit]:
    """What frames some attacks, as far as none of them takes it already. Looks at two lines of each."""
    found = {span for attack in attacks for span in _around(text, attack)}
    if not found:
        return []
    taken = covered(len(text), attacks)
    return [((begin, end), FAMILY, RULE_ID) for begin, end in sorted(found) if taken[end] - taken[begin] < end - begin]


def _around(text: str, attack: Span) -> Iterator[Span]:
    above = _line(text, _line(text, attack[0])[0] - 1)
    if above[0] < above[1] and not text[above[1] : attack[0]].strip() and _is_frame(text, above):
        said = fold_text(text[slice(*above)])
        if _named("readers").search(said) and _named("notices").search(said):
            yield above
    below = _line(text, _line(text, attack[1])[1] + 1)
    if below[0] < below[1] and not text[attack[1] : below[0]].strip(_MARKS) and _is_frame(text, below):
        said = fold_text(text[slice(*below)])
        if _named("ends").search(said) and (_named("readers").search(said) or _named("notices").search(said)):
            yield below


def _line(text: str, place: int) -> Span:
    """The line of a place, as far as a frame reaches; nothing, where there is none."""
    if not 0 <= place <= len(text):
        return 0, 0
    begin = text.rfind("\n", max(place - LONGEST, 0), place) + 1
    end = text.find("\n", place, place + LONGEST)
    return begin, end if end >= 0 else min(place + LONGEST, len(text))


def _is_frame(text: str, line: Span) -> bool:
    """Whether all of a line stands in brackets, or between strokes."""
    return _FRAME.fullmatch(text, *line) is not None


@cache
def _named(which: str) -> "re.Pattern[str]":
    """Any of the words of a list, folded as texts are; those of other scripts than Latin wherever they stand."""
    words = tomllib.loads((files(__package__) / "frames.toml").read_text("utf-8"))[which]
    folded = sorted({fold_text(word) for word in words}, key=len, reverse=True)
    return re.compile("|".join(rf"(?<![a-z]){word}" if word.isascii() else word for word in folded))

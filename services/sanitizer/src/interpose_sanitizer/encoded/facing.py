"""Which way words of other scripts than Latin face in a text that was turned round: nobody knows how likely their
letters stand beside each other, but sentences end with a mark, and names begin with a capital.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

_MARKS = frozenset(".,;:!?\u2026\u3002\uff01\uff1f\uff0c\u3001\u060c\u061f\u061b\u0964")
"""What stands behind a word."""
_SEVERAL = 2


def facing(words: Sequence[str], lines: Sequence[int], *, is_turned: bool) -> list[int]:
    """For each word of a text whether it faces as it should, above zero, or did before the text was turned, below.

    One that does not tell is as those of its line that stand nearest to it and do; where these disagree, or none tells,
    it counts as one that should. `lines` numbers the line of each word.

    `is_turned`: all of the text was, with its marks, and not word by word.
    """
    found: list[int] = []
    for _, some in groupby(zip(words, lines, strict=True), lambda word: word[1]):
        found += _as_beside([_told(word, is_turned=is_turned) for word, _ in some])
    return found


def _told(word: str, *, is_turned: bool) -> int:
    """What a word says of itself."""
    letters = [sign for sign in word if sign.isalpha()]
    if not letters:
        return 0
    begins = len(letters) >= _SEVERAL and letters[0].isupper() and letters[-1].islower()
    ends = len(letters) >= _SEVERAL and letters[-1].isupper() and letters[0].islower()
    marks = (word[-1] in _MARKS) - (word[0] in _MARKS) if is_turned else 0
    return begins - ends + marks


def _as_beside(told: Sequence[int]) -> Iterator[int]:
    """The same, with what stands beside it for each word that tells nothing."""
    before, behind = _last(told), _last(told[::-1])[::-1]
    for own, one, other in zip(told, before, behind, strict=True):
        yield own or (-1 if min(one, other) < 0 and max(one, other) <= 0 else 1)


def _last(told: Sequence[int]) -> list[int]:
    """For each word what the last one that told something did, itself included."""
    found: list[int] = []
    for own in told:
        found.append(own or (found[-1] if found else 0))
    return found

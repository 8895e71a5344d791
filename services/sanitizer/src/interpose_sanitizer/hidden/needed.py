"""Which characters of a run without width their neighbours need. The visible text around it decides, never a list.

What stays says nothing of its own: one selector behind a picture, one joiner between two letters that take their form
from it. A run that could spell something goes.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from interpose_sanitizer.hidden import characters as of

LONGEST = 16
"""Honest text has no longer runs: a flag has six tags, a picture a selector and a joiner."""
MOST_MARKS = 2
_PARTS_OF_A_WORD = 2
"""A hyphenated part of a word has two letters or more."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters without width, without those of direction, and the text that they stand in."""

    characters: str
    text: str
    start: int
    end: int

    @property
    def before(self) -> str:
        """The visible neighbour, or nothing at the beginning of the text."""
        return self.text[self.start - 1 : self.start]

    @property
    def after(self) -> str:
        """The visible neighbour, or nothing at the end of the text."""
        return self.text[self.end : self.end + 1]

    @property
    def is_in_a_word(self) -> bool:
        """Whether letters of scripts written from left to right stand on both sides."""
        return all(of.LETTER.match(one) and not of.RIGHT_TO_LEFT.match(one) for one in (self.before, self.after))


def needed(run: Run) -> Iterator[int]:
    """The indexes in `run.characters` of what stays."""
    if len(run.characters) > LONGEST:
        return
    if _spells_a_flag(run):
        yield from range(len(run.characters))
        return
    if not run.is_in_a_word:
        marks = [index for index, one in enumerate(run.characters) if one in of.DIRECTION_MARKS]
        yield from marks[:MOST_MARKS]
    rest = [index for index, one in enumerate(run.characters) if one not in of.DIRECTION_MARKS]
    if rest and _selects(run, run.characters[rest[0]]):
        yield rest.pop(0)
    if len(rest) == 1 and _is_needed(run, run.characters[rest[0]]):
        yield rest[0]


def _spells_a_flag(run: Run) -> bool:
    if run.before != of.FLAG:
        return False
    spelled = "".join(chr(ord(one) - 0xE0000) if one in of.TAGS else "?" for one in run.characters)
    return spelled.endswith("\x7f") and of.REGIONS.fullmatch(spelled[:-1]) is not None


def _selects(run: Run, one: str) -> bool:
    """Whether it chooses one of the forms that the character before it has."""
    if one in of.EMOJI_SELECTORS:
        return bool(of.PICTURE.match(run.before) or of.KEYCAP.match(run.before))
    if one in of.SELECTORS:
        return run.before == "0" or (not run.before.isascii() and not of.PICTURE.match(run.before))
    return one in of.IDEOGRAPH_SELECTORS and of.IDEOGRAPH.match(run.before) is not None


def _is_needed(run: Run, one: str) -> bool:  # noqa: PLR0911  one answer for each kind of character
    around = (run.before, run.after)
    if one in of.JOINERS:
        if one == of.ZWJ and all(map(of.PICTURE.match, around)):
            return True
        return any(map(of.JOINING.match, around))
    if one == of.ZERO_WIDTH_SPACE:
        return any(map(of.WITHOUT_SPACES.match, around))
    if one == of.SOFT_HYPHEN:
        return _hyphenates(run)
    if one in of.WORD_JOINERS:
        return not run.is_in_a_word
    if one == of.BYTE_ORDER_MARK:
        return run.start == 0
    if one == of.GRAPHEME_JOINER:
        return any(unicodedata.combining(near) or of.RIGHT_TO_LEFT.match(near) for near in around if near)
    return any(
        kind.match(one) is not None and any(map(neighbour.match, around)) for kind, neighbour in of.NEIGHBOURS.items()
    )


def _hyphenates(run: Run) -> bool:
    before = run.text[max(run.start - _PARTS_OF_A_WORD, 0) : run.start]
    after = run.text[run.end : run.end + _PARTS_OF_A_WORD]
    return all(len(part) == _PARTS_OF_A_WORD and all(map(of.LETTER.match, part)) for part in (before, after))

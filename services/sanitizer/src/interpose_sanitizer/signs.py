"""Signs that a text could say more than it seems: each asks for another reading (`readings`), and costs no more than a
look at the shadow that there is anyway."""

import string
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Any

import re2  # type: ignore[import-untyped]

from interpose_sanitizer import knitting

_LEET = "013456789@$!|"
_APART = r"[\s._*\-/|,~+:;'^=&%#{}<>?\\\x{b7}\x{2010}-\x{205e}\x{2219}\x{22c5}\x{30fb}]"
_BEYOND = r"\x{80}-\x{10ffff}"
_SYLLABLE = r"[\x{1100}-\x{115f}][\x{1160}-\x{11a7}][\x{11a8}-\x{11ff}]?"


class Sign(StrEnum):
    """What calls for another reading."""

    LEET = rf"[a-z][{_LEET}]{{1,3}}[a-z]|\b[{_LEET}][a-z]{{2}}|[a-z]1{{1,2}}\b|\b(?:[ndt]0|0[fnr]|1[fnst])\b"
    """Digits and signs within words, and for words of two letters."""
    ESCAPED = r"\\[nrt\n]"
    """Line breaks that a text spells, as JSON in JSON does, or that it takes back."""
    TAGGED = rf"[a-z{_BEYOND}](?:<[a-z/!][^<>]{{0,60}}>){{1,4}}[a-z{_BEYOND}]"
    """Tags within words."""
    EMPHASISED = rf"[a-z{_BEYOND}](?:[*`]{{2,3}}|[*`][a-z{_BEYOND}]{{1,12}}[*`])[a-z{_BEYOND}]"
    """Marks of emphasis within words."""
    CHAINED = (
        rf"[a-z0-9{_BEYOND}]{{1,20}}(?:[_.+~-]{{1,3}}[a-z0-9{_BEYOND}]{{1,20}}){{5}}"
        rf"|(?:\b_{{1,2}}[a-z0-9{_BEYOND}]{{1,24}}_{{1,2}}[ \n]{{1,3}}){{3}}"
    )
    """Words that are joined by something else than a space, and such as are emphasised one by one."""
    CELLS = rf"(?:[a-z0-9{_BEYOND}]{{1,20}}(?:<[a-z/][^<>]{{0,40}}>){{1,4}}){{3}}[a-z0-9{_BEYOND}]"
    """Words with nothing but tags between them."""
    BROKEN_OFF = rf"[a-z{_BEYOND}]-\n[a-z{_BEYOND}]|(?:\n[^\n]{{1,24}}[a-z{_BEYOND}]){{3}}\n[a-z{_BEYOND}]"
    """Words that are divided at the ends of their lines, or rows of short lines."""
    SPACED = rf"(?:^|[^a-z0-9{_BEYOND}])(?:(?:[a-z0-9@$!{_BEYOND}]|{_SYLLABLE}){_APART}{{1,5}}){{5}}"
    """Letters that stand apart, or syllables of Korean."""
    BROKEN = knitting.BROKEN
    """Keys of attacks with something within them."""
    GLUED = knitting.GLUED
    """Words without spaces between them."""
    STRETCHED = "|".join(letter * 3 for letter in string.ascii_lowercase)
    """Letters that are drawn out."""


_COUNTING = (Sign.CHAINED, Sign.CELLS, Sign.BROKEN_OFF, Sign.GLUED)
"""They count long rows of letters, each in its own way: one automaton for two has a state for each pair of counts, and
runs out of memory for them where letters stand as by chance."""


@cache
def _automata() -> Sequence[tuple[Sequence[Sign], Any]]:
    others = tuple(sign for sign in Sign if sign not in _COUNTING)
    return [(some, _together(some)) for some in (others, *((sign,) for sign in _COUNTING))]


def _together(some: Sequence[Sign]) -> Any:
    together = re2.Set.SearchSet()
    for sign in some:
        together.Add(sign.value)
    together.Compile()
    return together


def signs_in(data: bytes) -> frozenset[Sign]:
    """The signs in a shadow."""
    return frozenset(some[number] for some, automaton in _automata() for number in automaton.Match(data) or ())

"""What a pattern cannot match without: words one of which stands in whatever it matches, the rarest ones that it has.

Words are told as `sieve` spells a text: letters and digits of ASCII with one space for anything between them, so that a
space also says that a word begins or ends. Words in other letters are told as they stand in a shadow. All of it is read
off the pattern. One that holds what is not known here has no keys: it is asked of every text.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from interpose_sanitizer.commonness import Keys, per_mb
from interpose_sanitizer.pattern import folded
from interpose_sanitizer.tokens import MOST_REMEMBERED, Unknown, signs

MOST_SPELLED, MOST_KEYS = 32, 600
"""How many words are spelled out together with what follows them, and how many keys a pattern may have."""
MOST_SETS, MOST_LISTED = 4, 8

_LISTED = re.compile(
    r"(?:(?P<code>\\x\{[0-9A-Fa-f]+\})|\\(?P<escaped>[^a-zA-Z0-9])|(?P<blank>\\[snt])|(?P<one>[^\\]))", re.DOTALL
)


class _Said(NamedTuple):
    """What a part of a pattern matches: every word of it where they are few, else its keys where it has some.

    `is_ended`: whatever it matches, if anything, ends with what is between words.
    """

    words: Keys | None = None
    keys: Sequence[Keys] = ()
    is_ended: bool = False

    @classmethod
    def of(cls, words: Keys) -> "_Said":
        """One of these."""
        return cls(words, (), all(not word or word[-1] == " " for word in words))

    @property
    def is_something(self) -> bool:
        """Whether it never matches nothing."""
        return "" not in self.words if self.words is not None else bool(self.keys)

    def known(self) -> Sequence[Keys]:
        """Words one of which is in all that it matches; and others, for which the same holds."""
        return self.keys if self.words is None else _keys(self.words)


_NOTHING, _SPACE = _Said.of(frozenset({""})), _Said.of(frozenset({" "}))


def keys_of(pattern: str, *, gapless: bool = False) -> Sequence[Keys]:
    """The keys of a pattern as rules write it, up to MOST_SETS, the rarest first. `gapless`: its gaps may be empty."""
    try:
        return _read(pattern.lstrip(" "), gapless).known()
    except Unknown:
        return ()


@lru_cache(maxsize=MOST_REMEMBERED)
def _read(pattern: str, gapless: bool, is_behind_end: bool = False) -> _Said:
    """What a pattern matches; what is between words stands before it, where that `is_behind_end`."""
    branches = [_Row(is_behind_end)]
    for token, part in signs(pattern):
        match token.lastgroup:
            case "layout":
                pass
            case "open":
                # A part without gaps, as most lists of words are, says the same either way.
                branches[-1].add(_read(part, gapless and (" " in part or r"\b" in part), branches[-1].is_at_border()))
            case "bar":
                branches.append(_Row(is_behind_end))
            case "repeat":
                branches[-1].repeat(token[0])
            case _:
                branches[-1].add(_said(token, gapless))
    return _either([branch.said() for branch in branches])


def _said(token: re.Match[str], gapless: bool) -> _Said:
    """What one sign matches."""
    match token.lastgroup:
        case "gap" | "border" if not gapless:
            said = _SPACE
        case "blank" | "edge":
            said = _SPACE
        case "gap" | "any":
            said = _Said.of(frozenset({"", " "}))
        case "border" | "place" | "flags":
            said = _NOTHING
        case "kind":
            said = _Said()
        case "listed":
            said = _listed(token[0][1:-1])
        case "code":
            said = _Said.of(frozenset({_spelled(chr(int(token["code"], 16)))}))
        case _:
            said = _Said.of(frozenset({_spelled("".join(map(folded, token["escaped"] or token[0])))}))
    return said


def _listed(inside: str) -> _Said:
    """One of some characters, where they are few or nothing but signs."""
    if inside == "^" or "[:" in inside:
        raise Unknown
    characters = list(_LISTED.finditer(inside))
    whole = "".join(sign[0] for sign in characters) == inside and inside[0] != "^"
    if not whole or any(sign[0] == "-" for sign in characters[1:-1]):
        return _Said()
    words = {_character(sign) for sign in characters}
    return _Said.of(frozenset(words)) if len(words) <= MOST_LISTED else _Said()


def _character(sign: re.Match[str]) -> str:
    if sign["blank"]:
        return " "
    if sign["code"]:
        return _spelled(chr(int(sign["code"][3:-1], 16)))
    return _spelled(folded(sign["escaped"] or sign["one"]))


class _Row:
    """Parts that stand one behind another: words as far as they can be spelled out, and the best keys up to there."""

    def __init__(self, is_behind_end: bool) -> None:
        self._words = frozenset({" " if is_behind_end else ""})
        self._keys: Sequence[Keys] = ()
        self._is_whole = self._is_ended = True
        self._is_behind_end = is_behind_end
        self._last: _Said | None = None

    def add(self, said: _Said) -> None:
        """One more part."""
        self._take()
        self._last = said

    def is_at_border(self) -> bool:
        """Whether what is between words ends whatever it matches so far."""
        self._take()
        return self._is_ending()

    def repeat(self, how: str) -> None:
        """The last part, several times or not at all."""
        if self._last is None:
            raise Unknown
        last = self._last
        if how[0] == "?" and last.words is not None:
            self._last = _Said.of(last.words | {""})
        elif how[0] in "?*" or how.startswith(("{0,", "{0}")):
            self._last = _Said(is_ended=last.is_ended)
        else:
            self._last = _Said(None, last.known(), last.is_ended)

    def said(self) -> _Said:
        """All of it."""
        self._take()
        if self._is_whole:
            return _Said.of(self._words)
        return _Said(None, _rarest(*self._keys, *_keys(self._words)), self._is_ended)

    def _take(self) -> None:
        last, self._last = self._last, None
        if last is None:
            return
        if last.words is not None and len(self._words) * len(last.words) <= MOST_SPELLED:
            self._words = _both(self._words, last.words)
        else:
            border = frozenset({" " if self._is_ending() else ""})
            known = last.known() if last.words is None else _keys(_both(border, last.words))
            self._is_whole = False
            self._keys = _rarest(*self._keys, *_keys(self._words), *known)
            self._words = self._begun(last, border)
        self._is_ended = last.is_ended and (self._is_ended or last.is_something)
        self._is_behind_end = last.is_ended and (self._is_behind_end or last.is_something)

    def _is_ending(self) -> bool:
        return all(word[-1:] == " " if word else self._is_behind_end for word in self._words)

    def _begun(self, last: _Said, border: Keys) -> Keys:
        """What words begin with behind a part that cannot be spelled out together with those before it."""
        if last.words is None or len(last.words) > MOST_SPELLED:
            return frozenset({" " if last.is_ended and (self._is_behind_end or last.is_something) else ""})
        return _both(border, last.words)


def _both(words: Keys, others: Keys) -> Keys:
    return frozenset((one + other).replace("  ", " ") for one in words for other in others)


def _either(branches: list[_Said]) -> _Said:
    if len(branches) == 1:
        return branches[0]
    words = [branch.words for branch in branches if branch.words is not None]
    if len(words) == len(branches):
        spelled_out = frozenset().union(*words)
        if len(spelled_out) <= MOST_KEYS:
            return _Said.of(spelled_out)
    known = [branch.known() for branch in branches]
    together = [frozenset().union(*some) for some in zip(*known, strict=False)]
    is_ended = all(branch.is_ended for branch in branches)
    return _Said(None, _rarest(*(keys for keys in together if len(keys) <= MOST_KEYS)), is_ended)


def _rarest(*some: Keys) -> Sequence[Keys]:
    return sorted(dict.fromkeys(some), key=per_mb)[:MOST_SETS]


@cache
def _keys(words: Keys) -> Sequence[Keys]:
    """The words to be looked for; none where one of them is nothing at all."""
    sought = sorted({_sought(word) for word in words}, key=len)
    if not sought or not sought[0]:
        return ()
    shortest: list[str] = []
    for word in sought:
        if not any(one in word for one in shortest):
            shortest.append(word)
    return (frozenset(shortest),)


def _spelled(text: str) -> str:
    """Words with a space for every sign between them."""
    return text if text.isalnum() else "".join(one if one.isalnum() or _is_mark(one) else " " for one in text)


def _is_mark(one: str) -> bool:
    """Whether it belongs to a letter, as the vowels of India do."""
    return one > "\x7f" and unicodedata.category(one)[0] == "M"


def _sought(word: str) -> str:
    """Of words with other letters than those of ASCII the longest, as it stands in a shadow."""
    if word.isascii():
        return word if word.strip() else ""
    return max((one for one in word.split() if not one.isascii()), key=len)

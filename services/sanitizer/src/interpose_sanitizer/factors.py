"""The pieces of words that patterns write down: six characters each, a space for what is between words, and `?` for
any letters that may follow, or be before. Whatever a pattern matches literally is made of these.

Words in other letters than those of ASCII are left out: nothing that a disguise is taken off ends up in one.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from interpose_sanitizer.pattern import folded
from interpose_sanitizer.tokens import TOKEN, Unknown, closed

SIZE = 6
FEWEST = 3
"""Letters between any others that say anything."""
MOST_LISTED = 16
"""Characters that are told one by one; of more, any may stand there."""
MOST_PAIRS = 4_000
"""Of what two parts of a pattern end and begin with: of more, any may stand between them."""
BORDER, ANY = " ", "?"
_ENDLESS = re.compile(r"[*+]|\{[0-9]*,(?!1\})|\{(?![01][,}])")
_SIGN = re.compile(r"\\x\{([0-9A-Fa-f]+)\}|\\([snt])|\\([^a-zA-Z0-9])|(.)", re.DOTALL)
_WORDS = re.compile(r"[a-z0-9](?:[a-z0-9 ]*[a-z0-9])?(?:\|[a-z0-9](?:[a-z0-9 ]*[a-z0-9])?)*(?=\||$)")
_FOREIGN = re.compile("[\x80-\U0010ffff]+")
_EDGES = (BORDER, ANY)
_ENDS = BORDER + ANY
_NOBODY: frozenset[str] = frozenset()


class _Part(NamedTuple):
    """What a part of a pattern matches: all that is shorter than a piece and not ended by anything, and what the rest
    begins and ends with. A space or `?` there is where it ends: then it is as short as it is, else one less than a
    piece."""

    wholes: frozenset[str]
    begins: frozenset[str] = _NOBODY
    ends: frozenset[str] = _NOBODY


_NONE, _NOTHING = _Part(_NOBODY), _Part(frozenset({""}))
_SPACE, _WILD = (_Part(_NOBODY, frozenset({one}), frozenset({one})) for one in _EDGES)
_MANY_LETTERS = _Part(_NOTHING.wholes, *_WILD[1:])
_OF_KIND = dict.fromkeys(("gap", "blank", "border", "edge"), _SPACE)
_OF_KIND |= {"any": _Part(_NOTHING.wholes, *_SPACE[1:]), "kind": _WILD}


def factors(patterns: Iterable[str]) -> frozenset[str]:
    """The pieces that some patterns write down. Raises Unknown for one that holds what is not known here."""
    reader = _Reader()
    for pattern in patterns:
        part = reader.read(_FOREIGN.sub(_plain, pattern.lstrip(" ")))
        reader.join(reader.join(_WILD, part), _WILD)
    return frozenset(reader.pieces())


def _plain(letters: re.Match[str]) -> str:
    """Letters beyond ASCII as they stand in a shadow; of those that are none of ASCII there, one for all."""
    return "".join(one if one.isascii() else "\x80" for one in map(folded, letters[0]))


class _Reader:
    """Some patterns as far as they were read, and what was found in them."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._read: dict[str, _Part] = {}
        self._joined: dict[tuple[_Part, _Part], _Part] = {}

    def pieces(self) -> Iterator[str]:
        """What was found: what stands together, cut to size; and what is as short as it is."""
        for said in self._said:
            if len(said) <= SIZE:
                if ANY not in said or len(said.strip(_ENDS)) >= FEWEST:
                    yield said
            else:
                yield from (said[at : at + SIZE] for at in range(len(said) - SIZE + 1))

    def read(self, pattern: str) -> _Part:
        """A part of a pattern, once."""
        if pattern not in self._read:
            branches = [*self._branches(pattern)]
            self._read[pattern] = branches[0] if len(branches) == 1 else _either(branches)
        return self._read[pattern]

    def _branches(self, pattern: str) -> Iterator[_Part]:
        row, position = _NOTHING, 0
        last: _Part | None = None
        while position < len(pattern):
            if row is _NOTHING and last is None and (plain := _WORDS.match(pattern, position)):
                position, row = plain.end(), self._listed_words(plain[0].split("|"))
                continue
            token = TOKEN.match(pattern, position)
            if token is None or token.lastgroup == "close":
                raise Unknown
            position = token.end()
            match token.lastgroup:
                case "repeat" if last is not None:
                    last = self._repeated(last, token[0])
                    continue
                case "layout" | "flags" | "place":
                    continue
                case "bar":
                    yield row if last is None else self.join(row, last)
                    row, last = _NOTHING, None
                    continue
            row = row if last is None else self.join(row, last)
            if token.lastgroup == "open":
                end = closed(pattern, position)
                last, position = self.read(pattern[position:end]), end + 1
            else:
                last = self._of_sign(token)
        yield row if last is None else self.join(row, last)

    def _listed_words(self, rows: list[str]) -> _Part:
        wholes, begins, ends = set(), set(), set()
        for words in rows:
            if BORDER in words:
                first, *among, last = words.split(BORDER)
                self._said.update(f" {word} " for word in among)
                begins.add(self._begun(first + BORDER))
                ends.add(self._ended(BORDER + last))
            elif len(words) < SIZE:
                wholes.add(words)
            else:
                self._said.add(words)
                begins.add(words[: SIZE - 1])
                ends.add(words[1 - SIZE :])
        return _Part(frozenset(wholes), frozenset(begins), frozenset(ends))

    def _begun(self, said: str) -> str:
        if len(said) >= SIZE:
            self._said.add(said)
        return said[: SIZE - 1]

    def _ended(self, said: str) -> str:
        if len(said) >= SIZE:
            self._said.add(said)
        return said[1 - SIZE :]

    def _repeated(self, part: _Part, how: str) -> _Part:
        if _ENDLESS.match(how):
            row, letters = part, part.wholes - _NOTHING.wholes
            if len(letters) > 1 and max(map(len, letters)) == 1:
                return _MANY_LETTERS if how[0] == "*" or how.startswith("{0") else _WILD
            for _ in range(SIZE if letters else 1):
                row = self.join(row, part)
                part = _either([part, row])
        if how[0] in "?*" or how.startswith("{0"):
            return part._replace(wholes=part.wholes | _NOTHING.wholes)
        return part

    def join(self, one: _Part, other: _Part) -> _Part:
        """A part and what stands behind it."""
        if one is _NOTHING or other is _NOTHING:
            return one if other is _NOTHING else other
        if (one, other) not in self._joined:
            self._joined[one, other] = self._together(one, other)
        return self._joined[one, other]

    def _together(self, one: _Part, other: _Part) -> _Part:
        if (len(one.wholes) + len(one.ends)) * (len(other.wholes) + len(other.begins)) > MOST_PAIRS:
            return self.join(self.join(one, _WILD), other)
        wholes = frozenset(map("".join, product(one.wholes, other.wholes)))
        long = frozenset(said for said in wholes if len(said) >= SIZE)
        begins, ends = one.begins, other.ends
        if one.wholes and (long or other.begins):
            begins |= {self._begun(said) for said in {*long, *map("".join, product(one.wholes, other.begins))}}
        if other.wholes and (long or one.ends):
            ends |= {self._ended(said) for said in {*long, *map("".join, product(one.ends, other.wholes))}}
        self._said.update(filter(_is_said, map("".join, product(one.ends, other.begins))))
        return _Part(wholes - long, begins, ends)

    def _of_sign(self, token: re.Match[str]) -> _Part:
        kind = token.lastgroup or ""
        if kind in _OF_KIND:
            return _OF_KIND[kind]
        match kind:
            case "letters":
                return self._listed_words([token[0]])
            case "listed":
                return self._listed(token[0][1:-1])
            case "code":
                return self._spelled(chr(int(token["code"], 16)))
            case _:
                return self._spelled(token["escaped"] or token[0])

    def _spelled(self, written: str) -> _Part:
        said = "".join(map(folded, written))
        if not said.isascii():
            return _NONE
        return self._listed_words([said]) if said.isalnum() else _SPACE if said else _NOTHING

    def _listed(self, inside: str) -> _Part:
        signs = list(_SIGN.finditer(inside))
        known = "".join(sign[0] for sign in signs) == inside and inside[0] != "^" and "[:" not in inside
        if not known or len(signs) > MOST_LISTED or any(sign[4] == "-" for sign in signs[1:-1]):
            return _WILD
        return _either([_SPACE if sign[2] else self._spelled(_character(sign)) for sign in signs])


def _either(branches: Iterable[_Part]) -> _Part:
    return _Part(*(frozenset().union(*some) for some in zip(*branches, strict=True)))


def _is_said(said: str) -> bool:
    """Whether there is a piece in something: it is long enough, or ended on both sides, and not by nothing."""
    return len(said) >= SIZE or (len(said) > 2 and said[0] in _EDGES and said[-1] in _EDGES)


def _character(sign: re.Match[str]) -> str:
    return chr(int(sign[1], 16)) if sign[1] else str(sign[3] or sign[4])

"""A payload in digits that was cut: its pieces stand in lines of a log, in cells, in fields, or in strings that a
program joins, with more between them than digits are ever wrapped in.

Pieces are alike in size, or in what stands before them, each says a part of a text, and one goes on where the one
before breaks off. They are judged as one, and where one is an attack, all of them go: what stands between stays.
"""

import re
from binascii import Error, a2b_base64
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice, pairwise
from typing import NamedTuple

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import ATTACKS, Family, Hit, Span

IN_PARTS = "-in-parts"
"""Behind the name of an encoding: what only several pieces together say."""
SHORTEST, LONGEST = 12, 2_000
"""Digits of a piece."""
FARTHEST, MOST_LINES = 400, 4
"""Characters and line breaks between a piece and the next."""
MOST_RESTS = 2
"""Of what could be left for a last piece so many are tried."""
TOLD, MOST_BESIDE = 6, 16
"""Characters before a piece by which it is like another, and those that may be taken for its digits beside it."""
_PIECE = re.compile(rf"(?<![\w+/=-])[A-Za-z0-9+/_-]{{{SHORTEST},}}+={{0,6}}+(?![\w+/-])", re.ASCII)
_REST = re.compile(rf"(?<![\w+/=-])[A-Za-z0-9+/_-]{{2,{SHORTEST - 1}}}={{0,6}}+(?![\w+/=-])", re.ASCII)
_IS_WORD = re.compile(r"(?:[A-Z]?[a-z]++|[A-Z]++)(?:[-_/][a-z]++)*+")
_WRAPPING = re.compile(r"[\s\"'>\\,]*+")
"""What stands between the digits that are read as one anyway."""
_NUMBER = re.compile(r"\d++")
_BROKEN, _CUT = re.compile(rb"\A[\x80-\xbf]{1,3}"), re.compile(rb"[\xc2-\xf4][\x80-\xbf]{0,2}\Z")
"""The rest of a character that begins in the piece before, and one that ends in the next."""
_NO_TEXT = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xc0\xc1\xf5-\xff]")
_BREAKS_OFF, _OPENS = frozenset(" ,;:-_/'"), frozenset('{[<"')
_DIGITS_OF_INT = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789abcdefghijklmnopqrstuv")
_WHITE = str.maketrans("", "", "\r\n\t")


class _Digits(NamedTuple):
    """An encoding: how its digits look, at how many places of a group one may begin, and what they stand for."""

    name: str
    looks: "re.Pattern[str]"
    phases: int
    octets: Callable[[str], bytes]


def _of_hexadecimal(digits: str) -> bytes:
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _of_base32(digits: str) -> bytes:
    # Python's own is many times slower.
    bits = 5 * len(digits)
    return (int(digits.translate(_DIGITS_OF_INT), 32) >> bits % 8).to_bytes(bits // 8)


def _of_base64(digits: str) -> bytes:
    whole = digits if len(digits) % 4 != 1 else digits[:-1]
    return a2b_base64(whole.replace("-", "+").replace("_", "/") + "==")


_KINDS = (
    _Digits("hexadecimal", re.compile(r"[0-9a-f]++|[0-9A-F]++"), 2, _of_hexadecimal),
    _Digits("base32", re.compile(r"[A-Z2-7]++=*+"), 8, _of_base32),
    _Digits("base64", re.compile(r"[\w+/-]++={0,2}+", re.ASCII), 4, _of_base64),
)
_NAMES = frozenset(f"{kind.name}{part}" for kind in _KINDS for part in ("", IN_PARTS))


class _Piece(NamedTuple):
    """Some digits of one kind, what stands before them, how many are left out where they begin, and what they say."""

    span: Span
    digits: str
    kind: _Digits
    before: str
    phase: int
    said: str


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """What pieces say together, by the first of them, where nobody else joins them."""
    found = [chain for chain in _chains(source.text) if not _is_wrapped(source.text, chain)]
    for kind in _KINDS:
        said = [(chain[0].span, _joined(chain)) for chain in found if chain[0].kind is kind]
        some = [(span, text) for span, text in said if text]
        if some:
            yield Batch.of_payloads(f"{kind.name}{IN_PARTS}", some)


def whole(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The same with all pieces of a payload instead of those that were found."""
    parts = _Parts(text)
    return [other for hit in hits for other in (parts.of(hit) if _is_attack_in_digits(hit) else [hit])]


def _is_attack_in_digits(hit: Hit) -> bool:
    return hit[1] in ATTACKS and hit[2].partition("/")[0] in _NAMES


class _Parts:
    """The pieces of a text, found when one of them is asked for, and told once for each family of attacks."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._told = set[tuple[int, Family]]()

    @cached_property
    def _every(self) -> list[tuple[Span, int]]:
        """All pieces in order, each with the number of its payload."""
        chains = enumerate(self._payloads)
        return sorted((piece.span, number) for number, chain in chains for piece in chain)

    @cached_property
    def _payloads(self) -> list[list[_Piece]]:
        return [*_chains(self._text)]

    def of(self, hit: Hit) -> list[Hit]:
        """A hit, or all pieces of its payload. What else stands in it remains, if that is more than a few signs."""
        (begin, end), family, _ = hit
        touched = self._every[bisect_left(self._every, ((begin, begin), 0)) : bisect_left(self._every, ((end, end), 0))]
        if not touched:
            return [hit]
        inside = sum(piece[1] - piece[0] for piece, _ in touched)
        numbers = {number for _, number in touched if (number, family) not in self._told}
        self._told |= {(number, family) for number in numbers}
        rest = [hit] if end - begin - inside > MOST_BESIDE else []
        return [*rest, *((piece.span, *hit[1:]) for number in sorted(numbers) for piece in self._payloads[number])]


def _chains(text: str) -> Iterator[list[_Piece]]:
    """Pieces that belong together, two and more, kind by kind, in order."""
    pieces = [*_pieces(text)]
    for kind in _KINDS:
        chain: list[_Piece] = []
        some = [piece for piece in pieces if piece.kind is kind]
        for before, piece in pairwise(some):
            chain = chain or [before]
            if _is_next(text, before, piece):
                chain.append(piece)
                continue
            yield from [_with_rest(text, chain)] if len(chain) > 1 else []
            chain = []
        yield from [_with_rest(text, chain)] if len(chain) > 1 else []


def _pieces(text: str) -> Iterator[_Piece]:
    """What stands by itself, is no word, and says something in digits."""
    for found in _PIECE.finditer(text):
        digits = found[0]
        if len(digits) > LONGEST or _IS_WORD.fullmatch(digits):
            continue
        kind = next(kind for kind in _KINDS if kind.looks.fullmatch(digits) or kind is _KINDS[-1])
        phase, said = _read(kind, digits)
        if said:
            yield _Piece(found.span(), digits, kind, _before(text, found.start()), phase, said)


def _before(text: str, begin: int) -> str:
    """What stands before a place in its line, whatever its numbers."""
    line = text[max(begin - 2 * TOLD, 0) : begin].rpartition("\n")[2]
    return _NUMBER.sub("0", line)[-TOLD:]


def _read(kind: _Digits, digits: str) -> tuple[int, str]:
    """What some digits say, and how many of them stand before its first group; nothing, if that is no text."""
    digits = digits.rstrip("=")
    told = ((phase, _text(kind, digits[phase:])) for phase in range(kind.phases))
    return next((one for one in told if one[1]), (0, ""))


def _text(kind: _Digits, digits: str) -> str:
    try:
        octets = kind.octets(digits)
        if _NO_TEXT.search(octets):
            return ""
        said = _CUT.sub(b"", _BROKEN.sub(b"", octets)).decode()
    except (Error, ValueError):
        return ""
    return said if said.translate(_WHITE).isprintable() else ""


def _is_next(text: str, one: _Piece, other: _Piece) -> bool:
    """Whether a piece goes on where the one before it breaks off: in the midst of a group, or of a sentence."""
    begin, end = one.span[1], other.span[0]
    is_of_size = len(one.digits) == len(other.digits)
    if end - begin > FARTHEST or one.digits.endswith("=") or not (is_of_size or one.before == other.before):
        return False
    goes_on = not (other.said[0].isupper() or other.said[0] in _OPENS)
    is_open = (_breaks_off(one) or goes_on) if is_of_size else (_breaks_off(one) and goes_on)
    return (is_open or other.phase > 0) and text.count("\n", begin, end) <= MOST_LINES


def _breaks_off(piece: _Piece) -> bool:
    return piece.said[-1].isalnum() or piece.said[-1] in _BREAKS_OFF


def _with_rest(text: str, chain: list[_Piece]) -> list[_Piece]:
    """With the few digits that are left for a last piece, if those before it are of one size."""
    last, sizes = chain[-1], {len(piece.digits) for piece in chain[:-1]}
    if last.digits.endswith("=") or sizes != {len(last.digits)} or not _breaks_off(last):
        return chain
    some = _REST.finditer(text, last.span[1], last.span[1] + FARTHEST)
    alike = (one for one in some if last.kind.looks.fullmatch(one[0]) and _before(text, one.start()) == last.before)
    for found in islice(alike, MOST_RESTS):
        rest = last._replace(span=found.span(), digits=found[0])
        if len(_joined([*chain, rest])) > len(_joined(chain)):
            return [*chain, rest]
    return chain


def _is_wrapped(text: str, chain: Sequence[_Piece]) -> bool:
    gaps = ((one.span[1], other.span[0]) for one, other in pairwise(chain))
    return all(_WRAPPING.fullmatch(text, *gap) for gap in gaps)


def _joined(chain: Sequence[_Piece]) -> str:
    return _read(chain[0].kind, "".join(piece.digits for piece in chain))[1]

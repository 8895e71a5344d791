"""What people are told of papers of their own business, which no machine was ever given.

"Disregard the instructions of last year's exam" takes back a paper, and "if you have sent the form already" asks
somebody who fills forms in. Words for the business are in `papers.toml`, in the languages of the rules. All that was
ever said, rules of a reader, and what stands near a machine that is spoken of, are no such papers (ADR-0024). Who asks
sees to it that nothing else in the text reads like an order.
"""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, Self

from interpose_sanitizer import pattern, wording
from interpose_sanitizer.findings import Span

BEFORE, AFTER = 160, 60
"""How far is looked, in characters, before an attack and behind it."""
NEAR = 240
"""The same for a machine that is spoken of, and for an address to which something is to go."""
BESIDE = 14
"""The same for what says that all is meant."""
_BEGAN = re.compile(r"[.!\n:;\"“”«»。\uff01।\u06d4؛·](?=[^.!\n:;\"“”«»。\uff01।\u06d4؛·]{0,160}\Z)")
_BREAKS = re.compile(r"[.,!?\n:;()\"“”«»。\uff01\uff1f।\u06d4؛،、·\u2014\u2013]")
_ENDS = re.compile(r"[.](?!\s?[0-9])|[!\n。\uff01।\u06d4]")
"""What ends a sentence, but for the question that asks whether something was done."""
_HALF_BEHIND = re.compile(r"[^.!?\n;:\uff1b\uff1a]*+[;:\uff1b\uff1a]")
"""A sentence goes on behind a mark that ends half of one."""
_LAST = re.compile(r"[^\s.,:;!?()\"“”«»。、]{1,24}[ ]?\Z")
_REST = re.compile(r"\w*")
_TRADES = (
    "ubezpieczeniow|celn|nieruchomosci|immobili|inmobiliari|imobiliar|de seguros|de viajes|d.assurance|de asigurari"
)
_FORM = re.compile(rf"نموذج\s(?:رقم\s)?[0-9]|\bagent[a-z]{{0,3}} (?:{_TRADES})[a-z]{{0,4}}")
"""A form with its number, in Arabic: its word is that for a model. And agents who sell policies or houses."""


class _Around(NamedTuple):
    """An attack, with what its sentence says before and behind it."""

    before: str
    said: str
    after: str

    @classmethod
    def of(cls, text: str, span: Span) -> Self:
        before = text[max(span[0] - BEFORE, 0) : span[0]]
        began = _BEGAN.search(before)
        after = _BREAKS.split(text[span[1] : span[1] + AFTER], maxsplit=1)[0]
        return cls(before[began.end() :] if began else before, text[slice(*span)], after)

    @property
    def nearest(self) -> str:
        """The last word before it: some rules begin behind what tells which instructions are meant."""
        last = _LAST.search(self.before)
        return last[0] if last else ""

    @property
    def clause(self) -> str:
        return self.before + self.said

    @property
    def whole(self) -> str:
        return self.clause + self.after


def are_meant(text: str, span: Span) -> bool:
    """Whether what is said to hold no longer at `span` of a shadow are papers of people."""
    around = _Around.of(text, span)
    if _is_any_agreed(text) and _is_agreed(around.whole):
        behind = text[span[1] : span[1] + NEAR]
        return not (_says("obliges", around.whole + behind) or _HALF_BEHIND.match(behind))
    beside = around.before[-BESIDE:] + around.said + around.after[:BESIDE]
    is_of_all = _says("all", beside) or wording.brief("corrected_unless").search(around.said)
    if is_of_all or not _says("earlier", around.nearest + around.said) or wording.ADDRESS.search(around.whole):
        return False
    if _is_described(around, text[span[1] : span[1] + 2]):
        return True
    return not _is_said_to(around.whole) and _is_theirs(text, span, around)


def prepare() -> None:
    """Compile every pattern of these."""
    for name in _patterns():
        _pattern(name)


@lru_cache(maxsize=1)
def _is_any_agreed(text: str) -> bool:
    """Whether a contract does so anywhere in a text, which is asked about once for each attack in it."""
    return _says("agreed", text)


def _is_agreed(sentence: str) -> bool:
    """Whether a contract or a decree says that it stands in the place of all that held before, and names no machine."""
    return _says("agreed", sentence) and not (wording.ADDRESS.search(sentence) or _is_said_to(sentence))


def _is_described(around: _Around, behind: str) -> bool:
    """Whether a sentence says what a device does when it is used, or leaves a word of an exercise to be filled in."""
    if any(_says("blank", around.said + behind[:more]) for more in (0, 1)):
        return True
    return _says("undone", around.before) and _says("undone_said", around.said + around.after)


def _is_theirs(text: str, span: Span, around: _Around) -> bool:
    """Whether it is for people who have such papers: nothing else is asked in the same breath, no address is named, and
    no machine is spoken of."""
    end = _end_of_business(text, around, span[1])
    if end is None and (_is_replaced(text, span[0]) or _is_done(text, span[0])):
        end = span[1]
    if end is None or wording.brief("then").match(text, end) or wording.ADDRESS.search(text, end, end + NEAR):
        return False
    return not _is_said_to(text[max(span[0] - NEAR, 0) : span[1] + NEAR])


def _end_of_business(text: str, around: _Around, behind: int) -> int | None:
    """Where the words end that say whose instructions are meant: those of the match, or the name of a paper behind."""
    if _says("business", around.nearest + around.said):
        return behind
    named = _pattern("business").search(around.after.encode())
    if named is None:
        return None
    end = behind + len(around.after.encode()[: named.end()].decode())
    return _REST.match(text, end).end()  # type: ignore[union-attr]


def _is_replaced(text: str, begin: int) -> bool:
    """Whether a paper says in the same sentence that it stands in the place of another."""
    return _says("replaces", _ENDS.split(text[max(begin - BEFORE, 0) : begin])[-1])


def _is_done(text: str, begin: int) -> bool:
    """Whether somebody is supposed, or asked, to have done already what a paper asked for."""
    before = _ENDS.split(text[max(begin - BEFORE, 0) : begin])[-1]
    return _says("done", before) and _says("supposed", before)


def _is_said_to(words: str) -> bool:
    """Whether a machine is spoken of, or to."""
    return _says("machine", _FORM.sub("", words))


def _says(name: str, words: str) -> bool:
    return _pattern(name).search(words.encode()) is not None


@cache
def _pattern(name: str) -> Any:
    return pattern.compiled(pattern.spelled(_patterns()[name], _patterns()))


@cache
def _patterns() -> dict[str, str]:
    return tomllib.loads((files(__package__) / "papers.toml").read_text("utf-8"))

"""Telling an attack that is mentioned from one that is made: an article about injections is no injection.

An attack is mentioned where it stands in quotation marks, in one line, and the prose around them says that it speaks
of attacks and asks nobody to do what they hold, or a sentence that speaks to nobody goes on around them (`quoted`).
Where the quotation is nothing but the attack, a word that something is being named is enough: what could follow such
a phrase stands outside the marks. A token of a chat template is only mentioned in these latter ways, or in a
template. It is mentioned without any marks where its own clause forbids it ("never send …"), tells that somebody else
was to do it ("the crew was told to ignore …") or supposes that somebody asks for it, and where a story has somebody
say it. Who calls this sees to it that a text which makes an attack mentions none (ADR-0024).

All of it looks at the shadow of a text, and at no more than a few hundred characters around each match.
"""

import re
import tomllib
from bisect import bisect
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import re2  # type: ignore[import-untyped]

from interpose_sanitizer import quoted
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.pattern import automaton
from interpose_sanitizer.shadow import Shadow, fold_text

BEFORE, AFTER = 240, 160
"""How far is looked, in characters: before and behind the quotation."""
CLAUSE = 100
"""The same for what stands before an attack in its own clause."""
TURN = 250
"""The same for a place to be filled in, in a template whose system says something first."""
NEXT, VERB = 60, 24
"""The same for what a notice goes on with, and for the verb it ends with."""
LEAST_PROSE = 30
"""Letters outside of a quotation that holds more than the attack: a label is no prose. One beyond ASCII is three."""

_OF_WORDS = frozenset({Family.OVERRIDE, Family.CONCEALMENT, Family.EXFILTRATION, Family.TAMPERING})
"""What may be told of without quotation marks: nothing that plays a turn or ends one."""
_TOLD = (
    "forbidden",
    "narrated",
    "told_to_others",
    "purpose",
    "negated",
    "noticed",
    "worn_out",
    "supposed",
    "attackers",
)
_PADDING = " .,!?\u2026:;`*"
_TOKEN_PADDING = _PADDING + "<>|[]/"
_TOKEN_BEGINS = frozenset("<|[")
_BLANK_LINE = re.compile(r"\n[ \t\r]{0,40}\n")
_CLAUSE = re.compile(r"[.!?\n;:\"“”][^.!?\n;:\"“”]{0,100}$")
_CLAUSE_ENDS = re.compile(r"[.!?](?=\s|$)|[\n;\"“”]")
_HOLE = r"(?:\{[{%]?-?\s{0,3}[\w.\[\]'\"|() +-]{1,60}?\s{0,3}-?[%}]?\}|%s|\$\{[\w.]{1,40}\})"
_GAP, _ROLE = r"(?:\s|\\[nr]){0,8}", r"(?:(?:system|user|assistant|tool|developer|human|model)\b)?"
_ADDED = r"[\"'`]\s?[+~%]\s?[\w.]{1,40}\s?(?:[\[(+~)\]}%;,]|$)"
_FILLED_BEHIND = re.compile(rf"{_GAP}{_ROLE}{_GAP}(?:(?:{_HOLE}{_GAP}){{1,3}}(?:[<\[\"'`#]|$)|{_ADDED})")
_FILLED_BEFORE = re.compile(rf"(?:{_HOLE}|[\w.)\]]\s?[+~]\s?[rbf]?[\"'`]){_GAP}$")
_BARE = re.compile(rf"{_GAP}{_ROLE}{_GAP}(?:[\"'`<]|$)")
"""What a program puts between the tokens of a template: all of a turn, so that no words stand in it."""
_SYLLABLES = re.compile("[\uac00-\ud7a3]+")
_ADDRESS = re.compile(r"https?:|[^\s@]@[^\s@]|~/|\.(?:env|ssh)\b")


class Mention(StrEnum):
    """How an attack is only spoken of."""

    TOLD = "told"
    """By the words of its own clause: what they say holds, whatever another paragraph does."""
    QUOTED = "quoted"
    """In quotation marks, or in a template: believed of a text that makes no attack, and of no other."""


def words_of_attacks(shadow: Shadow) -> list[Span]:
    """Where a text says that it speaks about attacks."""
    return [shadow.characters(found.span()) for found in _words("attack").finditer(shadow.data)]


def mention(text: str, span: Span, family: Family) -> Mention | None:
    """How the attack at `span` of this shadow is only spoken of; None where it is made."""
    if family is Family.CHAT_TEMPLATE:
        is_written_about = _is_filled(text, span) or _is_template(text, span) or _is_named(text, span)
        return Mention.QUOTED if is_written_about or _is_quoted(text, span, family) else None
    if family is Family.FAKE_TURN and text[span[0]] in _TOKEN_BEGINS and _is_template(text, span):
        return Mention.QUOTED
    if family in _OF_WORDS and _is_told_of(text, span):
        return Mention.TOLD
    return Mention.QUOTED if _is_quoted(text, quoted.inside_marks(text, span), family) else None


def is_mentioned(text: str, span: Span, family: Family) -> bool:
    """Whether the attack at `span` of this shadow is only spoken of, in a text that makes none."""
    return mention(text, span, family) is not None


def are_made(
    text: str, spans: Sequence[Span], mentions: Sequence[Mention | None], acting: Sequence[bool]
) -> list[bool]:
    """Which of the attacks at `spans` of a text are made after all, in a text that makes one at least, or none.

    What is quoted is, beside any attack in the text; what is told of, beside one in its own paragraph.
    """
    attacks = [span for span, how, acts in zip(spans, mentions, acting, strict=True) if acts and how is None]
    breaks = [found.start() for found in _BLANK_LINE.finditer(text)] if attacks else []
    attacked = {bisect(breaks, place) for span in attacks for place in span}
    told = {Mention.TOLD: attacked, Mention.QUOTED: range(len(breaks) + 1) if attacks else ()}
    return [how is None or bisect(breaks, span[0]) in told[how] for span, how in zip(spans, mentions, strict=True)]


def _is_quoted(text: str, span: Span, family: Family) -> bool:
    """Whether it stands in quotation marks, and the prose around them speaks of attacks or tells a story."""
    quotation = quoted.quotation(text, span)
    if quotation is None:
        return False
    start, end = quotation
    inside = text[start + 1 : span[0]] + text[span[1] : end - 1]
    around = _paragraph(text, start, end)
    said = around.encode()
    is_story = family in _OF_WORDS and _is_story(text, start, end)
    if not inside.strip(_TOKEN_PADDING if family is Family.CHAT_TEMPLATE else _PADDING):
        before = text[max(start - CLAUSE, 0) : start].encode()
        is_named = bool(_words("attack", "mention").search(said) or _pattern("said").search(before))
        return is_story or is_named or _is_embedded(text, quotation)
    if _words("asks").search(said) is not None:
        return False
    if is_story or _is_embedded(text, quotation):
        return True
    if family is Family.CHAT_TEMPLATE:
        return False
    return _words("attack").search(said) is not None and _letters(around) >= LEAST_PROSE


def _is_embedded(text: str, quotation: Span) -> bool:
    """Whether a sentence goes on around it that speaks to nobody who could obey."""
    sentence = quoted.sentence(text, quotation)
    return sentence is not None and not _pattern("addressed").search(sentence.encode())


def _is_told_of(text: str, span: Span) -> bool:
    """Whether the clause of an attack forbids it, or tells that somebody else was to do it."""
    before = text[max(span[0] - CLAUSE, 0) : span[0]]
    clause = (_CLAUSE.search(before) or [before])[0].encode()
    after = _CLAUSE_ENDS.split(text[span[1] : span[1] + CLAUSE])[0].encode()
    is_told = any(not _pattern(f"{kind}_unless").search(clause) for kind in _telling(clause))
    is_told = is_told or _fits("topic", after) or _fits("matter", after)
    return is_told or _fits("own", text[slice(*span)].encode()) or _is_notice(text, span)


def _is_notice(text: str, span: Span) -> bool:
    """Whether it tells a house that instructions about something everyday hold no longer."""
    near = text[max(span[0] - CLAUSE, 0) : span[1] + NEXT].encode()
    said = text[span[0] : span[1] + VERB].encode()
    return bool(_pattern("ended").search(said) and _fits("notice", near))


def _is_filled(text: str, span: Span) -> bool:
    """Whether a program fills the turn of a token: with a place beside it, or with what is added to its string."""
    before = text[max(span[0] - CLAUSE, 0) : span[0]].removesuffix("<")
    after = text[span[1] : span[1] + CLAUSE].removeprefix(">")
    return bool(_FILLED_BEHIND.match(after) or (_FILLED_BEFORE.search(before) and _BARE.match(after)))


def _is_template(text: str, span: Span) -> bool:
    """Whether a token stands in a template: beside a place to be filled in, in a text that says what it is."""
    near = text[max(span[0] - TURN, 0) : span[1] + TURN].encode()
    around = text[max(span[0] - BEFORE, 0) : span[1] + AFTER].encode()
    return bool(_pattern("placeholder").search(near) and _pattern("template").search(around))


def _is_named(text: str, span: Span) -> bool:
    """Whether a token stands in a line of prose that goes on behind it and says what it is."""
    before = text[max(span[0] - BEFORE, 0) : span[0]].rpartition("\n")[2].rstrip("<|")
    after = text[span[1] : span[1] + AFTER].partition("\n")[0].lstrip("|>")
    goes_on = before.endswith((" ", "`")) and _pattern("named_after").search(after.lstrip("`").encode())
    return bool(goes_on and _pattern("named").search(f"{before} {after}".encode()))


def _fits(kind: str, clause: bytes) -> bool:
    return bool(_pattern(kind).search(clause) and not _pattern(f"{kind}_unless").search(clause))


def _is_story(text: str, start: int, end: int) -> bool:
    """Whether somebody in a story says what is quoted: words alone, that name no address and no file."""
    if _ADDRESS.search(text[start:end]):
        return False
    before, after = text[max(start - CLAUSE, 0) : start].encode(), text[end : end + CLAUSE].encode()
    return bool(_pattern("said_before").search(before) or _pattern("said_after").search(after))


def _letters(around: str) -> int:
    return sum(character.isalpha() + 2 * (character > "\x7f") for character in around)


def _paragraph(text: str, start: int, end: int) -> str:
    """What stands around a quotation in its own paragraph, without it."""
    before = text[max(start - BEFORE, 0) : start].rpartition("\n\n")[2]
    after = text[end : end + AFTER].partition("\n\n")[0]
    return f"{before}\n{after}"


@cache
def _words(*kinds: str) -> Any:
    return re2.compile("|".join(re2.escape(fold_text(word)) for kind in kinds for word in _known()[kind]))


def _telling(clause: bytes) -> list[str]:
    """The kinds of what is told of that a clause could be."""
    return [_TOLD[number] for number in _of_clauses().Match(clause) or () if number < len(_TOLD)]


@cache
def _of_clauses() -> Any:
    return automaton([_told_by(kind) for kind in _TOLD])


@cache
def _pattern(name: str) -> Any:
    return re2.compile(_told_by(name))


def prepare() -> None:
    """Compile every pattern and list of words by which an attack is spoken of."""
    for name in _known()["told"]:
        _pattern(name)
    for kinds in (("attack",), ("attack", "mention"), ("asks",)):
        _words(*kinds)
    _of_clauses()


def _told_by(kind: str) -> str:
    """A pattern of what is told of, with Korean as texts are folded."""
    return _SYLLABLES.sub(lambda found: fold_text(found[0]), _known()["told"][kind])


@cache
def _known() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "mentions.toml").read_text("utf-8"))

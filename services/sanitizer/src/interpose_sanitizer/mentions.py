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
from bisect import bisect
from collections.abc import Sequence
from enum import StrEnum

from interpose_sanitizer import called, labels, listed, papers, quoted, rendered, samples, shown, sketched, wording
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.shadow import Shadow

BEFORE, AFTER = 240, 160
"""How far is looked, in characters: before and behind the quotation."""
CLAUSE = 100
"""The same for what stands before an attack in its own clause."""
TURN = 250
"""The same for a place to be filled in, in a template whose system says something first."""
FENCED = 600
"""The same for what a block of code is about, in the prose before it."""
CORRECTED, PEOPLE = 240, 1_500
"""The same for what says that something was wrong, and for a machine that is spoken of."""
NEXT, VERB = 60, 24
"""The same for what a notice goes on with, and for the verb it ends with."""
LEAST_PROSE = 30
"""Letters outside of a quotation that holds more than the attack: a label is no prose. One beyond ASCII is three."""

_OF_WORDS = frozenset({Family.OVERRIDE, Family.CONCEALMENT, Family.EXFILTRATION, Family.TAMPERING})
"""What may be told of without quotation marks: nothing that plays a turn or ends one."""
_PADDING = " .,!?\u2026:;`*"
_TOKEN_PADDING = _PADDING + "<>|[]/"
_TOKEN_BEGINS = frozenset("<|[")
_BLANK_LINE = re.compile(r"\n[ \t\r]{0,40}\n")
_CLAUSE = re.compile(r"[.!?\n;:\"“”][^.!?\n;:\"“”]{0,100}$")
_CLAUSE_ENDS = re.compile(r"[.!?](?=\s|$)|[\n;\"“”]")
_SENTENCE = r"(?!\{{1,2}[%-]{0,2}\s?['\"]?(?!if|for|set|el|end)(?:[a-z']{1,20} ){4}[a-z0-9])"
"""What no place to be filled in says."""
_HOLE = rf"(?:{_SENTENCE}" r"\{[{%]?-?\s{0,3}[\w.\[\]'\"|() +-]{1,60}?\s{0,3}-?[%}]?\}|%s|\$\{[\w.]{1,40}\})"
_GAP, _ROLE = r"(?:\s|\\[nr]){0,8}", r"(?:(?:system|user|assistant|tool|developer|human|model)\b)?"
_ADDED = r"[\"'`]\s?[+~%]\s?[\w.]{1,40}\s?(?:[\[(+~)\]}%;,]|$)"
_FILLED_BEHIND = re.compile(rf"{_GAP}{_ROLE}{_GAP}(?:(?:{_HOLE}{_GAP}){{1,3}}(?:[<\[\"'`#]|$)|{_ADDED})")
_FILLED_BEFORE = re.compile(rf"(?:{_HOLE}|[\w.)\]]\s?[+~]\s?[rbf]?[\"'`]){_GAP}$")
_ITEM = re.compile(r"\n[ \t]{0,8}(?:[-*\u2022#]|[0-9]{1,2}[.)])[ \t]")
"""Where another item of a list begins."""
_BARE = re.compile(rf"{_GAP}{_ROLE}{_GAP}(?:[\"'`<]|$)")
"""What a program puts between the tokens of a template: all of a turn, so that no words stand in it."""
_VERB_ENDS = re.compile(r"\A[\u3041-\u3096]{1,3}")
"""The end of a Japanese verb: most rules stop before it."""
_DASH = re.compile("[\u2013-\u2015]")
_AN_OPTION = r"(?:^|\n)[ \t*`|]{0,12}-{1,2}[a-z][a-z0-9-]{0,30}\b[^\n]{0,50}(?:\n[ \t]{2,40}|[ \t|]{2,40})"
_OPTION, _OPTIONS = re.compile(f"{_AN_OPTION}$"), re.compile(rf"{_AN_OPTION}(?=\S)")
"""What stands before the words by which a manual says what an option of a command does."""
_SOME = re.compile(r"\ban? (?:[a-z]{1,20} )?(?:assistant|ai|llm|model|agent|bot|chatbot)s?\b(?! (?:must|should|shall))")
"""Some machine that a sentence tells of: it speaks to none."""


class Mention(StrEnum):
    """How an attack is only spoken of."""

    TOLD = "told"
    """By the words of its own clause: what they say holds, whatever another paragraph does."""
    QUOTED = "quoted"
    """In quotation marks, or in a template: believed of a text that makes no attack, and of no other."""
    UNHEARD = "unheard"
    """Said to people, or no turn: believed of such a text where nothing else in it reads like an order either."""


def words_of_attacks(shadow: Shadow) -> list[Span]:
    """Where a text says that it speaks about attacks."""
    return [shadow.characters(found.span()) for found in wording.words("attack").finditer(shadow.data)]


def mention(text: str, span: Span, family: Family) -> Mention | None:
    """How the attack at `span` of this shadow is only spoken of; None where it is made."""
    if family in _OF_WORDS and _is_told_of(text, span):
        return Mention.TOLD
    if _is_shown(text, span, family):
        return Mention.QUOTED
    is_unheard = _is_of_people(text, span, family) if family in _OF_WORDS else _is_no_turn(text, span, family)
    return Mention.UNHEARD if is_unheard else None


def is_mentioned(text: str, span: Span, family: Family) -> bool:
    """Whether the attack at `span` of this shadow is only spoken of, in a text that makes none."""
    return mention(text, span, family) is not None


def is_asked_for(text: str, span: Span) -> bool:
    """Whether the prose around the attack at `span` of this shadow, in its own paragraph, asks somebody to do it."""
    return wording.words("asks").search(_paragraph(text, *span).encode()) is not None


def are_made(
    text: str, spans: Sequence[Span], mentions: Sequence[Mention | None], acting: Sequence[bool]
) -> list[bool]:
    """Which of the attacks at `spans` of a text are made after all, in a text that makes one at least, or none.

    What is quoted is, beside any attack in the text; what is told of, beside one in its own paragraph.
    """
    attacks = [span for span, how, acts in zip(spans, mentions, acting, strict=True) if acts and how is None]
    breaks = [found.start() for found in _BLANK_LINE.finditer(text)] if attacks else []
    attacked = {bisect(breaks, place) for begin, end in attacks for place in (begin, end - 1)}
    anywhere = range(len(breaks) + 1) if attacks else ()
    told = {Mention.TOLD: attacked, Mention.QUOTED: anywhere, Mention.UNHEARD: anywhere}
    return [how is None or bisect(breaks, span[0]) in told[how] for span, how in zip(spans, mentions, strict=True)]


def _is_shown(text: str, span: Span, family: Family) -> bool:
    """Whether it is quoted, in a template or a list, or said in a story."""
    if family in _OF_WORDS and _is_spoken(text, span):
        return True
    if family is Family.OVERRIDE and (_is_option(text, span) or _is_corrected(text, span)):
        return True
    if family is Family.CHAT_TEMPLATE and (_is_filled(text, span) or _is_named(text, span)):
        return True
    if _is_token(text, span, family):
        ways = (_is_template, _is_rendered, listed.holds)
        if any(way(text, span) for way in ways):
            return True
    return _is_quoted(text, span if family is Family.CHAT_TEMPLATE else quoted.inside_marks(text, span), family)


def _is_token(text: str, span: Span, family: Family) -> bool:
    return family is Family.CHAT_TEMPLATE or (family is Family.FAKE_TURN and text[span[0]] in _TOKEN_BEGINS)


def _is_no_turn(text: str, span: Span, family: Family) -> bool:
    """Whether a token plays no turn: it is in one that is only sketched, a label, in a row of a set, or named."""
    ways = (sketched, labels, samples, called, shown)
    return _is_token(text, span, family) and any(way.holds(text, span) for way in ways)


def _is_quoted(text: str, span: Span, family: Family) -> bool:
    """Whether it stands in quotation marks, and the prose around them speaks of attacks or tells a story."""
    quotation = quoted.quotation(text, span)
    if quotation is None:
        return False
    start, end = quotation
    inside = text[start + 1 : span[0]] + _VERB_ENDS.sub("", text[span[1] : end - 1])
    around = _paragraph(text, start, end)
    said = around.encode()
    is_story = family in _OF_WORDS and _is_story(text, start, end)
    if not inside.strip(_TOKEN_PADDING if family is Family.CHAT_TEMPLATE else _PADDING):
        before = text[max(start - CLAUSE, 0) : start].encode()
        named = ("attack", "mention", "tokens") if family is Family.CHAT_TEMPLATE else ("attack", "mention")
        is_named = bool(wording.words(*named).search(said) or wording.pattern("said").search(before))
        return is_story or is_named or _is_embedded(text, quotation)
    if wording.words("asks").search(said) is not None:
        return False
    if family is Family.CHAT_TEMPLATE:
        return _is_embedded(text, quotation) and not rendered.is_taken_up(text, quotation)
    if is_story or _is_embedded(text, quotation):
        return True
    return wording.words("attack").search(said) is not None and _letters(around) >= LEAST_PROSE


def _is_embedded(text: str, quotation: Span) -> bool:
    """Whether a sentence goes on around it that speaks to nobody who could obey."""
    sentence = quoted.sentence(text, quotation)
    return sentence is not None and not wording.pattern("addressed").search(_SOME.sub("", sentence).encode())


def _is_told_of(text: str, span: Span) -> bool:
    """Whether the clause of an attack forbids it, or tells that somebody else was to do it."""
    begin = _word_begins(text, span) if text[max(span[0] - 1, 0)].isalpha() else span[0]
    before = text[max(begin - CLAUSE, 0) : begin]
    clause = (_CLAUSE.search(before) or [before])[0].encode()
    after = _CLAUSE_ENDS.split(text[span[1] : span[1] + CLAUSE])[0].encode()
    is_told = any(not wording.pattern(f"{kind}_unless").search(clause) for kind in wording.telling(clause))
    said = text[slice(*span)].encode()
    is_told = is_told or wording.is_told_behind(after)
    return is_told or wording.is_told_by_itself(said) or wording.is_complained_of(clause, said + after)


def _word_begins(text: str, span: Span) -> int:
    """Where the first whole word of a match begins: some begin with the last letter of the word before."""
    is_within = span[0] > 0 and text[span[0]].isalpha()
    return text.find(" ", *span) + 1 if is_within and text[span[0] + 1 : span[0] + 2] == " " else span[0]


def _is_notice(text: str, span: Span) -> bool:
    """Whether it tells a house, and no machine, that instructions about something everyday hold no longer."""
    if wording.brief("ended").search(text, span[0], span[1] + VERB) is None:
        return False
    if wording.pattern("machine").search(text[slice(*span)].encode()) is not None:
        return False
    behind = _ITEM.split(text[span[1] : span[1] + NEXT], maxsplit=1)[0]
    return wording.fits("notice", f"{text[max(span[0] - CLAUSE, 0) : span[1]]}{behind}".encode())


def _is_filled(text: str, span: Span) -> bool:
    """Whether a program fills the turn of a token: with a place beside it, or with what is added to its string."""
    before = text[max(span[0] - CLAUSE, 0) : span[0]].removesuffix("<")
    after = text[span[1] : span[1] + CLAUSE].removeprefix(">")
    return bool(_FILLED_BEHIND.match(after) or (_FILLED_BEFORE.search(before) and _BARE.match(after)))


def _is_template(text: str, span: Span) -> bool:
    """Whether a token stands in a template: beside a place to be filled in, in a text that says what it is."""
    near = text[max(span[0] - TURN, 0) : span[1] + TURN].encode()
    around = text[max(span[0] - BEFORE, 0) : span[1] + AFTER].encode()
    return bool(wording.pattern("placeholder").search(near) and wording.pattern("template").search(around))


def _is_rendered(text: str, span: Span) -> bool:
    """Whether a token stands in an example of what a template renders, below prose that says what it is."""
    found = rendered.block(text, span)
    if found is None:
        return False
    return wording.pattern("template").search(text[max(found[0] - FENCED, 0) : found[0]].encode()) is not None


def _is_named(text: str, span: Span) -> bool:
    """Whether a token stands in a line of prose that goes on behind it and says what it is."""
    before = text[max(span[0] - BEFORE, 0) : span[0]].rpartition("\n")[2].rstrip("<|")
    after = text[span[1] : span[1] + AFTER].partition("\n")[0].lstrip("|>")
    goes_on = before.endswith((" ", "`")) and wording.pattern("named_after").search(after.lstrip("`").encode())
    return bool(goes_on and wording.pattern("named").search(f"{before} {after}".encode()))


def _is_story(text: str, start: int, end: int) -> bool:
    """Whether somebody in a story says what is quoted: words alone, that name no address and no file."""
    if wording.ADDRESS.search(text[start:end]):
        return False
    before, after = text[max(start - CLAUSE, 0) : start].encode(), text[end : end + CLAUSE].encode()
    return bool(wording.pattern("said_before").search(before) or wording.pattern("said_after").search(after))


def _is_spoken(text: str, span: Span) -> bool:
    """Whether a story has somebody say it behind a dash, and tells who does before that line or behind what is said."""
    is_near = _DASH.search(text, max(span[0] - quoted.INSIDE, 0), span[1])
    said = quoted.spoken(text, span) if is_near else None
    if said is None or wording.ADDRESS.search(text[slice(*said)]):
        return False
    before, after = text[max(said[0] - BEFORE, 0) : said[0]], text[said[1] : said[1] + CLAUSE].partition("\n")[0]
    return wording.pattern("narrator").search(f"{before}\n{after}".encode()) is not None


def _is_of_people(text: str, span: Span, family: Family) -> bool:
    """Whether it is no business of a model: what ends in a house, or a paper of people."""
    return _is_notice(text, span) or (family is Family.OVERRIDE and papers.are_meant(text, span))


def _is_option(text: str, span: Span) -> bool:
    """Whether it is all that a manual says of an option of a command, beside others of which it says something."""
    if _OPTION.search(text, max(span[0] - CLAUSE, 0), span[0]) is None or text[span[1] : span[1] + 1] not in (
        ".",
        "\n",
        "",
    ):
        return False
    return len(_OPTIONS.findall(text, max(span[0] - PEOPLE, 0), span[1] + PEOPLE)) > 1


def _is_corrected(text: str, span: Span) -> bool:
    """Whether somebody who tells people of a mistake takes back what was wrong, speaks of no machine nearby, and asks
    for nothing in the same breath."""
    said = text[slice(*span)]
    if not wording.brief("earlier").search(said) or wording.brief("corrected_unless").search(said):
        return False
    if wording.brief("then").match(text, span[1]) or wording.ADDRESS.search(text, span[1], span[1] + CORRECTED):
        return False
    near = text[max(span[0] - CORRECTED, 0) : span[1] + CORRECTED].encode()
    around = text[max(span[0] - PEOPLE, 0) : span[1] + PEOPLE].encode()
    return bool(wording.pattern("corrected").search(near)) and not wording.pattern("machine").search(around)


def _letters(around: str) -> int:
    return sum(character.isalpha() + 2 * (character > "\x7f") for character in around)


def _paragraph(text: str, start: int, end: int) -> str:
    """What stands around a quotation in its own paragraph, without it."""
    before = text[max(start - BEFORE, 0) : start].rpartition("\n\n")[2]
    after = text[end : end + AFTER].partition("\n\n")[0]
    return f"{before}\n{after}"

"""What an attack takes, without what is honest at its edges: a sentence is not the least that stands by itself.

Rows of logs and tables, notes and settings say several things in a line, and an order is one of them. A rule that
takes the sentence around what it recognised, or the rest of its line, takes these as well; so does the classifier, to
which a row is a sentence. What stands between semicolons, bars, marks of comments, tags and stops is scored by itself
here: from the edges inwards, what is far from an order stays. What a rule recognised never does.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from interpose_sanitizer import literals, orders, reach
from interpose_sanitizer.classifier import model, parts, tables
from interpose_sanitizer.classifier.named import BESIDE, RULE
from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Span
from interpose_sanitizer.matching import Match
from interpose_sanitizer.points import Places, points_of
from interpose_sanitizer.reach import Reach
from interpose_sanitizer.shadow import Shadow

HONEST = -0.9
"""What scores less by itself, at the edge of what an attack takes, is none of it (ADR-0034)."""
_GOES_ON = r"[ \t>]{0,40}+[a-zß-öø-ÿα-ωа-яё]{1,40}+(?:[,' \n]|\Z)"
"""How a line begins in which the sentence of a long one goes on."""
_SEPARATES = re.compile(
    rf"(?<=[.!?…])[\"')\]}}»«”*_]*+\s++|(?<=[{reach.STOPS}])\s*+|[;\uff1b]\s++|\uff1b"
    r"|(?<=\s)\|\s++|(?<=\w)(?:[\"”»]|[\])}]{1,4}+)\s++(?=[A-ZÀ-Þ])|(?<=\s)#{1,8}\s++"
    rf"|(?:(?<![^\n]{{{reach.LONG}}})\n|\n(?!{_GOES_ON}))\s*+|(?<!\s)(?:[ \t]{{3,}}+|\t++)"
    r"|</?[A-Za-z!][^<>]{0,400}>|--{1,8}+!?+>\s*+|\\n|[\u202a-\u202e\u2066-\u2069]"
    rf"|{literals.ENDS}\s*+|{literals.BEGINS}"
    r"|\b(?:GET|POST|PUT|HEAD)[ ](?=https?:/|/)|/\*{1,2}[ ]|(?<=\s)[{}()\[\]]{1,4}\n\s*+"
)
_OF_STRINGS = re.compile(f"{literals.ENDS}|{literals.BEGINS}")
_SLIGHT = re.compile(r"[\x00-\x7f]{1,12}")
"""So little at the edge of a part may belong to what was recognised by chance; in Chinese it could be all of it."""
_NAME = re.compile(r"[^\s@:0-9]{1,80}(?: [^\s@:0-9]{1,80})?")
"""One word or two, and nothing to which something could go."""
_FORBIDS = re.compile(r"(?i:never|do not|don['\u2019]t)(?: [^ ]{1,40}){3}")
"""How a part begins that forbids: such are orders as well."""
_OPEN = re.compile(r"(?:[:(,]|\b(?:to|into|at|and|or|with|open|run|as|for|from|by|of|the))[ \t]{0,2}\Z", re.IGNORECASE)
"""How a part ends that goes on in the next."""
_NAME_OF_FIELD = re.compile(r'[A-Za-z0-9_.-]{1,40}"\s{0,4}:\s{0,4}"')
_BEHIND_FIELD = re.compile(r'(?<!\\)"[\s}\]]{0,8}(?:,\s{0,8}(?:"[A-Za-z0-9_.-]{0,40})?)?\Z')
_TAKEN_WHOLE = frozenset({Reach.TURN, Reach.BLOCK})
"""What stands behind a token or a heading is said in its name, whatever it is."""
Scored = Mapping[Span, float]


class Taken(NamedTuple):
    """What an attack takes; what of it goes whatever it says; and of what the loudest part does."""

    span: Span
    firm: Sequence[Span] = ()
    judged: Sequence[Span] = ()

    def beside(self, match: Match) -> "Taken":
        """The same with another match in it."""
        if match.rule.reach in _TAKEN_WHOLE:
            return self._replace(firm=[self.span])
        if match.rule is RULE or match.rule is BESIDE:
            return self._replace(judged=[*self.judged, match.span])
        return self._replace(firm=[*self.firm, match.span])


def taken(text: str, match: Match) -> Taken:
    """What a match takes by its reach. What was read through a disguise goes: by itself it says nothing."""
    if match.rule.reach is Reach.ORDERS:
        sentence = reach.extended(text, match.span, Reach.SENTENCE)
        span = sentence[0], reach.behind(text, sentence)
        firm = [(sentence[1], span[1])] if sentence[1] < span[1] else []
    else:
        span, firm = reach.extended(text, match.span, match.rule.reach, match.said), []
    disguised = [] if match.shadow.is_plain else _disguised(text, span, match.shadow)
    return Taken(span, [*disguised, *firm]).beside(match)


def within_field(text: str, span: Span) -> Span:
    """A span that begins with the name of a field of JSON without that, and without what only ends the field, and the
    name of the next, behind it."""
    begin, end = span
    name = _NAME_OF_FIELD.match(text, begin, end) if text[max(begin - 1, 0) : begin] == '"' else None
    if name is None:
        return span
    behind = _BEHIND_FIELD.search(text, name.end(), end)
    within = name.end(), behind.start() if behind else end
    return within if within[0] < within[1] else span


def _disguised(text: str, span: Span, read: Shadow) -> list[Span]:
    """The parts of a span that a reading reads otherwise than they stand there; all of it, where that is not known."""
    if read.disguises is None:
        return [span]
    some = list(_parts(text, span))
    inside = read.disguises.searchsorted(np.array(some, dtype=np.int64)).tolist()
    return [part for part, (begin, end) in zip(some, inside, strict=True) if begin < end]


def narrowed(text: str, some: Sequence[Taken]) -> list[Span]:
    """Each of these spans without what is honest at its edges."""
    # What goes whole has no parts that anybody asks about.
    split = [[] if one.span in one.firm else list(_parts(text, one.span)) for one in some]
    known = sorted({part for one in split if len(one) > 1 for part in one})
    if not known:
        return [one.span for one in some]
    pairs, learned = list(zip(some, split, strict=True)), model.shipped()
    goes = _met(text, known, [_core(text, span, each) for one, each in pairs for span in {*one.firm}])
    compared = {part for one, each in pairs if one.judged for part in each}
    # What goes in any case is scored only where it is compared with others.
    scored = [part for part in known if part not in goes or part in compared]
    scores = _scored(text, scored)
    loud = [_loudest(text, judged, each, scores, learned.beside) for one, each in pairs for judged in one.judged]
    goes |= _met(text, known, loud) | {part for part, score in scores.items() if score >= HONEST}
    goes |= {part for part in known if _orders(text, part)}
    _ends_of_fields.cache_clear()
    return [_without(text, one.span, each, goes) for one, each in pairs]


def within_strings(text: str, spans: Sequence[Span]) -> list[Span]:
    """These spans without what is honest at their edges in other strings of data; whole, where all of it is."""
    split = [_strings(text, span) for span in spans]
    known = sorted({part for each in split for part in each if len(each) > 1})
    if not known:
        return list(spans)
    goes = {part for part, score in _scored(text, known).items() if score >= HONEST or _orders(text, part)}
    return [_without(text, span, each, goes) for span, each in zip(spans, split, strict=True)]


def _scored(text: str, some: Sequence[Span]) -> dict[Span, float]:
    """How much each of some parts is like an order by itself."""
    scores = parts.best(model.shipped(), [text[slice(*part)] for part in some])
    return dict(zip(some, scores.tolist(), strict=True))


def _strings(text: str, span: Span) -> list[Span]:
    """The strings of data that a span goes through; that itself, if no more than one."""
    marks = [found.span() for found in _OF_STRINGS.finditer(text, *span)]
    begins, ends = [span[0], *(end for _, end in marks)], [*(begin for begin, _ in marks), span[1]]
    return [(begin, end) for begin, end in zip(begins, ends, strict=True) if begin < end]


def _orders(text: str, part: Span) -> bool:
    """Whether a part orders or forbids something, whatever its score."""
    return orders.begins(text, part) or _FORBIDS.match(text, *part) is not None


def _met(text: str, known: Sequence[Span], spans: Sequence[Span]) -> set[Span]:
    """The parts that some spans have a character in common with."""
    before = covered(len(text), spans)
    return {part for part in known if before[part[0]] < before[part[1]]}


def _parts(text: str, span: Span) -> Iterator[Span]:
    """What stands between separators, in order."""
    fields = _ends_of_fields(text)
    first, last = fields.searchsorted(span).tolist()
    between = [found.span() for found in _SEPARATES.finditer(text, *span)]
    between += [(place, place + 1) for place in fields[first:last].tolist()]
    begin = span[0]
    for start, end in sorted(between):
        if start > begin:
            yield begin, start
        begin = max(begin, end)
    if begin < span[1]:
        yield begin, span[1]


@lru_cache(maxsize=1)
def _ends_of_fields(text: str) -> Places:
    """Where fields of rows end in a text, which is asked about once for each attack in it."""
    return np.flatnonzero(tables.separators(points_of(text)))


def _core(text: str, span: Span, each: Sequence[Span]) -> Span:
    """What was recognised, without the few characters of another part at which it only happens to begin or end."""
    inside = [part for part in each if part[0] < span[1] and span[0] < part[1]]
    if len(inside) > 1 and inside[0][0] < span[0] and _SLIGHT.fullmatch(text, span[0], inside[0][1]):
        span, inside = (inside[1][0], span[1]), inside[1:]
    if len(inside) > 1 and span[1] < inside[-1][1] and _SLIGHT.fullmatch(text, inside[-1][0], span[1]):
        span = span[0], inside[-2][1]
    return span


def _loudest(text: str, judged: Span, each: Sequence[Span], scores: Scored, least: float) -> Span:
    """Of what the classifier took the part that is most like an order; all of it, if none is by itself, but for
    lines behind it of which each is honest and no more than a name."""
    inside = [part for part in each if part[0] < judged[1] and judged[0] < part[1]]
    found = max(inside, key=lambda part: scores.get(part, -math.inf), default=judged)
    if scores.get(found, -math.inf) >= least:
        return found
    while len(inside) > 1 and scores.get(inside[-1], 0.0) < HONEST and _is_line_of_name(text, *inside[-2:]):
        inside.pop()
    return judged[0], inside[-1][1] if inside else judged[1]


def _is_line_of_name(text: str, before: Span, part: Span) -> bool:
    """Whether a part begins a line of its own in which a name stands, and no address or number, nor more words."""
    return "\n" in text[before[1] : part[0]] and _NAME.fullmatch(text[slice(*part)].strip()) is not None


def _without(text: str, span: Span, each: Sequence[Span], goes: set[Span]) -> Span:
    """From the first to the last part that goes, with those in which it goes on; all, if there is but one."""
    going = [number for number, part in enumerate(each) if part in goes]
    if len(each) < 2 or not going:
        return span
    first, last = going[0], going[-1]
    while last + 1 < len(each) and _OPEN.search(text, max(each[last][0], each[last][1] - 16), each[last][1]):
        last += 1
    return (each[first][0] if first else span[0]), (each[last][1] if last + 1 < len(each) else span[1])

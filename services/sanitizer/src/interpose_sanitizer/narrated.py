"""Prose that tells of an attack which it quotes: it stands beside one, and is none.

An article says what a review said and what the assistant made of it. Beside an attack some sentences are taken because
they score nearly enough, or go along with it. Where all that rules find stands in quotations to which words lead, or in
any where the text says outside of them that it speaks about attacks, what was learned of sentences has to find an
attack outside of them once more when they are left out: else only what stands in them goes.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from interpose_sanitizer import mentions, quoted
from interpose_sanitizer.classifier import company
from interpose_sanitizer.classifier.named import LEARNED
from interpose_sanitizer.findings import Hit, Span
from interpose_sanitizer.shadow import Shadow

_LEARNED = LEARNED | {company.RULE_ID}
"""What is taken for what else stands there, too."""
_LINE = re.compile(r"[^\n]*+\n|[^\n]++")
_APART = re.compile(r"[ \t]{0,3}+(>|```|~~~)")
"""How a line begins that Markdown sets apart: a quoted one, and the fences of a block."""
_EXCERPT = re.compile(r"[ \xa0]?[\[(]?(?:\.\.\.|\u2026)")
"""How a quotation begins of which somebody left out what stood before."""
Makes = Callable[[str], bool]
"""Whether a text makes an attack."""


def without_prose(text: str, plain: Shadow, hits: Sequence[Hit], makes: Makes) -> list[Hit]:
    """Those of the attacks in a text, of which this is the plain reading, that are no prose around quoted ones."""
    if not any(rule in _LEARNED for _, _, rule in hits):
        return list(hits)
    quotations = _quotations(text, [hit[0] for hit in hits])
    outside = [hit for hit in hits if not _is_within(hit[0], quotations)]
    if not quotations or any(rule not in _LEARNED for _, _, rule in outside):
        return list(hits)
    if not (_speaks_of_attacks(plain, quotations) or _are_led(text, quotations)) or makes(_left_out(text, quotations)):
        return list(hits)
    return [hit for hit in hits if _is_within(hit[0], quotations)]


def _speaks_of_attacks(plain: Shadow, quotations: Sequence[Span]) -> bool:
    return any(not _is_within(plain.origin(span), quotations) for span in mentions.words_of_attacks(plain))


def _are_led(text: str, quotations: Sequence[Span]) -> bool:
    return all(text[begin] in quoted.OPENS and _is_led(text, begin) for begin, _ in quotations)


def _is_led(text: str, begin: int) -> bool:
    return quoted.is_led(text, begin) or _EXCERPT.match(text, begin + 1) is not None


def _left_out(text: str, quotations: Sequence[Span]) -> str:
    ends = [0, *(end for _, end in quotations)]
    begins = [*(begin for begin, _ in quotations), len(text)]
    return "\n".join(text[end:begin] for end, begin in zip(ends, begins, strict=True))


def _quotations(text: str, spans: Sequence[Span]) -> list[Span]:
    """The quotations in which some of these spans stand, each once."""
    apart = list(_set_apart(text))
    around: set[Span] = set()
    for span in spans:
        before = apart[max((place := bisect(apart, span[0], key=itemgetter(0))) - 1, 0) : place]
        quotation = before[0] if _is_within(span, before) else quoted.quotation(text, quoted.inside_marks(text, span))
        around |= {quotation} if quotation is not None else set()
    return sorted(around)


def _set_apart(text: str) -> Iterator[Span]:
    """The quoted lines that stand together, and the blocks that are closed."""
    mark, begin, end = "", 0, 0
    for line in _LINE.finditer(text):
        found = _APART.match(line[0])
        its = found[1] if found else ""
        if mark == ">" and its != ">":
            yield begin, end
            mark = ""
        if mark and its == mark != ">":
            yield begin, line.end()
            mark = ""
        elif not mark and its:
            mark, begin = its, line.start()
        end = line.end()
    if mark == ">":
        yield begin, end


def _is_within(span: Span, others: Sequence[Span]) -> bool:
    return any(begin <= span[0] and span[1] <= end for begin, end in others)

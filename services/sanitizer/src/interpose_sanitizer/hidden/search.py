"""Finding what hides in a text, as spans to be removed."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.hidden import characters as of
from interpose_sanitizer.hidden.direction import unbalanced
from interpose_sanitizer.hidden.needed import LONGEST, Run, needed

Hidden = tuple[Span, Family, str]
"""A span, its family, and the rule that it breaks."""


def search(text: str) -> list[Hidden]:
    """Everything in a text that has no width and that the text does not need, in order."""
    if text.isascii():
        return []
    wrong = unbalanced(text) if of.TURN.search(text) else frozenset()
    return [found for run in of.RUN.finditer(text) for found in _hidden(text, *run.span(), wrong)]


def _hidden(text: str, start: int, end: int, wrong: frozenset[int]) -> Iterator[Hidden]:
    gone = range(start, end) if end - start > LONGEST else _unneeded(text, start, end, wrong)
    if len(gone) == 1:
        yield (gone[0], gone[0] + 1), *_KINDS[text[gone[0]]]
        return
    # Neighbours of one kind are one finding.
    for (kind, _), group in groupby(enumerate(gone), lambda one: (_KINDS[text[one[1]]], one[1] - one[0])):
        places = [place for _, place in group]
        yield (places[0], places[-1] + 1), *kind


def _unneeded(text: str, start: int, end: int, wrong: frozenset[int]) -> Sequence[int]:
    run = text[start:end]
    if of.DIRECTION.isdisjoint(run):
        kept = needed(Run.between(run, text, start, end))
        return [start + index for index in range(len(run)) if index not in kept]
    others = [place for place in range(start, end) if text[place] not in of.DIRECTION]
    gone = wrong.intersection(range(start, end))
    if others:
        kept = needed(Run.between("".join(text[place] for place in others), text, start, end))
        gone |= {place for index, place in enumerate(others) if index not in kept}
    return sorted(gone)


def _kind(one: str) -> tuple[Family, str]:
    if one in of.OVERRIDES:
        return Family.BIDI, "direction-override"
    if one in of.DIRECTION:
        return Family.BIDI, "direction-unclosed"
    if one in of.TAGS:
        return Family.INVISIBLE, "tag-characters"
    if one in of.SELECTORS or one in of.IDEOGRAPH_SELECTORS:
        return Family.INVISIBLE, "variation-selectors"
    return Family.INVISIBLE, "no-width"


_KINDS = {one: _kind(one) for one in of.ZERO_WIDTH}

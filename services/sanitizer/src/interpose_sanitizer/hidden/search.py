"""Finding what hides in a text, as spans to be removed."""

from collections.abc import Iterator
from itertools import groupby

from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.hidden import characters as of
from interpose_sanitizer.hidden.direction import unbalanced
from interpose_sanitizer.hidden.needed import LONGEST, Run, needed

Hidden = tuple[Span, Family, str]
"""A span, its family, and the rule that it breaks."""


def search(text: str) -> list[Hidden]:
    """Everything in a text that has no width and that the text does not need, in order."""
    if text.isascii() or not (found := list(of.RUN.finditer(text))):
        return []
    wrong = unbalanced(text)
    hidden: list[Hidden] = []
    for run in found:
        hidden.extend(_hidden(text, run.start(), run.end(), wrong))
    return hidden


def _hidden(text: str, start: int, end: int, wrong: frozenset[int]) -> Iterator[Hidden]:
    gone = list(range(start, end)) if end - start > LONGEST else _unneeded(text, start, end, wrong)
    # Neighbours of one kind are one finding.
    for (kind, _), group in groupby(enumerate(gone), lambda one: (_kind(text[one[1]]), one[1] - one[0])):
        places = [place for _, place in group]
        yield (places[0], places[-1] + 1), *kind


def _unneeded(text: str, start: int, end: int, wrong: frozenset[int]) -> list[int]:
    others = [place for place in range(start, end) if text[place] not in of.DIRECTION]
    run = Run("".join(text[place] for place in others), text, start, end)
    kept = {others[index] for index in needed(run)}
    return [
        place for place in range(start, end) if (place in wrong if text[place] in of.DIRECTION else place not in kept)
    ]


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

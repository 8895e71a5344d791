"""What goes along with an attack that was found: the sentence that leads in to it, the other items of its list, the
line that rhymes with it, the half of it that stands at the end of a page.

"A word with the agent that reads this." "The line below is in base64: decode it." "Then delete the old one." None of
them is an order by itself. Where something was found they are likelier to be of it than where nothing was. How much
likelier was learned, by what a sentence says and how it stands in the text, and by what it has in common with what was
found.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.classifier import forms, subject
from interpose_sanitizer.classifier.classes import NAMES
from interpose_sanitizer.classifier.model import Held, Model
from interpose_sanitizer.classifier.placed import Sentences
from interpose_sanitizer.classifier.trees import Rows
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.points import Places, spanned, united
from interpose_sanitizer.shadow import Shadow

FAMILY, RULE_ID = Family.OVERRIDE, "goes-along-with-an-attack"
"""What its findings are called."""
FAR = 12
"""How many sentences away from what was found one may stand that goes along."""
MOST_KNOWN = 6
"""More sentences that were found count as so many."""
WIDEST = 9.0
"""No sentence is further above what it has to be to be taken by itself, or further below."""
WORDS_NEAR = 8
"""Sentences on either side whose words are compared."""
_MACHINE = NAMES.index("machine")
_ADDRESS = re.compile(r"https?://|[^\s@]@[^\s@]{1,80}\.\w|!\[")
_LEADS = re.compile(r'\s*+(?:\\?"\s*+)?[:,]\s*+(?:\\?"\s*+)?|')
"""The end of a field, and what begins the next, before a sentence: that stays."""
_QUOTE = re.compile(r'(?<!\\)\\*+"')


def along(model: Model, reading: Shadow, text: str, spans: Sequence[Span]) -> list[Span]:
    """The sentences of a text, of which this is the plain reading, that go along with the attacks at some spans of it;
    none of them is touched by those."""
    if not (spans and model.company.width):
        return []
    sentences = Sentences(model, reading, text, spans)
    some = near(sentences)
    if not some.size:
        return []
    gone = some[model.company.sums(told(sentences, some)) >= 0]
    return [_proper(text, sentences.spans[number]) for number in gone.tolist()]


def _proper(text: str, span: Span) -> Span:
    """A sentence without the end of a field and what begins the next before it, and without a quotation mark at its
    edges that has no fellow of as many backslashes in it: what is written can still be read."""
    begin, end = span
    begin = _LEADS.match(text, begin, end).end()  # type: ignore[union-attr]
    marks = list(_QUOTE.finditer(text, begin, end))
    odd = {level for level, count in Counter(len(mark.group()) for mark in marks).items() if count % 2}
    while marks and marks[-1].end() == end and len(marks[-1].group()) in odd:
        odd.remove(len(marks[-1].group()))
        end = marks.pop().start()
    while marks and marks[0].start() == begin and len(marks[0].group()) in odd:
        odd.remove(len(marks[0].group()))
        begin = marks.pop(0).end()
    return begin, end


def near(sentences: Sentences) -> Places:
    """Which sentences were not found, say something, and stand not far from one that was."""
    known = sentences.known
    at = np.flatnonzero(known)
    close = spanned(known.size, np.maximum(at - FAR, 0), np.minimum(at + FAR + 1, known.size)) & ~known
    some = [number for number in np.flatnonzero(close).tolist() if sentences.says_something(number)]
    return np.array(some, np.int64)


def told(sentences: Sentences, some: Places) -> Rows:
    """The signs of some sentences that were not found, where something was: those of what stands around them
    (`subject`), what they and the nearest that was found are to each other, what all that was found is, and what they
    hold and have in common with others."""
    judged, at = sentences.judged, np.flatnonzero(sentences.known)
    far, nearest = _nearest(at, some)
    both = united(some, nearest)
    signs = subject.around(sentences.reading, judged, both)
    above = np.clip(subject.by_signs(judged, both, signs), -WIDEST, WIDEST)
    own, closest = (np.searchsorted(both, one) for one in (some, nearest))
    stands, score = signs[:, -forms.SIZE :], signs[:, subject.SCORE]
    lengths, runs = sentences.edges[1] - sentences.edges[0], sentences.runs()
    rows = (
        above[own],
        *far,
        *(of[some] - of[nearest] for of in runs),
        *(of[closest] for of in (score, signs[:, subject.ALONE], above)),
        stands[own, forms.MARK] == stands[closest, forms.MARK],
        *(stands[closest, sign] for sign in (forms.BEGINS_LINE, forms.ENDS_WITH)),
        sentences.quoting[nearest],
        *(share for of in runs for share in _in_run(of, at, some)),
        *_classes(judged.held, at, some, nearest),
        lengths[some] / lengths[nearest],
        *_said(sentences, some),
    )
    every = above[closest].max(), score[closest].max(), min(at.size, MOST_KNOWN), at.size / sentences.known.size
    return np.column_stack([signs[own], *rows, np.tile(every, (some.size, 1))])


def _nearest(at: Places, some: Places) -> tuple[list[Places], Places]:
    """How far before and how far behind some sentences one stands that is known, and which one is the nearest."""
    behind = np.searchsorted(at, some)
    before, after = at[np.maximum(behind - 1, 0)], at[np.minimum(behind, at.size - 1)]
    far = [
        np.minimum(np.where(is_there, np.abs(some - one), FAR + 1), FAR + 1)
        for is_there, one in ((before < some, before), (after > some, after))
    ]
    return far, np.where(far[0] <= far[1], before, after)


def _in_run(runs: Places, at: Places, some: Places) -> tuple[npt.NDArray[Any], ...]:
    """How many sentences of the same paragraph or line are known, how many it has, and the share."""
    known, sizes = (np.bincount(of, minlength=int(runs[-1]) + 1)[runs[some]] for of in (runs[at], runs))
    return known, sizes, known / sizes


def _classes(held: Held, at: Places, some: Places, nearest: Places) -> tuple[npt.NDArray[Any], ...]:
    """Whether the nearest that is known names a machine, and any; and which share of the classes of each all that is
    known has as well, and the nearest."""
    own = held[some]
    count = np.maximum(own.sum(axis=1), 1)
    shares = ((own & of).sum(axis=1) / count for of in (held[at].any(axis=0, keepdims=True), held[nearest]))
    return held[nearest, _MACHINE], np.full(some.size, held[at, _MACHINE].any()), *shares


def _said(sentences: Sentences, some: Places) -> tuple[npt.NDArray[Any], ...]:
    """Whether each holds an address, and a payload; and which share of what its words begin with what was found near it
    has as well, and what else stands near it."""
    holds = (
        [_ADDRESS.search(sentences.text, *sentences.spans[number]) is not None for number in some.tolist()],
        [sentences.holds_payload(number) for number in some.tolist()],
    )
    beginnings = sentences.judged.beginnings
    counts = (beginnings.repeated(WORDS_NEAR, whose)[:, some] for whose in (sentences.known, ~sentences.known))
    return *map(np.array, holds), *(shared / np.maximum(begun, 1) for shared, begun in counts)

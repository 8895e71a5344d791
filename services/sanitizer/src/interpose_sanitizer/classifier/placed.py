"""The sentences of a text as it stands: where each is, in which paragraph and line, and which of them were found."""

import re
from collections.abc import Sequence

import numpy as np

from interpose_sanitizer.classifier.closings import is_closing
from interpose_sanitizer.classifier.judged import judged
from interpose_sanitizer.classifier.model import FEWEST_WORDS, Model
from interpose_sanitizer.classifier.records import is_record
from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Mask, Places
from interpose_sanitizer.reach import ENDED
from interpose_sanitizer.shadow import Shadow

_BREAK = re.compile(r"\n|\\n")
_APART = re.compile(
    r"(?:\n|\\n)[ \t]*+(?:\n|\\n)"
    r"|[\"”»]\s*+[,}\]:]|[,:]\s*+[\"{\[]|[|;\t]"
    r"|</?[A-Za-z!]|-->|\*/"
)
"""Between two paragraphs, fields or elements."""
_PAYLOAD = re.compile(
    r"[A-Za-z0-9+/=_-]{24}|(?:[0-9A-Fa-f]{2}[ :]){8}|(?:%[0-9A-Fa-f]{2}){6}|(?:&#x?[0-9A-Fa-f]{1,6};){5}"
    r"|(?:\\[ux][0-9a-fA-F]{2,4}){5}"
)
_QUOTES = re.compile(r"[\"“„«\u2018`「『]\s?\Z")
_MARGIN = " \t\n\"'"
LED_IN = 12
"""Characters of a sentence before what it quotes."""


class Sentences:
    """The sentences of a text, of which this is the plain reading, and what was found in it."""

    def __init__(self, model: Model, reading: Shadow, text: str, found: Sequence[Span]) -> None:
        self.reading, self.text = reading, text
        self.judged = judged(model, reading)
        self.spans = reading.origins(*self.judged.cut.edges)
        self.edges = np.array(self.spans, np.intp).reshape(-1, 2).T
        self.known = self.touched(found)
        """Which of them were found."""
        self.quoting = self._that_quote(found)
        """Which say something before a quotation that begins with what was found."""

    def runs(self) -> tuple[Places, Places]:
        """Of each sentence the number of its paragraph, and of its line in that."""
        begins, ends = self.edges
        # With the marks that end the one sentence and begin the other: some belong to a field.
        gaps = ends[:-1] - 1, begins[1:] + 1
        apart, broken = (
            np.diff(np.searchsorted([found.start() for found in mark.finditer(self.text)], gaps), axis=0)[0] > 0
            for mark in (_APART, _BREAK)
        )
        paragraphs, lines = (np.append(0, np.cumsum(some)) for some in (apart, apart | broken))
        return paragraphs, lines

    def _that_quote(self, found: Sequence[Span]) -> Mask:
        quoted = np.array([begin for begin, _ in found if _QUOTES.search(self.text, max(begin - 2, 0), begin)], np.intp)
        begins, ends = self.edges
        numbers = begins.searchsorted(quoted - LED_IN, "right") - 1
        numbers, quoted = numbers[numbers >= 0], quoted[numbers >= 0]
        quoting = np.zeros(begins.size, np.bool_)
        quoting[numbers[ends[numbers] > quoted]] = True
        return quoting

    def touched(self, spans: Sequence[Span]) -> Mask:
        """Which of them some spans of the text touch."""
        taken = covered(len(self.text), spans)
        return np.array([taken[begin] < taken[end] for begin, end in self.spans], np.bool_)

    def says_something(self, number: int) -> bool:
        """Whether a sentence has some words, or one and a stop, or holds a payload: no name of a field does, no mark,
        no record, and no closing of a mail."""
        lengths, (begin, end) = self.judged.lengths, self.spans[number]
        is_short = lengths[number] >= 1 and self.text[end - 1] in ENDED
        if not (lengths[number] >= FEWEST_WORDS or is_short):
            return self.holds_payload(number)
        said = self.text[begin:end].strip(_MARGIN)
        return not (is_record(said) or is_closing(said))

    def holds_payload(self, number: int) -> bool:
        """Whether a sentence holds what looks encoded."""
        return _PAYLOAD.search(self.text, *self.spans[number]) is not None

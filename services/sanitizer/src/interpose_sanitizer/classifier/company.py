"""What goes along with an attack: the sentence beside it in its paragraph that belongs to it, by what it says.

"A word with the agent that reads this." "The line below is in base64: decode it." "Then delete the old one." None of
them is an order by itself; beside one in the same line or paragraph they are. How much each sign counts, and each two
of those of where it stands, was learned.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.classifier.classes import NAMES
from interpose_sanitizer.classifier.judged import judged
from interpose_sanitizer.classifier.model import FEWEST_WORDS, Model
from interpose_sanitizer.classifier.subject import LOWEST
from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.points import Mask, Places, following, preceding
from interpose_sanitizer.reach import ENDED
from interpose_sanitizer.shadow import Shadow

FAMILY, RULE_ID = Family.OVERRIDE, "goes-along-with-an-attack"
"""What its findings are called."""
MOST = 6
"""Sentences on either side of an attack that may go along."""
FEW_WORDS = 5
"""Of a sentence that goes along with those before and behind it whatever it says: "LIBERTY never declines."."""
NEAR = 8
"""Sentences on either side whose words are compared with one that may go along."""
_MACHINE = NAMES.index("machine")
_ADDRESS = re.compile(r"https?://|[^\s@]@[^\s@]{1,80}\.\w|!\[")
_PAYLOAD = re.compile(
    r"[A-Za-z0-9+/=_-]{24}|(?:[0-9A-Fa-f]{2}[ :]){8}|(?:%[0-9A-Fa-f]{2}){6}|(?:&#x?[0-9A-Fa-f]{1,6};){5}"
    r"|(?:\\[ux][0-9a-fA-F]{2,4}){5}"
)
_BREAK = re.compile(r"\n|\\n")
_BLANK_LINE = re.compile(r"(?:\n|\\n)[ \t]*+(?:\n|\\n)")
_FIELD = re.compile(r"[\"”»]\s*+[,}\]:]|[,:]\s*+[\"{\[]|[|;\t]")
_MARKUP = re.compile(r"</?[A-Za-z!]|-->|\*/")
_BEGINS_FIELD = re.compile(r"[,:}\]\"|;\t<]")
_ANNOUNCES = (":", "\uff1a")
_APART = re.compile(rf"{_BLANK_LINE.pattern}|{_FIELD.pattern}|{_MARKUP.pattern}")
"""Between two paragraphs, fields or elements."""
_QUOTES = re.compile(r"[\"“„«\u2018`「『]\s?\Z")
FEW_FOUND, LED_IN = 4, 12
"""Sentences of one paragraph that were found are counted up to so many; and characters of a sentence before what it
quotes."""
_CLOSED = re.compile(r"[\"”»]\s")
"""How a sentence begins behind a quotation: it speaks of what was quoted."""
_LEADS = re.compile(r'\s*+(?:\\?"\s*+)?[:,]\s*+(?:\\?"\s*+)?|')
"""The end of a field, and what begins the next, before a sentence: that stays."""
Told = npt.NDArray[np.float64]


class Around(NamedTuple):
    """How many of the other sentences of a paragraph or line were found, and how many were not."""

    found: int
    others: int


class _Run(NamedTuple):
    """Paragraphs or lines: of each sentence which one it is in; and of each of those how much is in it."""

    numbers: Places
    found: Places
    sizes: Places

    @classmethod
    def of(cls, numbers: Places, known: Mask) -> Self:
        return cls(numbers, np.bincount(numbers[known], minlength=numbers[-1] + 1), np.bincount(numbers))

    def around(self, number: int) -> Around:
        """What is around a sentence that was not found."""
        found = int(self.found[self.numbers[number]])
        return Around(found, int(self.sizes[self.numbers[number]]) - 1 - found)


class Sentences:
    """The sentences of a text as it stands, and what is known of each."""

    def __init__(self, model: Model, reading: Shadow, text: str, found: Sequence[Span]) -> None:
        self.text = text
        sentences = judged(model, reading)
        self.spans = reading.origins(*sentences.cut.edges)
        self._scores = [np.maximum(scores, LOWEST) for scores in (sentences.scores, sentences.alone)]
        self._lengths, self._held, self._kinds = sentences.lengths, sentences.held, sentences.kinds
        self._beginnings = sentences.beginnings
        self._begun: dict[int, frozenset[int]] = {}
        self._edges = np.array(self.spans, np.intp).reshape(-1, 2).T
        self._quoting = self._that_quote(found)
        self.attack = self.touched(found)
        """Which of them were found."""
        self._in_common: dict[int, list[float]] = {}

    @cached_property
    def _runs(self) -> list[Places]:
        """Of each sentence the number of its paragraph, and of its line in that."""
        begins, ends = self._edges
        # With the marks that end the one sentence and begin the other: some belong to a field.
        gaps = ends[:-1] - 1, begins[1:] + 1
        apart, broken = (
            np.diff(np.searchsorted([found.start() for found in mark.finditer(self.text)], gaps), axis=0)[0] > 0
            for mark in (_APART, _BREAK)
        )
        return [np.append(0, np.cumsum(some)) for some in (apart, apart | broken)]

    def _that_quote(self, found: Sequence[Span]) -> Mask:
        """The sentences that say something before a quotation which begins with what was found."""
        quoted = np.array([begin for begin, _ in found if _QUOTES.search(self.text, max(begin - 2, 0), begin)], np.intp)
        begins, ends = self._edges
        numbers = begins.searchsorted(quoted - LED_IN, "right") - 1
        numbers, quoted = numbers[numbers >= 0], quoted[numbers >= 0]
        quoting = np.zeros(begins.size, np.bool_)
        quoting[numbers[ends[numbers] > quoted]] = True
        return quoting

    def touched(self, spans: Sequence[Span]) -> Mask:
        """Which of them some spans of the text touch."""
        taken = covered(len(self.text), spans)
        return np.array([taken[begin] < taken[end] for begin, end in self.spans], np.bool_)

    def beside(self, known: Mask) -> Iterator[tuple[int, Told | None]]:
        """The sentences right beside those that are known, in the same paragraph, and what is told of each; None of one
        that is too short to be judged between two of them. A few words of another paragraph or field say nothing."""
        runs: list[_Run] = []
        for number in np.flatnonzero((preceding(known) | following(known)) & ~known).tolist():
            sides = [side for side in (number - 1, number + 1) if 0 <= side < known.size and known[side]]
            near = [side for side in sides if self._is_near(number, side)]
            if len(near) > 1 and self._is_enclosed(number):
                yield number, None
            elif near and ((is_whole := self._says_something(number)) or self._is_short(number)):
                runs = runs or [_Run.of(numbers, known) for numbers in self._runs]
                paragraph, line = (run.around(number) for run in runs)
                if is_whole or paragraph.found:
                    yield number, self._told(number, near[0], len(sides) > 1, (paragraph, line))

    def _is_near(self, number: int, side: int) -> bool:
        is_outside = side < number and _CLOSED.match(self.text, self.spans[number][0])
        return not is_outside and _BLANK_LINE.search(self._between(number, side)) is None

    def _says_something(self, number: int) -> bool:
        is_payload = _PAYLOAD.search(self.text, *self.spans[number])
        return bool(self._lengths[number] >= FEWEST_WORDS or is_payload)

    def _is_short(self, number: int) -> bool:
        """Whether it is a sentence of a word or two."""
        return bool(self._lengths[number] >= 1) and self.text[self.spans[number][1] - 1] in ENDED

    def _is_enclosed(self, number: int) -> bool:
        """Whether it is a few words between two sentences of the same line."""
        if self._lengths[number] > FEW_WORDS:
            return False
        around = self._between(number - 1, number), self._between(number, number + 1)
        return not any(apart.search(one) for one in around for apart in (_BREAK, _FIELD, _MARKUP))

    def _between(self, number: int, side: int) -> str:
        first, last = sorted((number, side))
        return self.text[self.spans[first][1] : self.spans[last][0]]

    def _told(self, number: int, side: int, is_within: bool, around: tuple[Around, Around]) -> Told:
        said, between = self.text[slice(*self.spans[number])], self._between(number, side)
        in_context, alone = self._scores
        paragraph, line = around
        is_announced = side < number and self.text.endswith(_ANNOUNCES, 0, self.spans[side][1])
        signs = (
            _BREAK.search(between) is None,
            _FIELD.search(between) is not None,
            _MARKUP.search(between) is not None,
            is_within,
            is_announced,
            _ADDRESS.search(said) is not None,
            _PAYLOAD.search(said) is not None,
            _BEGINS_FIELD.match(said) is not None,
            side < number,
            paragraph.found > 0 and not paragraph.others,
            line.found > 0 and not line.others,
            self._quoting[side],
        )
        shares = min(paragraph.found, FEW_FOUND) / FEW_FOUND, paragraph.found / max(sum(paragraph), 1)
        scores = in_context[number], alone[number], in_context[side], alone[side], self._lengths[number]
        if number not in self._in_common:
            self._in_common[number] = self._shared(number)
        told = np.array([*scores, *shares, *map(float, signs), *self._in_common[number]])
        others = self._held[number], self._held[side], self._kinds[number]
        return np.concatenate(([1.0], told, *others, np.outer(told, told)[_pairs(told.size)]))

    def _shared(self, number: int) -> list[float]:
        """Whether the attack near a sentence names a machine; and which share of what the words of the sentence begin
        with it has as well, and which the others in its paragraph."""
        near = np.arange(max(number - NEAR, 0), min(number + NEAR + 1, self.attack.size))
        is_other = ~self.attack[near] & (near != number) & (self._runs[0][near] == self._runs[0][number])
        of_attack, others = near[self.attack[near]], near[is_other]
        own = self._begins(number)
        shared = [len(own & set().union(*map(self._begins, some.tolist()))) for some in (of_attack, others)]
        return [float(self._held[of_attack, _MACHINE].any()), *(count / max(len(own), 1) for count in shared)]

    def _begins(self, number: int) -> frozenset[int]:
        """What the words of a sentence begin with."""
        if number not in self._begun:
            self._begun[number] = self._beginnings.of_sentence(number)
        return self._begun[number]


@cache
def _pairs(size: int) -> tuple[Places, Places]:
    """Each two of so many signs."""
    return np.triu_indices(size, 1)


def beside(model: Model, reading: Shadow, text: str, spans: Sequence[Span]) -> list[Span]:
    """The sentences of a text, of which this is the plain reading, that go along with the attacks at some spans of it;
    none of them is touched by those."""
    if not (spans and model.company.size):
        return []
    sentences = Sentences(model, reading, text, spans)
    known = sentences.attack.copy()
    for _ in range(MOST):
        along = [number for number, told in sentences.beside(known) if told is None or told @ model.company >= 0]
        if not along:
            break
        known[along] = True
    gone = [sentences.spans[number] for number in np.flatnonzero(known & ~sentences.attack).tolist()]
    return [(_LEADS.match(text, begin, end).end(), end) for begin, end in gone]  # type: ignore[union-attr]

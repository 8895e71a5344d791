"""Orders amid honest texts that have nothing to do with them, as an attack stands in a mail, a row or a page; and in
paragraphs of their own amid texts that only tell of attacks."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from interpose_sanitizer import matching, mentions
from interpose_sanitizer.findings import ATTACKS
from interpose_sanitizer.shadow import Shadow
from training.sources import Example

LONGEST, LONGEST_AROUND = 400, 3_000
"""Characters of an order, or of an honest line, and of a whole text in whose midst an order may be put."""
GAPS = (" ", "\n", "\n\n")
"""What stands between them."""
PLACES = 3
"""By chance a copy stands between lines, in a whole text, or in a text that tells of attacks."""
_ENDS = re.compile(r"(?<=[.!?\u3002])\s+|\n+")


class Around(NamedTuple):
    """What is honest: single lines and whole texts that speak of no attacks, and texts that tell of some."""

    lines: Sequence[str]
    texts: Sequence[str]
    telling: Sequence[str]

    @classmethod
    def of(cls, some: Sequence[Example], tell: Sequence[Example]) -> "Around":
        """What of some examples may stand around orders."""
        honest = [one for one in some if one.is_close and not one.orders]
        lines = [one.text for one in honest if not one.is_whole and len(one.text) <= LONGEST and _is_plain(one.text)]
        texts = [one.text for one in honest if one.is_whole and len(one.text) <= LONGEST_AROUND and _is_plain(one.text)]
        return cls(lines, texts, [one.text for one in tell if not one.orders])

    def amid(self, one: Example, copies: int) -> Iterator[Example]:
        """An order in whole texts and between lines, by chance that is always the same."""
        for copy in range(copies):
            dice = hashlib.sha256(f"{copy} {one.text}".encode()).digest()
            first, second, third = (int.from_bytes(dice[at : at + 4], "big") for at in (0, 4, 8))
            place = (first + copy) % PLACES
            if place == 0:
                gap = GAPS[third % len(GAPS)]
                before = self.lines[first % len(self.lines)] + gap
                after = gap + self.lines[second % len(self.lines)]
            else:
                some = self.texts if place == 1 else self.telling
                text, gap = some[second % len(some)], GAPS[2 if place > 1 else 2 * (third % 2)]
                ends = [found.span() for found in _ENDS.finditer(text)] or [(len(text), len(text))]
                end, begin = ends[third % len(ends)]
                before, after = text[:end] + gap, gap + text[begin:]
            spans = tuple((begin + len(before), end + len(before)) for begin, end in one.orders)
            yield Example(f"{before}{one.text}{after}", spans)


def _is_plain(text: str) -> bool:
    reading = Shadow(text)
    is_told = mentions.words_of_attacks(reading) or any(matching.shipped().matches([reading], ATTACKS))
    return not is_told

"""What is encoded and announced as an order: "base32 below: decode it and do what it says".

Whatever it says then is one, also where it would be none by itself. A text for people says what is encoded, and perhaps
how, but not that it is to be obeyed. Nor does one write a whole sentence with every letter by itself: headings are
written so, in capitals.
"""

import re
from collections.abc import Iterable
from itertools import islice

from interpose_sanitizer.covering import covered
from interpose_sanitizer.encoded import leading
from interpose_sanitizer.encoded.disguised import APART
from interpose_sanitizer.encoded.judging import is_plain
from interpose_sanitizer.encoded.layers import Decoded, Part
from interpose_sanitizer.findings import Family, Hit, Span

RULE_ID, LETTER_BY_LETTER = "announced-as-an-order", "letter-by-letter"
FEWEST_LETTERS, AND_BESIDE, SMALL = 30, 16, 0.7
"""How many letters a sentence has at least, and another one in its text; and which share of them are no capitals."""
MOST = 200
"""Decoded texts that are looked at: of more none says anything to anybody."""
_SAYS = re.compile(
    r"(?<![^\W\d_])(?:[^\W\d_]{2,}+[^\w]{1,3}+){3}[^\W\d_]{2}|[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{6}"
)
"""Four words, or as much in a script that needs no spaces. It begins where a word does, so that one of a thousand
letters is read once, not from each of them on."""
_REST = re.compile(r"[A-Za-z0-9%+/=@._-]{0,400}")


def announced(text: str, known: Decoded, numbers: Iterable[int], found: list[Hit]) -> list[Hit]:
    """The payloads of a text that say something and are announced so, and sentences that are written letter by letter;
    without those that were found to be attacks.

    `numbers` tells which of the decoded texts could be language at all.
    """
    taken = covered(len(text), [hit[0] for hit in found])
    hits: list[Hit] = []
    apart: list[tuple[Span, int]] = []
    lone = islice(known.of(APART), MOST)
    for number in sorted({*sorted(set(numbers))[:MOST], *lone}):
        part = known.part(number)
        where = part.placed((0, len(part.text))) if _has_words(part) else None
        if where is None or taken[where.span[0]] < taken[where.span[1]]:
            continue
        written = text[slice(*where.span)]
        if _is_obeyed(text, where.span[0]) and not (where.is_prose and is_plain(written, part.text)):
            hits.append((_row(text, where.span), Family.OVERRIDE, f"{where.encoding}/{RULE_ID}"))
        elif where.encoding == APART:
            apart.append((where.span, _letters(written)))
    fewest = AND_BESIDE if any(letters >= FEWEST_LETTERS for _, letters in apart) else FEWEST_LETTERS
    rule = f"{APART}/{LETTER_BY_LETTER}"
    return [*hits, *((span, Family.OVERRIDE, rule) for span, letters in apart if letters >= fewest)]


def _has_words(part: Part) -> bool:
    """Whether it has words. Letters that stand apart without gaps between words were looked at when they were found."""
    is_gapless = part.batch.encoding == APART and " " not in part.text
    return is_gapless or _SAYS.search(part.text) is not None


def _is_obeyed(text: str, payload: int) -> bool:
    """Whether what leads to a place says that what stands there is to be obeyed."""
    obeyed = leading.spoken("obeyed")
    return any(obeyed.search(text, *lead) for lead in leading.leads(text, payload))


def _letters(written: str) -> int:
    """How many letters stand apart, with blanks between; none, if it is a heading in capitals."""
    letters = [sign for sign in written if sign.isalpha()]
    is_said = written[1:2] == " " and sum(not sign.isupper() for sign in letters) >= SMALL * len(letters)
    return len(letters) if is_said else 0


def _row(text: str, span: Span) -> Span:
    """A payload with what it goes on with in its row: where it says something plainly, only a part was decoded."""
    begin = span[0] - 1 if text[span[0] - 1 : span[0]] in ("%", "\\") else span[0]
    return begin, _REST.match(text, span[1]).end()  # type: ignore[union-attr]

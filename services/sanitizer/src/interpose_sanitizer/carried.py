"""What texts carry that are not shown, or were decoded: many are asked about at once, each as if it stood alone."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.matching import MOST_MATCHES
from interpose_sanitizer.rules import Place

SEPARATOR = "\n\n\u241e\u241e\n\n"
"""Between two texts: nothing that a rule lets stand between two words, and no letter that stands apart."""
MOST_APART = 50
"""Texts that are asked about by themselves, because something was found that begins in one and ends in another."""


class Attack(NamedTuple):
    """An attack: where in a text, of which family, by which rule, and where such rules hold."""

    span: Span
    family: Family
    rule: str
    place: Place = Place.ANYWHERE


Carries = Callable[[str], Sequence[Attack]]
"""Every attack in a text; MOST_MATCHES of them where there may be more."""


def carried(texts: Sequence[str], carries: Carries) -> Iterator[tuple[int, Attack]]:
    """The attacks in some texts, by the number of the text, in order.

    Where there are more than anybody lists, each of the texts is taken for one: some were not looked at.
    """
    starts = list(accumulate((len(text) + len(SEPARATOR) for text in texts), initial=0))
    found = carries(SEPARATOR.join(texts)) if texts else ()
    if len(found) >= MOST_MATCHES:
        yield from ((number, _whole(text, found[0])) for number, text in enumerate(texts))
        return
    told: list[tuple[int, Attack]] = []
    crossed: dict[int, Attack] = {}
    for attack in found:
        number = bisect_right(starts, attack.span[0]) - 1
        begin, end = (place - starts[number] for place in attack.span)
        if end <= len(texts[number]):
            told.append((number, attack._replace(span=(begin, end))))
        else:
            crossed |= dict.fromkeys(range(number, bisect_right(starts, attack.span[1] - 1)), attack)
    yield from sorted([*told, *_apart(texts, crossed, carries)])


def _apart(texts: Sequence[str], crossed: dict[int, Attack], carries: Carries) -> Iterator[tuple[int, Attack]]:
    for asked, (number, attack) in enumerate(crossed.items()):
        found = carries(texts[number]) if asked < MOST_APART else [_whole(texts[number], attack)]
        yield from ((number, one) for one in found)


def _whole(text: str, attack: Attack) -> Attack:
    return attack._replace(span=(0, len(text)))

"""Finding attacks in encodings: everything is decoded, and what that decodes to; then all of it is judged at once."""

from collections.abc import Sequence

from interpose_sanitizer.carried import Carries
from interpose_sanitizer.encoded import (
    backwards,
    ciphers,
    disguised,
    dumps,
    escapes,
    framed,
    humps,
    numerals,
    overridden,
    packed,
    parted,
    radixes,
    scattered,
    shifted,
    spelled,
    turned,
)
from interpose_sanitizer.encoded.announced import announced
from interpose_sanitizer.encoded.batch import Batch, Finder
from interpose_sanitizer.encoded.budget import DEPTH, Budget
from interpose_sanitizer.encoded.judging import Judge
from interpose_sanitizer.encoded.layers import Decoded, Layer
from interpose_sanitizer.encoded.leading import with_leads
from interpose_sanitizer.encoded.likeness import readable
from interpose_sanitizer.findings import Family, Hit, Span

FINDERS: Sequence[Finder] = (
    radixes.find,
    radixes.find_turned,
    packed.find,
    dumps.find,
    escapes.find,
    framed.find,
    numerals.find,
    spelled.find,
    overridden.find,
    ciphers.find,
    shifted.find,
    disguised.find,
    backwards.find,
    turned.find,
    humps.find,
    scattered.find,
    parted.find,
)
"""In the order in which they may spend."""


def search(text: str, carries: Carries, discloses: Carries | None = None, shown: Carries | None = None) -> list[Hit]:
    """The payloads whose decoded text carries an attack, or a secret, each once, in order, by their spans in `text`;
    and what leads to them.

    `carries` is asked about decoded texts that could be language, many at once, `discloses` about all of them; `shown`,
    if there is one, about prose in which most words stand as they are. A rule's id begins with the encodings. What is
    beyond the budget is a hit of every family, for nobody knows what it says.
    """
    budget = Budget(len(text))
    judge = Judge(text, carries, discloses, shown or carries, budget)
    known, beyond = _decoded(text, budget)
    pieces = readable(known.texts)
    found: dict[tuple[Span, Family], Hit] = {}
    for hit in (*judge.judge(known, pieces), *judge.refused(beyond, range(len(beyond.texts)))):
        found.setdefault(hit[:2], hit)
    orders = announced(text, known, (number for number, _ in pieces), list(found.values()))
    hits = dumps.whole(text, parted.whole(text, [*found.values(), *orders]))
    return with_leads(text, sorted(hits, key=lambda hit: hit[0]))


def _decoded(text: str, budget: Budget) -> tuple[Decoded, Decoded]:
    """All that is decoded, depth by depth, and what is beyond what may be."""
    layer = Layer(text)
    known, beyond = Decoded(), Decoded()
    for _ in range(DEPTH):
        batches = [batch for finder in FINDERS for batch in finder(layer.source, budget)]
        kept, left = _shared(batches, budget.decode([len(part) for batch in batches for part in batch.parts]))
        known.add(layer, kept)
        beyond.add(layer, left)
        layer = layer.below([batch for batch in kept if not batch.is_final])
        if not layer.source.text:
            break
    return known, beyond


def _shared(batches: Sequence[Batch], count: int) -> tuple[list[Batch], list[Batch]]:
    """The first so many parts of some batches, and the others."""
    kept, left = list[Batch](), list[Batch]()
    for batch in batches:
        here = min(count, len(batch.parts))
        count -= here
        if here:
            kept.append(batch.until(here))
        if here < len(batch.parts):
            left.append(batch.since(here))
    return kept, left

"""Text whose direction is overridden (UAX 9, LRO and RLO): it may be written backwards, since it is shown forwards."""

import re
from collections.abc import Iterator

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.source import Source

SHORTEST = 12
"""Characters: names that lie about their ending are shorter, and say nothing to a model."""
_TURNS, _BREAKS = "\u202a-\u202e\u2066-\u2069", "\n\u2029"
_INNER = (
    f"[\u202a\u202b\u202d\u202e][^{_TURNS}{_BREAKS}]*+\u202c|[\u2066-\u2068][^{_TURNS}{_BREAKS}]*+\u2069"
    f"|[\u202a\u202b\u202d\u202e\u2066-\u2068]"
)
_OVERRIDDEN = re.compile(f"[\u202d\u202e]((?:[^{_TURNS}{_BREAKS}]++|{_INNER})++)")
_TURN = re.compile(f"[{_TURNS}]")


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Whatever an override turns round, as it is shown; it goes whole, up to its end, that of what it stands in, or its
    line's."""
    if "\u202d" in source.text or "\u202e" in source.text:
        found = [(one.span(1), _TURN.sub("", one[1])[::-1]) for one in _OVERRIDDEN.finditer(source.text)]
        yield Batch.of_payloads("overridden", [(span, said) for span, said in found if len(said) >= SHORTEST])

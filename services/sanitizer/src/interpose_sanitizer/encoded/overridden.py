"""Text whose direction is overridden (UAX 9, LRO and RLO): it may be written backwards, since it is shown forwards."""

import re
from collections.abc import Iterator

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.source import Source

SHORTEST = 12
"""Characters: names that lie about their ending are shorter, and say nothing to a model."""
_TURNS = "\u202a-\u202e\u2066-\u2069"
_OVERRIDDEN = re.compile(rf"[\u202d\u202e]([^\u202c\n\u2029]{{{SHORTEST},}}+)")
_TURN = re.compile(f"[{_TURNS}]")


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Whatever an override turns round, as it is shown; it goes whole, up to the end of its line (BD9)."""
    if "\u202d" in source.text or "\u202e" in source.text:
        found = [(one.span(1), _TURN.sub("", one[1])[::-1]) for one in _OVERRIDDEN.finditer(source.text)]
        if found:
            yield Batch.of_payloads("overridden", found)

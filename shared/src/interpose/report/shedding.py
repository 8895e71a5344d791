"""A report that fits: what is dropped, in which order, so that the core of it always goes.

First the result, then evidence from its end, then the error is cut, then omitted. The gateway takes 1 MiB and 50,000
values; a report is kept below that with room to spare. `shed` tells the gateway what it does not see.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from interpose.contracts.limits import KIB, MIB, NODES

MOST_BYTES = MIB - 16 * KIB
MOST_VALUES = NODES - 1024
"""What the core, its marks and the lists around evidence are made of needs far less than these."""
CUT = "...[truncated]"
RESULT, ERROR, ERROR_CUT = "result", "error", "error: cut"
_MOST_MARKS = 24
"""Of evidence; the gateway reads at most 32 marks."""
_MARKS_BYTES = 512
"""The longest list of marks, with its name."""
_SEPARATORS_BYTES = 64
"""The names of the fields that are not core, with their punctuation."""


class Part(NamedTuple):
    """A piece of JSON and how many values it holds."""

    data: bytes
    values: int


class Payload(NamedTuple):
    """The bytes to send. `shed` names what is not in them."""

    body: bytes
    shed: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether what the tool answered stands in it, to the last character: evidence is not an answer."""
        return not {RESULT, ERROR, ERROR_CUT} & set(self.shed)


class Draft(NamedTuple):
    """Everything that there is to say. `core` is never shed; `result` None: there is none, or it was shed already."""

    core: dict[str, Any]
    result: Part | None = None
    evidence: Sequence[Part] = ()
    error: str | None = None
    shed: tuple[str, ...] = ()


def encode(value: Any) -> bytes:
    """Plain JSON as compact UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def fit(draft: Draft, most_bytes: int = MOST_BYTES, most_values: int = MOST_VALUES) -> Payload:
    """The draft as bytes, at most that many unless the core alone is larger."""
    room = Room(most_bytes - len(encode(draft.core)) - _MARKS_BYTES - _SEPARATORS_BYTES, most_values)
    for shed in (_without_result, _with_less_evidence, _with_error_cut, _without_error):
        if not room.holds(draft):
            draft = shed(draft, room)
    return Payload(_compose(draft), draft.shed)


class Room(NamedTuple):
    """What is left beside the core."""

    most_bytes: int
    most_values: int

    def holds(self, draft: Draft) -> bool:
        """Whether all of the draft goes in."""
        parts = [*draft.evidence, *([] if draft.result is None else [draft.result])]
        size = sum(len(part.data) + 1 for part in parts) + _size_of_error(draft)
        return size <= self.most_bytes and sum(part.values for part in parts) <= self.most_values


def _without_result(draft: Draft, _room: Room) -> Draft:
    return draft if draft.result is None else draft._replace(result=None, shed=(*draft.shed, RESULT))


def _with_less_evidence(draft: Draft, room: Room) -> Draft:
    """As many entries as go in, the first ones."""
    left, values, kept = room.most_bytes - _size_of_error(draft), room.most_values, 0
    for part in draft.evidence:
        left, values = left - len(part.data) - 1, values - part.values
        if left < 0 or values < 0:
            break
        kept += 1
    if kept == len(draft.evidence):
        return draft
    return draft._replace(evidence=draft.evidence[:kept], shed=(*draft.shed, *_marks(kept, len(draft.evidence))))


def _marks(kept: int, total: int) -> list[str]:
    lost = [f"evidence[{index}]" for index in range(kept, total)]
    if len(lost) <= _MOST_MARKS:
        return lost
    return [*lost[: _MOST_MARKS - 1], f"evidence: {len(lost) - _MOST_MARKS + 1} more"]


def _with_error_cut(draft: Draft, room: Room) -> Draft:
    """The longest beginning of the error that goes in; a character is never divided."""
    # No character takes less than a byte, so what lies further on cannot go in.
    error = (draft.error or "")[: max(room.most_bytes, 0)]
    shortest, longest = 0, len(error)
    while shortest < longest:
        middle = (shortest + longest + 1) // 2
        if room.holds(draft._replace(error=error[:middle] + CUT)):
            shortest = middle
        else:
            longest = middle - 1
    if shortest == 0:
        return draft
    return draft._replace(error=error[:shortest] + CUT, shed=(*draft.shed, ERROR_CUT))


def _without_error(draft: Draft, _room: Room) -> Draft:
    return draft if draft.error is None else draft._replace(error=None, shed=(*draft.shed, ERROR))


def _size_of_error(draft: Draft) -> int:
    return 0 if draft.error is None else len(encode(draft.error))


def _compose(draft: Draft) -> bytes:
    fields = [encode(draft.core)[1:-1]]
    if draft.error is not None:
        fields.append(b'"error":' + encode(draft.error))
    if draft.result is not None:
        fields.append(b'"result":' + draft.result.data)
    if draft.evidence:
        fields.append(b'"evidence":[' + b",".join(part.data for part in draft.evidence) + b"]")
    if draft.shed:
        fields.append(b'"shed":' + encode(draft.shed))
    return b"{" + b",".join(fields) + b"}"

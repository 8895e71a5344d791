"""Spans of a call that was not sampled: their ids travel and stand in records; they leave when something went wrong.

The decision to sample is made once, where a call enters. What was not sampled costs next to nothing: a quiet span
remembers what it would have said until its root ends. Then it is forgotten, or, where the call was refused or
failed, handed to the exporter after all: an operator who samples one call of a hundred still sees every one of those.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final

from opentelemetry.context import attach, detach
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, Status, StatusCode, set_span_in_context

Attributes = Mapping[str, str | int | bool]

_UNSET: Final = Status()
_TRACE_BITS: Final = 128
_SPAN_BITS: Final = 64


class QuietSpan(NonRecordingSpan):
    """One span, or the root of a call's. To OpenTelemetry it records nothing, so nobody below it does either."""

    def __init__(
        self,
        name: str,
        attributes: Attributes | None,
        context: SpanContext,
        parent: SpanContext | None,
        root: "QuietSpan | None" = None,
    ) -> None:
        super().__init__(context)
        self.name = name
        self.parent = parent
        self.attributes: dict[str, Any] = {} if attributes is None else dict(attributes)
        self.status = _UNSET
        self.started_ns = time.time_ns()
        self.ended_ns = 0
        self._root = root or self
        self._ended: list[QuietSpan] = []
        self._is_kept = self._is_over = False

    @classmethod
    def entering(cls, name: str, attributes: Attributes | None, above: SpanContext) -> "QuietSpan":
        """The root in this process of a trace that nobody samples; `above` is the caller's span, if it is valid."""
        trace_id = above.trace_id if above.is_valid else _id(_TRACE_BITS)
        context = SpanContext(trace_id, _id(_SPAN_BITS), is_remote=False)
        return cls(name, attributes, context, above if above.is_valid else None)

    def below(self, name: str, attributes: Attributes | None) -> "QuietSpan":
        """A child: the same trace, an id of its own."""
        above = self.get_span_context()
        own = SpanContext(above.trace_id, _id(_SPAN_BITS), False, above.trace_flags)
        return QuietSpan(name, attributes, own, above, self._root)

    def keep(self) -> None:
        """Let the whole call leave when it ends."""
        self._root._is_kept = True

    def set_attribute(self, key: str, value: Any) -> None:
        """Remember it."""
        self.attributes[key] = value

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Remember them."""
        self.attributes.update(attributes)

    def set_status(self, status: Status | StatusCode, description: str | None = None) -> None:
        """Remember it; an error keeps the call."""
        self.status = status if isinstance(status, Status) else Status(status, description)
        if self.status.status_code is StatusCode.ERROR:
            self.keep()

    def end(self, end_time: int | None = None) -> None:
        """Remember it until the root ends; what ends after a kept root leaves at once."""
        self.ended_ns = end_time or time.time_ns()
        root = self._root
        root._ended.append(self)
        root._is_over = root._is_over or root is self
        if root._is_over:
            if root._is_kept:
                for leave in _ways_out:
                    leave(root._ended)
            root._ended.clear()

    def __enter__(self) -> Span:
        """Make it the current span."""
        self._token = attach(set_span_in_context(self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """End it; an exception is its status, as OpenTelemetry has it for spans that record."""
        detach(self._token)
        if isinstance(error, Exception):
            self.set_status(StatusCode.ERROR, f"{type(error).__name__}: {error}")
        self.end()


_ways_out: list[Callable[[Sequence[QuietSpan]], None]] = []


def leave_through(way: Callable[[Sequence[QuietSpan]], None]) -> None:
    """From here on kept spans go this way, in the order in which they ended; without one they are forgotten."""
    _ways_out[:] = [way]


def _id(bits: int) -> int:
    return random.getrandbits(bits) or 1

"""Spans of a call that was not sampled: their ids travel and stand in records; they leave when something went wrong.

The decision to sample is made once, where a call enters. What was not sampled costs next to nothing: a quiet span
remembers what it would have said until its root ends. Then it is forgotten, or, where the call was refused or
failed, handed to the exporter after all: an operator who samples one call of a hundred still sees every one of those.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, Final

from opentelemetry.context import attach, detach
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    Status,
    StatusCode,
    TraceFlags,
    format_trace_id,
    set_span_in_context,
)

Attributes = Mapping[str, str | int | bool]

_UNSET: Final = Status()
_TRACE_BITS: Final = 128
_SPAN_BITS: Final = 64
_NOT_SAMPLED: Final = TraceFlags(TraceFlags.DEFAULT)

_BELOW: ContextVar["QuietSpan | None"] = ContextVar("interpose_quiet_span", default=None)
"""The innermost span below a root. OpenTelemetry is told of roots alone: telling it costs more than all the rest, and
below a root nobody's code but ours runs."""


class QuietSpan(NonRecordingSpan):
    """One span, or the root of a call's. To OpenTelemetry it records nothing, so nobody below it does either.

    Its ids are the text that travels and stands in records, both empty in a process without any; `get_span_context`
    makes OpenTelemetry's form of them for who asks.
    """

    trace: str
    span: str
    linked: SpanContext | None = None
    """A span of another trace that it has to do with."""
    _token: Token[Any]

    def __init__(  # noqa: PLR0913, PLR0917 (what a span is; grouping it would only rename it)
        self,
        name: str,
        attributes: Attributes | None,
        trace: str,
        span: str,
        above: "QuietSpan | SpanContext | None",
        flags: TraceFlags = _NOT_SAMPLED,
        root: "QuietSpan | None" = None,
    ) -> None:
        self.name = name
        self.trace = trace
        self.span = span
        self.flags = flags
        self.attributes: dict[str, Any] = {} if attributes is None else dict(attributes)
        self.status = _UNSET
        self.started_ns = time.time_ns()
        self.ended_ns = 0
        self._above = above
        self._root = root or self
        if root is None:
            self._ended: list[QuietSpan] = []
            self._is_kept = self._is_over = False

    @classmethod
    def entering(cls, name: str, attributes: Attributes | None, above: SpanContext) -> "QuietSpan":
        """The root in this process of a trace that nobody samples; `above` is the caller's span, if it is valid."""
        if above.is_valid:
            return cls(name, attributes, format_trace_id(above.trace_id), _id(_SPAN_BITS), above)
        return cls(name, attributes, _id(_TRACE_BITS), _id(_SPAN_BITS), None)

    @classmethod
    def standing_for(cls, span: Span, name: str, attributes: Attributes | None, above: SpanContext) -> "QuietSpan":
        """The root in the place of a span that a sampler refused, with its ids."""
        own = span.get_span_context()
        ids = (format_trace_id(own.trace_id), f"{own.span_id:016x}") if own.is_valid else ("", "")
        return cls(name, attributes, *ids, above if above.is_valid else None, own.trace_flags)

    def below(self, name: str, attributes: Attributes | None) -> "QuietSpan":
        """A child: the same trace, an id of its own."""
        span = self.trace and _id(_SPAN_BITS)
        return QuietSpan(name, attributes, self.trace, span, self, self.flags, self._root)

    @property
    def parent(self) -> SpanContext | None:
        """The span above."""
        above = self._above
        return above.get_span_context() if isinstance(above, QuietSpan) else above

    def get_span_context(self) -> SpanContext:
        """The ids as OpenTelemetry has them; invalid without any."""
        return SpanContext(int(self.trace or "0", 16), int(self.span or "0", 16), False, self.flags)

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
        self._token = attach(set_span_in_context(self)) if self._root is self else _BELOW.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """End it; an exception is its status, as OpenTelemetry has it for spans that record."""
        if self._root is self:
            detach(self._token)
        else:
            _BELOW.reset(self._token)
        if isinstance(error, Exception):
            self.set_status(StatusCode.ERROR, f"{type(error).__name__}: {error}")
        self.end()


_ways_out: list[Callable[[Sequence[QuietSpan]], None]] = []


def leave_through(way: Callable[[Sequence[QuietSpan]], None]) -> None:
    """From here on kept spans go this way, in the order in which they ended; without one they are forgotten."""
    _ways_out[:] = [way]


def innermost() -> QuietSpan | None:
    """The span that is current below a root; None at a root, and where nothing is quiet."""
    return _BELOW.get()


@contextmanager
def hidden() -> Iterator[None]:
    """Where a span records although a quiet one is current: nothing in here is below the quiet one."""
    token = _BELOW.set(None)
    try:
        yield
    finally:
        _BELOW.reset(token)


def _id(bits: int) -> str:
    return f"{random.getrandbits(bits) or 1:0{bits // 4}x}"

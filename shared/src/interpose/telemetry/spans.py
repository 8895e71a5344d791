"""Spans by hand, and the only two ways context crosses a process: `inject` and `extract` of `traceparent` (W3C)."""

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    Span,
    SpanContext,
    Status,
    StatusCode,
    TraceFlags,
    Tracer,
    format_span_id,
    format_trace_id,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from interpose.telemetry import quiet
from interpose.telemetry.quiet import Attributes, QuietSpan

TRACEPARENT: Final = "traceparent"
_OURS: Final = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
"""As we write it. Anything else is read by OpenTelemetry's own rules, which takes four times as long."""
_PROPAGATOR = TraceContextTextMapPropagator()
_TRACER: Tracer | None = trace.get_tracer("interpose")
"""None where nothing is exported: then nobody need be asked what is sampled."""


def start(
    name: str, attributes: Attributes | None = None, *, parent: Context | None = None
) -> AbstractContextManager[Span]:
    """A span around a block. An exception is recorded on it and goes on.

    Whether a trace is sampled is decided where it enters this process; below a span that is not, none is.
    """
    above = current() if parent is None else trace.get_current_span(parent)
    if isinstance(above, QuietSpan):
        return above.below(name, attributes)
    if _TRACER is None:
        return QuietSpan.entering(name, attributes, above.get_span_context())
    span = _TRACER.start_span(name, parent, attributes=attributes)
    if span.is_recording():
        return trace.use_span(span, end_on_exit=True) if quiet.innermost() is None else _beside_quiet(span)
    return QuietSpan.standing_for(span, name, attributes, above.get_span_context())


@contextmanager
def _beside_quiet(span: Span) -> Iterator[Span]:
    with quiet.hidden(), trace.use_span(span, end_on_exit=True):
        yield span


def current() -> Span:
    """The innermost span of this task."""
    return quiet.innermost() or trace.get_current_span()


def export_nothing() -> None:
    """From here on every span of this process is quiet."""
    global _TRACER  # noqa: PLW0603 (set once, when the process starts)
    _TRACER = None


def keep(span: Span) -> None:
    """This call was refused or failed: its spans leave, also when it was not sampled."""
    if isinstance(span, QuietSpan):
        span.keep()


def inject(headers: dict[str, str]) -> dict[str, str]:
    """Add `traceparent` of the current span. Never `tracestate` or `baggage`: a caller's words end at the gateway."""
    span = current()
    if isinstance(span, QuietSpan):
        if span.trace:
            headers[TRACEPARENT] = f"00-{span.trace}-{span.span}-{span.flags:02x}"
        return headers
    context = span.get_span_context()
    if context.is_valid:
        ids = f"{format_trace_id(context.trace_id)}-{format_span_id(context.span_id)}"
        headers[TRACEPARENT] = f"00-{ids}-{context.trace_flags:02x}"
    return headers


def extract(headers: Mapping[str, str] | None) -> Context:
    """The caller's context from `traceparent` alone; a root context when there is none or it is broken."""
    value = (headers or {}).get(TRACEPARENT)
    if not value:
        return Context()
    ours = _OURS.fullmatch(value)
    if ours is None:
        return _PROPAGATOR.extract({TRACEPARENT: value}, Context())
    trace_id, span_id, flags = (int(part, 16) for part in ours.groups())
    above = SpanContext(trace_id, span_id, is_remote=True, trace_flags=TraceFlags(flags))
    return trace.set_span_in_context(NonRecordingSpan(above), Context()) if above.is_valid else Context()


def resume(trace_id: str | None, span_id: str | None) -> Context:
    """The context of a span that has ended, in whatever process, by its ids: what follows it stands below it.

    It is sampled as the root of its trace is sampled in this process. Without ids it is a root context.
    """
    if not trace_id or not span_id:
        return Context()
    number = int(trace_id, 16)
    sampler = getattr(trace.get_tracer_provider(), "sampler", None)
    is_sampled = sampler is None or sampler.should_sample(None, number, "").decision.is_sampled()
    flags = TraceFlags(TraceFlags.SAMPLED if is_sampled else TraceFlags.DEFAULT)
    above = SpanContext(number, int(span_id, 16), is_remote=True, trace_flags=flags)
    return trace.set_span_in_context(NonRecordingSpan(above), Context())


def start_linked(
    name: str, attributes: Attributes | None, *, parent: Context, caller: Context
) -> AbstractContextManager[Span]:
    """A span below `parent`. The caller's own span is linked to it where it belongs to another trace."""
    above, other = (trace.get_current_span(each).get_span_context() for each in (parent, caller))
    if not other.is_valid or other.trace_id == above.trace_id:
        return start(name, attributes, parent=parent)
    span = None if _TRACER is None else _TRACER.start_span(name, parent, attributes=attributes, links=[Link(other)])
    if span is not None and span.is_recording():
        return trace.use_span(span, end_on_exit=True)
    if span is None:
        quiet_span = QuietSpan.entering(name, attributes, above)
    else:
        quiet_span = QuietSpan.standing_for(span, name, attributes, above)
    quiet_span.linked = other
    return quiet_span


def fail(span: Span, reason: str) -> None:
    """Mark a span as failed with a sentence."""
    span.set_status(Status(StatusCode.ERROR, reason))


def span_id(span: Span) -> str | None:
    """16 hex digits, or None without a recording set-up."""
    if isinstance(span, QuietSpan):
        return span.span or None
    context = span.get_span_context()
    return format_span_id(context.span_id) if context.is_valid else None


def trace_id(span: Span) -> str | None:
    """32 hex digits, or None without a recording set-up."""
    if isinstance(span, QuietSpan):
        return span.trace or None
    context = span.get_span_context()
    return format_trace_id(context.trace_id) if context.is_valid else None

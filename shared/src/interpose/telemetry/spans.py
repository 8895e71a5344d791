"""Spans by hand, and the only two ways context crosses a process: `inject` and `extract` of `traceparent` (W3C)."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, Status, StatusCode, Tracer, format_span_id, format_trace_id
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from interpose.telemetry.quiet import Attributes, QuietSpan

TRACEPARENT: Final = "traceparent"
_PROPAGATOR = TraceContextTextMapPropagator()
_TRACER: Tracer | None = trace.get_tracer("interpose")
"""None where nothing is exported: then nobody need be asked what is sampled."""


def start(
    name: str, attributes: Attributes | None = None, *, parent: Context | None = None
) -> AbstractContextManager[Span]:
    """A span around a block. An exception is recorded on it and goes on.

    Whether a trace is sampled is decided where it enters this process; below a span that is not, none is.
    """
    above = trace.get_current_span(parent)
    if isinstance(above, QuietSpan):
        return above.below(name, attributes)
    if _TRACER is None:
        return QuietSpan.entering(name, attributes, above.get_span_context())
    span = _TRACER.start_span(name, parent, attributes=attributes)
    if span.is_recording():
        return trace.use_span(span, end_on_exit=True)
    given = above.get_span_context()
    return QuietSpan(name, attributes, span.get_span_context(), given if given.is_valid else None)


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
    context = trace.get_current_span().get_span_context()
    if context.is_valid:
        ids = f"{format_trace_id(context.trace_id)}-{format_span_id(context.span_id)}"
        headers[TRACEPARENT] = f"00-{ids}-{context.trace_flags:02x}"
    return headers


def extract(headers: Mapping[str, str] | None) -> Context:
    """The caller's context from `traceparent` alone; a root context when there is none or it is broken."""
    value = (headers or {}).get(TRACEPARENT)
    return _PROPAGATOR.extract({TRACEPARENT: value}, Context()) if value else Context()


def fail(span: Span, reason: str) -> None:
    """Mark a span as failed with a sentence."""
    span.set_status(Status(StatusCode.ERROR, reason))


def span_id(span: Span) -> str | None:
    """16 hex digits, or None without a recording set-up."""
    context = span.get_span_context()
    return format_span_id(context.span_id) if context.is_valid else None


def trace_id(span: Span) -> str | None:
    """32 hex digits, or None without a recording set-up."""
    context = span.get_span_context()
    return format_trace_id(context.trace_id) if context.is_valid else None

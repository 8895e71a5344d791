"""Spans by hand, and the only two ways context crosses a process: `inject` and `extract` of `traceparent` (W3C)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, format_span_id, format_trace_id
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

TRACEPARENT: Final = "traceparent"
_PROPAGATOR = TraceContextTextMapPropagator()
_TRACER = trace.get_tracer("interpose")


@contextmanager
def start(
    name: str,
    attributes: Mapping[str, str | int | bool] | None = None,
    *,
    parent: Context | None = None,
    kind: SpanKind = SpanKind.INTERNAL,
) -> Iterator[Span]:
    """A span around a block. An exception is recorded on it and goes on."""
    with _TRACER.start_as_current_span(name, context=parent, kind=kind, attributes=attributes) as span:
        yield span


def inject(headers: dict[str, str]) -> dict[str, str]:
    """Add `traceparent` of the current span. Never `tracestate` or `baggage`: a caller's words end at the gateway."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    if TRACEPARENT in carrier:
        headers[TRACEPARENT] = carrier[TRACEPARENT]
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

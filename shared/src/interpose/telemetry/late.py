"""How quiet spans leave that were kept when their call had ended: each with the ids and the times that it had."""

from collections.abc import Sequence

from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider, sampling
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.trace import INVALID_SPAN_CONTEXT, Link, NonRecordingSpan, set_span_in_context

from interpose.telemetry.quiet import QuietSpan


class Late(IdGenerator):
    """Hands kept spans to a processor. A generator of ids, because that is how a provider is told which to use."""

    def __init__(self, processor: SpanProcessor, resource: Resource) -> None:
        self._given = INVALID_SPAN_CONTEXT
        provider = TracerProvider(sampling.ALWAYS_ON, resource, id_generator=self, shutdown_on_exit=False)
        provider.add_span_processor(processor)
        self._tracer = provider.get_tracer("interpose")

    def hand_over(self, ended: Sequence[QuietSpan]) -> None:
        """Let these leave."""
        for quiet in ended:
            self._given = quiet.get_span_context()
            above = (
                Context() if quiet.parent is None else set_span_in_context(NonRecordingSpan(quiet.parent), Context())
            )
            links = None if quiet.linked is None else [Link(quiet.linked)]
            span = self._tracer.start_span(
                quiet.name, above, attributes=quiet.attributes, links=links, start_time=quiet.started_ns
            )
            span.set_status(quiet.status)
            span.end(quiet.ended_ns)

    def generate_span_id(self) -> int:
        """Of the span that is handed over."""
        return self._given.span_id

    def generate_trace_id(self) -> int:
        """Of the span that is handed over."""
        return self._given.trace_id

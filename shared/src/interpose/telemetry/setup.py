"""Telemetry of one process, from the standard `OTEL_*` environment. Ids exist always; spans leave only when asked to.

With `OTEL_EXPORTER_OTLP_ENDPOINT` (or the traces one) set, spans go out over OTLP/HTTP in batches; without, none is
recorded. Sampling follows `OTEL_TRACES_SAMPLER` (default: every call, decided at the root); a refused or failed call
that was not sampled leaves after all (`interpose.telemetry.quiet`).
"""

import os
from collections.abc import Callable

from opentelemetry import trace
from opentelemetry.sdk.resources import SERVICE_INSTANCE_ID, SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider

from interpose.telemetry import quiet, spans
from interpose.telemetry.late import Late

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def set_up(service: str, instance: str, version: str) -> Callable[[], None]:
    """Install the tracer provider of this process, if it exports. Returns what flushes and ends it."""
    if not any(os.environ.get(name) for name in _ENDPOINTS):
        spans.export_nothing()
        return _nothing_to_flush
    resource = Resource.create({SERVICE_NAME: service, SERVICE_INSTANCE_ID: instance, SERVICE_VERSION: version})
    provider = TracerProvider(resource=resource)
    _export(provider, resource)
    trace.set_tracer_provider(provider)
    return provider.shutdown


def _nothing_to_flush() -> None:
    """Where nothing is exported."""


def _export(provider: TracerProvider, resource: Resource) -> None:
    # Imported here: requests and protobuf cost a process that exports nothing a tenth of a second.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    leaving = BatchSpanProcessor(OTLPSpanExporter(), schedule_delay_millis=500)
    provider.add_span_processor(leaving)
    quiet.leave_through(Late(leaving, resource).hand_over)

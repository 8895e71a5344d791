"""An OpenTelemetry collector for tests: an OTLP/HTTP endpoint on loopback that keeps every span it is sent.

    with SpanReceiver() as receiver:
        ...  # start a process with OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url, and let it work
        spans = receiver.until(lambda spans: any(span.name == "execute_tool" for span in spans), timeout_s=10)

It decodes protobuf, the default of OTLP over HTTP, also compressed with gzip.
"""

import gzip
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]  # protobuf ships no types
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1 import trace_pb2

PATH = "/v1/traces"
LOOK_S = 0.05
"""How often the server looks whether it is to end."""


@dataclass(frozen=True, slots=True)
class Span:
    """One received span: ids in hex, times in ns since the epoch; `process` is its `service.instance.id`."""

    process: str
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    start_ns: int
    end_ns: int
    attributes: dict[str, Any]
    is_failed: bool
    said: str
    """Why it failed."""


class SpanReceiver:
    """Receives from its making until `close`, in threads of its own; every method may be called from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._spans: list[Span] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(LOOK_S,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def spans(self) -> list[Span]:
        """All that came so far, in that order: processes send on their own, so a parent may follow its child."""
        with self._changed:
            return list(self._spans)

    def until(self, is_enough: Callable[[list[Span]], bool], timeout_s: float) -> list[Span]:
        """All spans as soon as they are enough, or those that came in time."""
        with self._changed:
            self._changed.wait_for(lambda: is_enough(self._spans), timeout_s)
            return list(self._spans)

    def take(self, body: bytes) -> None:
        """Keep the spans of one export. Raises DecodeError for what is none."""
        found = list(_decode(ExportTraceServiceRequest.FromString(body)))
        with self._changed:
            self._spans += found
            self._changed.notify_all()

    def close(self) -> None:
        """Listen no more; what came stays readable. A second time does nothing."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(receiver: SpanReceiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(self._status(body))
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _status(self, body: bytes) -> int:
            if self.path != PATH:
                return 404
            try:
                receiver.take(gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
            except (DecodeError, OSError, EOFError, zlib.error):
                return 400
            return 200

        def log_message(self, *_: object) -> None:
            """Say nothing: whoever made the receiver tells what came."""

    return Handler


def _decode(export: ExportTraceServiceRequest) -> Iterator[Span]:
    for resource in export.resource_spans:
        process = str(_attributes(resource.resource.attributes).get("service.instance.id", ""))
        for scope in resource.scope_spans:
            yield from (_span(process, span) for span in scope.spans)


def _span(process: str, span: trace_pb2.Span) -> Span:
    return Span(
        process=process,
        name=span.name,
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        start_ns=span.start_time_unix_nano,
        end_ns=span.end_time_unix_nano,
        attributes=_attributes(span.attributes),
        is_failed=span.status.code == trace_pb2.Status.STATUS_CODE_ERROR,
        said=span.status.message,
    )


def _attributes(listed: Iterable[KeyValue]) -> dict[str, Any]:
    return {each.key: _value(each.value) for each in listed}


def _value(value: AnyValue) -> Any:
    match value.WhichOneof("value"):
        case None:
            return None
        case "array_value":
            return [_value(each) for each in value.array_value.values]
        case "kvlist_value":
            return _attributes(value.kvlist_value.values)
        case kind:
            return getattr(value, kind)

"""An OpenTelemetry collector of the demo's own: takes spans over OTLP/HTTP and keeps them by trace."""

import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

CALL, ANSWER = "execute_tool", "interpose.answer"


@dataclass(frozen=True, slots=True)
class Span:
    """One received span; times in ns since the epoch, ids in hex."""

    process: str
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    start_ns: int
    end_ns: int
    about: str


class Collector:
    """Keeps every span that it is sent."""

    def __init__(self) -> None:
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                collector.take(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """The demo tells what happens."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._changed = threading.Condition()
        self._spans: list[Span] = []
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def take(self, body: bytes) -> None:
        """Keep what one request brings."""
        export = ExportTraceServiceRequest.FromString(body)
        with self._changed:
            for resource in export.resource_spans:
                said = {one.key: one.value.string_value for one in resource.resource.attributes}
                process = said.get("service.instance.id", "?")
                for scope in resource.scope_spans:
                    self._spans += [_span(process, span) for span in scope.spans]
            self._changed.notify_all()

    def whole_trace(self, trace_id: str, answered: int, timeout_s: float) -> list[Span]:
        """The spans of a call, once its own and those of so many workers are here, or as many as came in time."""
        with self._changed:
            self._changed.wait_for(lambda: _is_whole(self._of(trace_id), answered), timeout_s)
            return self._of(trace_id)

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()

    def _of(self, trace_id: str) -> list[Span]:
        return [span for span in self._spans if span.trace_id == trace_id]


def _span(process: str, span: Any) -> Span:
    attributes = {one.key: one.value.string_value for one in span.attributes}
    about = attributes.get("interpose.hook") or attributes.get("gen_ai.tool.name") or ""
    return Span(
        process=process,
        name=span.name,
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        start_ns=span.start_time_unix_nano,
        end_ns=span.end_time_unix_nano,
        about=about,
    )


def _is_whole(spans: list[Span], answered: int) -> bool:
    """Processes send their spans on their own, so the call's may be here before those of its workers."""
    names = [span.name for span in spans]
    return CALL in names and names.count(ANSWER) >= answered

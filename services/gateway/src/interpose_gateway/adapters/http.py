"""The HTTP API. One FastAPI application for its OpenAPI; the hot route is a plain Starlette route in it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.requests import Request
from starlette.responses import Response

from interpose.contracts.clients import Scope
from interpose.contracts.limits import CALL_BYTES
from interpose.telemetry import spans
from interpose_gateway.adapters.agent_http import AgentApi
from interpose_gateway.adapters.arriving import NotTaken, identify, read_body
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.adapters.door import Door
from interpose_gateway.adapters.metrics import CONTENT_TYPE, Metrics
from interpose_gateway.adapters.native_http import NativeApi
from interpose_gateway.adapters.openapi import describe
from interpose_gateway.core.answers import Reply
from interpose_gateway.core.journey import refuse_at_door

OUR_OWN_SPANS: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""FastAPI's own would put an undeclared span beside ours on every request, and take the caller's baggage in."""


@dataclass(frozen=True, slots=True)
class Api:
    """The routes over their parts. `trouble` lists why the gateway is not ready; empty = ready."""

    door: Door
    agents: AgentApi
    native: NativeApi
    clients: ClientsFile
    metrics: Metrics
    trouble: Callable[[], list[str]]
    state: Callable[[], Mapping[str, Any]]
    refresh_metrics: Callable[[], None]

    def application(self) -> FastAPI:
        """The ASGI application."""
        app = FastAPI(docs_url=None, redoc_url=None, openapi_url="/openapi.json", telemetry=OUR_OWN_SPANS)
        app.openapi = describe  # type: ignore[method-assign]  # FastAPI's documented way to extend its schema
        routes: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            ("/v1/calls", "POST", self.call),
            ("/healthz", "GET", self.health),
            ("/readyz", "GET", self.ready),
            ("/metrics", "GET", self.measure),
        ]
        for path, method, handler in routes:
            app.router.add_route(path, handler, methods=[method])
        for path, handler in (*self.agents.routes(), *self.native.routes()):
            app.router.add_route(path, handler, methods=["POST"])
        return app

    async def call(self, request: Request) -> Response:
        """`POST /v1/calls`."""
        try:
            caller = identify(request, self.clients, Scope.CALL)
            body = await read_body(request, CALL_BYTES, "a call")
        except NotTaken as error:
            return _respond(refuse_at_door(error.status, error.code, error.message))
        return _respond(await self.door.call(caller, body, spans.extract(request.headers)))

    async def health(self, _request: Request) -> Response:
        """`GET /healthz`: the process lives."""
        return _json(200, b'{"status":"ok"}')

    async def ready(self, _request: Request) -> Response:
        """`GET /readyz`: calls can be decided now; 503 says why not."""
        trouble = self.trouble()
        told = {"ready": not trouble, "trouble": trouble, **self.state()}
        return _json(503 if trouble else 200, orjson.dumps(told))

    async def measure(self, _request: Request) -> Response:
        """`GET /metrics`, for Prometheus."""
        self.refresh_metrics()
        return Response(self.metrics.render(), media_type=CONTENT_TYPE)


def _respond(reply: Reply) -> Response:
    more = {} if reply.retry_after_s is None else {"Retry-After": str(reply.retry_after_s)}
    if reply.status == 401:
        more["WWW-Authenticate"] = "Bearer"
    return _json(reply.status, reply.answer.to_bytes(), more)


def _json(status: int, body: bytes, more: Mapping[str, str] | None = None) -> Response:
    return Response(body, status, media_type="application/json", headers=dict(more or {}))

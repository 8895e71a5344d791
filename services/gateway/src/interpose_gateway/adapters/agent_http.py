"""The HTTP routes of agents that run their own tools: `/evaluate` and what follows, also under `/v1`."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from opentelemetry.context import Context
from starlette.requests import Request
from starlette.responses import Response

from interpose.contracts.clients import Scope
from interpose.contracts.evaluation import BODY_BYTES
from interpose.contracts.protocol_error import STATUS_OF, Error
from interpose.telemetry import spans
from interpose_gateway.adapters.agent_door import AgentDoor
from interpose_gateway.adapters.arriving import NotTaken, identify, read_body
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.adapters.openapi import PREFIXES
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.told import Told, failed

ERROR_OF: Mapping[int, Error] = {
    STATUS_OF[error]: error
    for error in (Error.UNAUTHORIZED, Error.FORBIDDEN, Error.TOO_SLOW, Error.TOO_LARGE, Error.INVALID)
}
"""What ends a request before it was read, by its status; whatever else does is an invalid request."""

Answer = Callable[[Caller, bytes, Context], Awaitable[Told]]
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class AgentApi:
    """The routes over their parts."""

    door: AgentDoor
    clients: ClientsFile

    def routes(self) -> Iterator[tuple[str, Handler]]:
        """Each path and what answers a POST to it."""
        for prefix in PREFIXES:
            yield f"{prefix}/evaluate", self.evaluate
            yield f"{prefix}/audit", self.report
            yield f"{prefix}/install-scan", self.install
            yield f"{prefix}/approval/{{id}}/resolve", self.resolve

    async def evaluate(self, request: Request) -> Response:
        """`POST /evaluate`."""
        return await self._answer(request, "the evaluation", self.door.evaluate, Scope.EVALUATE)

    async def report(self, request: Request) -> Response:
        """`POST /audit`."""
        return await self._answer(request, "the report", self.door.report, Scope.EVALUATE)

    async def install(self, request: Request) -> Response:
        """`POST /install-scan`."""
        return await self._answer(request, "the install", self.door.install, Scope.EVALUATE)

    async def resolve(self, request: Request) -> Response:
        """`POST /approval/{id}/resolve`."""
        answer = partial(self.door.resolve, identifier=request.path_params["id"])
        return await self._answer(request, "the answer", answer, Scope.EVALUATE, Scope.OPERATE)

    async def _answer(self, request: Request, what: str, answer: Answer, *scopes: Scope) -> Response:
        try:
            caller = identify(request, self.clients, *scopes)
            body = await read_body(request, BODY_BYTES, what)
        except NotTaken as error:
            return respond(refused(error))
        return respond(await answer(caller, body, spans.extract(request.headers)))


def respond(told: Told) -> Response:
    """The reply as HTTP has it."""
    more = {} if told.retry_after_s is None else {"Retry-After": str(told.retry_after_s)}
    if told.status == STATUS_OF[Error.UNAUTHORIZED]:
        more["WWW-Authenticate"] = "Bearer"
    return Response(told.body.to_bytes(), told.status, media_type="application/json", headers=more)


def refused(error: NotTaken) -> Told:
    return failed(ERROR_OF.get(error.status, Error.INVALID), error.message)

"""`Tool`: serve a tool on the bus. Each order runs at most once.

A call id seen before, or a deadline that has passed, is refused.

tool = Tool("weather")

@tool.handle
async def report(run: Run) -> dict: ...
"""

import asyncio
import inspect
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import orjson

from interpose.bus import headers, subjects
from interpose.bus.responder import Incoming, Outgoing, ServiceError
from interpose.contracts.limits import CALL_BYTES, RESPONSE_BYTES
from interpose.contracts.run import Run, RunReply
from interpose.contracts.strict import read_model
from interpose.contracts.words import Status
from interpose.errors import InterposeError, InvalidInput
from interpose.hook.worker import Endpoint, serve
from interpose.telemetry import logs, names, spans

log = logging.getLogger(__name__)

REMEMBERED_CALLS = 100_000

F = TypeVar("F", bound=Callable[..., object])


class ToolError(InterposeError):
    """The tool failed on purpose: `response` is what the agent is told, any JSON value."""

    def __init__(self, response: Any) -> None:
        super().__init__(str(response))
        self.response = response


class Tool:
    """A tool worker. Two workers of one tool share its calls; no call reaches both."""

    role: Literal["tool"] = "tool"

    def __init__(self, name: str, *, version: str = "0.1.0") -> None:
        self.name = name
        self.version = version
        self._function: Callable[[Run], Any] | None = None
        self._seen: OrderedDict[str, None] = OrderedDict()

    def handle(self, function: F) -> F:
        """The function that runs the tool: from `Run` to any JSON value, plain or async."""
        self._function = function
        return function

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT; what was started is finished before this returns."""
        serve(self.endpoint())

    def endpoint(self) -> Endpoint:
        """Where and how this tool is served."""
        return Endpoint(
            role=self.role,
            name=self.name,
            version=self.version,
            subject=subjects.execute(self.name),
            queue=subjects.queue(self.name),
            handle=self.answer,
        )

    def manifest(self) -> None:
        """A tool is no hook: there is nothing to register."""

    async def answer(self, request: Incoming) -> Outgoing:
        """Run one order. ServiceError means that nothing ran."""
        run = self._read(request)
        logs.about(run.call_id)
        parent = spans.extract(request.headers)
        with spans.start(names.RUN, {names.TOOL: self.name, names.CALL_ID: run.call_id}, parent=parent) as span:
            reply = await self._run(run)
            span.set_attribute(names.OUTCOME, reply.status.value)
        return self._encode(reply)

    def _read(self, request: Incoming) -> Run:
        try:
            run = read_model(Run, request.body, limit=CALL_BYTES, what="the order")
        except InvalidInput as error:
            raise ServiceError(headers.MALFORMED, str(error)) from error
        if self._function is None:
            raise ServiceError(headers.NO_HANDLER, f"tool {self.name} has no function; decorate one with @tool.handle")
        if run.call_id in self._seen:
            raise ServiceError(headers.SEEN_BEFORE, f"call {run.call_id} was already ordered; it is not run twice")
        self._seen[run.call_id] = None
        if len(self._seen) > REMEMBERED_CALLS:
            self._seen.popitem(last=False)
        return run

    async def _run(self, run: Run) -> RunReply:
        try:
            return RunReply(status=Status.SUCCESS, response=await _call(self._function, run))
        except ToolError as error:
            return RunReply(status=Status.ERROR, response=error.response)
        except Exception as error:
            # The broad catch around the author's code: the tool began, so this is its error and no refusal.
            log.exception("tool %s broke on call %s", self.name, run.call_id)
            return RunReply(status=Status.ERROR, response={"error": f"{type(error).__name__}: {error}"})

    def _encode(self, reply: RunReply) -> Outgoing:
        try:
            body = orjson.dumps(reply.model_dump(mode="python"))
        except (orjson.JSONEncodeError, ValueError) as error:
            return self._unusable(f"tool {self.name} returned what is no JSON: {error}")
        if len(body) > RESPONSE_BYTES:
            return self._unusable(f"tool {self.name} returned more than {RESPONSE_BYTES} bytes")
        return Outgoing(body)

    def _unusable(self, why: str) -> Outgoing:
        return Outgoing(orjson.dumps({"status": Status.ERROR.value, "response": {"error": why}}))


async def _call(function: Any, run: Run) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(run)
    return await asyncio.to_thread(function, run)

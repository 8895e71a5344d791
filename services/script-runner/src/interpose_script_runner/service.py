"""The script runner on the bus: one service that serves every `script` hook of the registry.

An ask names a hook, never a program: which program runs is the registry's word alone.
"""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from nats.aio.client import Client

from interpose import __version__
from interpose.bus import headers, subjects
from interpose.bus.responder import Incoming, Outgoing, ServiceError
from interpose.contracts.ask import Ask
from interpose.contracts.config import SCRIPT_RUNNER, HookSpec
from interpose.contracts.words import Failure, Phase
from interpose.errors import BusUnavailable
from interpose.hook.app import encode, read_ask
from interpose.hook.worker import Endpoint
from interpose.telemetry import names, spans
from interpose_script_runner.runner import ScriptRunner
from interpose_script_runner.verdict import Broke

CODES = {Failure.MALFORMED_VERDICT: headers.BAD_OUTPUT, Failure.DEADLINE_EXCEEDED: headers.TIMED_OUT}


class Source(Protocol):
    """Who knows which script is in force."""

    @property
    def revision(self) -> int:
        """Of what it knows."""

    def beside(self, client: Client) -> AbstractAsyncContextManager[None]:
        """What it needs of the worker's connection."""

    async def find(self, hook_name: str, phase: Phase, revision: int, within_s: float) -> HookSpec | None:
        """The hook for an ask of that revision, or None. Raises BusUnavailable where it cannot be told in time."""


@dataclass(frozen=True, slots=True)
class ScriptService:
    """Answers asks with what scripts say."""

    scripts: Source
    runner: ScriptRunner

    def endpoint(self) -> Endpoint:
        """Where it is served: every script hook's asks come here."""
        return Endpoint(
            role="service",
            name=SCRIPT_RUNNER,
            version=__version__,
            subject=subjects.asks(SCRIPT_RUNNER),
            queue=subjects.queue(SCRIPT_RUNNER),
            handle=self.handle,
            beside=self.scripts.beside,
        )

    async def handle(self, request: Incoming) -> Outgoing:
        """Run the hook's script on the very bytes of the ask."""
        ask = read_ask(request)
        script, transforming = await self._script_of(ask, request.time_left_s)
        attributes = names.ask_attributes(ask.hook, SCRIPT_RUNNER, ask.phase)
        with spans.start(names.ANSWER, attributes, parent=spans.extract(request.headers)) as span:
            told = await self.runner.answer(ask, request.body, script, transforming, request.time_left_s * 1000)
            if isinstance(told, Broke):
                spans.fail(span, told.reason)
                raise ServiceError(CODES.get(told.failure, headers.BROKE), told.reason)
            span.set_attribute(names.ENDING, told.verdict.value)
        return encode(told, ask)

    async def _script_of(self, ask: Ask, within_s: float) -> tuple[str, bool]:
        """The script in force and whether it declares transform. Raises ServiceError where there is none."""
        try:
            hook = await self.scripts.find(ask.hook, ask.phase, ask.revision, within_s)
        except BusUnavailable as error:
            raise ServiceError(headers.BROKE, str(error)) from error
        if hook is None or hook.script is None:
            raise ServiceError(
                headers.NO_HANDLER,
                f"no {ask.phase} hook {ask.hook} with a script is in force here: revision"
                f" {self.scripts.revision} has none",
            )
        return hook.script, hook.transforming

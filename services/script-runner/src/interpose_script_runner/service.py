"""The script runner on the bus: one service that serves every `script` hook of the configuration it reads itself.

An ask names a hook, never a program: which program runs is the configuration's word alone.
"""

from dataclasses import dataclass

from interpose import __version__
from interpose.bus import headers, subjects
from interpose.bus.responder import Incoming, Outgoing, ServiceError
from interpose.contracts.config import SCRIPT_RUNNER
from interpose.contracts.words import Failure
from interpose.hook.app import encode, read_ask
from interpose.hook.worker import Endpoint
from interpose.telemetry import names, spans
from interpose_script_runner.runner import ScriptRunner
from interpose_script_runner.scripts import Scripts, ScriptsFile
from interpose_script_runner.verdict import Broke

CODES = {Failure.MALFORMED_VERDICT: headers.BAD_OUTPUT, Failure.DEADLINE_EXCEEDED: headers.TIMED_OUT}


@dataclass(frozen=True, slots=True)
class ScriptService:
    """Answers asks with what scripts say."""

    scripts: Scripts | ScriptsFile
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
        )

    async def handle(self, request: Incoming) -> Outgoing:
        """Run the hook's script on the very bytes of the ask."""
        ask = read_ask(request)
        hook = self.scripts.find(ask.hook, ask.phase)
        if hook is None or hook.script is None:
            raise ServiceError(headers.NO_HANDLER, f"no {ask.phase} hook {ask.hook} with a script is configured here")
        attributes = names.ask_attributes(ask.hook, SCRIPT_RUNNER, ask.phase)
        with spans.start(names.ANSWER, attributes, parent=spans.extract(request.headers)) as span:
            told = await self.runner.answer(
                ask, request.body, hook.script, hook.transforming, request.time_left_s * 1000
            )
            if isinstance(told, Broke):
                spans.fail(span, told.reason)
                raise ServiceError(CODES.get(told.failure, headers.BROKE), told.reason)
            span.set_attribute(names.ENDING, told.verdict.value)
        return encode(told, ask)

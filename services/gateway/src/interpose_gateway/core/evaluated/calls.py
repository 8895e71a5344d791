"""The requests of agents that run their own tools, each answered whatever happens: what breaks in here is a no."""

import logging
from collections.abc import Awaitable
from dataclasses import dataclass

from opentelemetry.context import Context

from interpose.contracts.evaluation import Evaluate, Report, ReportAnswer
from interpose.contracts.protocol_error import Error, Failure
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.approval import resolve
from interpose_gateway.core.evaluated.desk import Desk
from interpose_gateway.core.evaluated.evaluate import evaluate, evaluate_asked
from interpose_gateway.core.evaluated.install import install
from interpose_gateway.core.evaluated.ports import Unavailable
from interpose_gateway.core.evaluated.report import report, take_report
from interpose_gateway.core.evaluated.told import Told, TurnedAway, failed
from interpose_gateway.core.refusals import BROKE

AWAY = "nothing can be told about this call now ({why}). Look at the broker: interpose status"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AgentCalls:
    """Concurrent requests share nothing but the ports. No method raises."""

    desk: Desk

    async def evaluate(self, caller: Caller, body: bytes, parent: Context) -> Told:
        """May this call run?"""
        return await self._answer(evaluate(self.desk, caller, body, parent))

    async def evaluate_asked(
        self, caller: Caller, asked: Evaluate, parent: Context, *, is_reported: bool = True
    ) -> Told:
        """The same for a question that was read from something else; not `is_reported`: nothing will tell of it."""
        return await self._answer(evaluate_asked(self.desk, caller, asked, parent, is_reported=is_reported))

    async def report(self, caller: Caller, body: bytes, parent: Context) -> Told:
        """What came of it?"""
        return self._count(await self._answer(report(self.desk, caller, body, parent)))

    async def take_report(self, caller: Caller, asked: Report, parent: Context) -> Told:
        """The same for a report that was read from something else."""
        return self._count(await self._answer(take_report(self.desk, caller, asked, parent)))

    async def install(self, caller: Caller, body: bytes, parent: Context) -> Told:
        """May this package be installed?"""
        return await self._answer(install(self.desk, caller, body, parent))

    async def resolve(self, caller: Caller, identifier: str | None, body: bytes, parent: Context) -> Told:
        """What a person said; without an `identifier` the body says about what."""
        return await self._answer(resolve(self.desk, caller, identifier, body, parent))

    def _count(self, told: Told) -> Told:
        self.desk.tally.reported(_ending(told))
        return told

    async def _answer(self, work: Awaitable[Told]) -> Told:
        try:
            return await work
        except TurnedAway as turned:
            return turned.told
        except Unavailable as error:
            return failed(Error.UNAVAILABLE, AWAY.format(why=error))
        except Exception as error:
            # The one broad catch: whatever breaks is a no, never an unjudged run.
            log.exception("the gateway broke on a request of an agent")
            self.desk.stations.observer.alarm("gateway-error", f"a request of an agent: {type(error).__name__}")
            return failed(Error.UNAVAILABLE, BROKE)


def _ending(told: Told) -> str:
    """What became of a report, in one word of a closed set."""
    match told.body:
        case Failure(error=error):
            return error
        case ReportAnswer(finalized_by=None, already_finalized=None):
            return "recorded"
        case ReportAnswer(finalized_by=None):
            return "repeated"
        case _:
            return "final"

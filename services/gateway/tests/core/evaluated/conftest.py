"""Agents that run their own tools, over the core's ports in memory: a stream, claims that end by the clock, a store."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from opentelemetry.context import Context

from interpose.contracts.approval import ApprovalRecord
from interpose.contracts.clients import ClientEntry
from interpose.contracts.protocol_error import Failure
from interpose.contracts.record import Record
from interpose.contracts.words import Phase
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.calls import AgentCalls
from interpose_gateway.core.evaluated.desk import Desk
from interpose_gateway.core.evaluated.ports import Answered, Claim, ClaimState, Held, Unavailable
from interpose_gateway.core.evaluated.told import Told
from interpose_gateway.core.ports import RecordImpossible

OPEN_S = 600.0


@dataclass
class Stream:
    """The recorder's records by their places, for whoever reads them. `away`: nobody can."""

    ledger: Any
    approvals: list[ApprovalRecord] = field(default_factory=list)
    impossible: RecordImpossible | None = None
    away: bool = False

    async def at(self, sequence: int) -> Record | None:
        """The record that the ledger counted so."""
        if self.away:
            raise Unavailable("the broker is away")
        return self.ledger.records[sequence - 1] if 0 < sequence <= len(self.ledger.records) else None

    async def write_approval(self, record: ApprovalRecord, timeout_s: float) -> int:
        """Once to each call."""
        assert timeout_s > 0
        if self.impossible:
            raise self.impossible
        found = [place for place, kept in enumerate(self.approvals, 1) if kept.call_id == record.call_id]
        if found:
            raise RecordImpossible("one stands already", maybe_stored=False, stands_at=found[0])
        self.approvals.append(record)
        return len(self.approvals)

    async def approval_at(self, sequence: int) -> ApprovalRecord | None:
        """The answer that was counted so."""
        return self.approvals[sequence - 1] if 0 < sequence <= len(self.approvals) else None


@dataclass
class Keys:
    """Claims by compare-and-set, each with a life of its own by the clock. `away`: raise; `lost`: it is not ours."""

    clock: Any
    held: dict[str, tuple[Held, float]] = field(default_factory=dict)
    takes: list[float] = field(default_factory=list)
    away: set[str] = field(default_factory=set)
    lost: bool = False
    _revision: int = 0

    async def read(self, call_id: str) -> Held | None:
        """What has not ended."""
        self._check("read")
        found = self.held.get(call_id)
        return found[0] if found and found[1] > self.clock.now_s else None

    async def take(self, call_id: str, claim: Claim, lease_s: float) -> int | None:
        """Ours, unless somebody holds one."""
        self._check("take")
        if await self.read(call_id) is not None:
            return None
        self.takes.append(lease_s)
        return self.put(call_id, claim, lease_s)

    async def finish(self, call_id: str, revision: int, claim: Claim, keep_s: float) -> bool:
        """Ended, if it is still ours."""
        self._check("finish")
        found = await self.read(call_id)
        if self.lost or found is None or found.revision != revision:
            return False
        self.put(call_id, claim, keep_s)
        return True

    def put(self, call_id: str, claim: Claim, life_s: float) -> int:
        """Whatever stood there."""
        self._revision += 1
        self.held[call_id] = Held(claim, self._revision), self.clock.now_s + life_s
        return self._revision

    def claim(self, call_id: str) -> Claim:
        """The claim as it stands."""
        return self.held[call_id][0].claim

    def _check(self, what: str) -> None:
        if what in self.away:
            raise Unavailable(f"{what}: the broker is away")


@dataclass
class Answers:
    """The first answer to each question."""

    of: dict[str, Answered] = field(default_factory=dict)
    kept_s: list[float] = field(default_factory=list)

    async def read(self, call_id: str) -> Answered | None:
        """The answer."""
        return self.of.get(call_id)

    async def answer(self, call_id: str, answered: Answered, keep_s: float) -> bool:
        """The first one stays."""
        self.kept_s.append(keep_s)
        return self.of.setdefault(call_id, answered) is answered


@dataclass
class Labels:
    """Evidence by session and key. `fails_at`: the store is away from that entry on."""

    kept: dict[tuple[str, str, str], tuple[Any, int]] = field(default_factory=dict)
    asked: int = 0
    fails_at: int | None = None

    async def keep(self, tenant: str, session: str, key: str, data: object, ttl_s: int) -> bool:
        """Whether it is kept."""
        self.asked += 1
        if self.fails_at is not None and self.asked > self.fails_at:
            return False
        self.kept[tenant, session, key] = data, ttl_s
        return True


@dataclass
class Counts:
    """What was counted, in order."""

    evaluations: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    resolutions: list[str] = field(default_factory=list)

    def evaluated(self, verb: str) -> None:
        """One evaluation."""
        self.evaluations.append(verb)

    def reported(self, ending: str) -> None:
        """One report."""
        self.reports.append(ending)

    def resolved(self, resolution: str) -> None:
        """One answer."""
        self.resolutions.append(resolution)


class Agents:
    """A world with a desk for agents. `waits` is called whenever somebody waits; the clock goes on meanwhile."""

    def __init__(self, world: Any) -> None:
        self.world, self.clock, self.ledger, self.hooks = world, world.clock, world.ledger, world.hooks
        self.stream, self.claims = Stream(world.ledger), Keys(world.clock)
        self.approvals, self.labels, self.counts = Answers(), Labels(), Counts()
        self.waits: Any = lambda: None
        self.waited_s = 0.0
        entry = ClientEntry(token_sha256="0" * 64, platform="openclaw", agent="main", scopes=["evaluate"])
        self.caller = Caller("local", entry)
        self.calls = self.gateway("gateway-1")

    def gateway(self, instance: str) -> AgentCalls:
        """One gateway; others share everything but their memory."""
        return AgentCalls(
            Desk(
                registry=self.world.rules,
                stations=self.world.gateway.stations,
                tally=self.counts,
                records=self.stream,
                claims=self.claims,
                approvals=self.approvals,
                approval_records=self.stream,
                evidence=self.labels,
                pause=self._pause,
                instance=instance,
                open_s=OPEN_S,
            )
        )

    async def _pause(self, seconds: float) -> None:
        self.waited_s += seconds
        self.clock.now_s += seconds
        self.waits()

    async def evaluate(self, tool: Any = "Bash", arguments: Any = None, **more: Any) -> SimpleNamespace:
        """Ask; the answer's fields, and `status`."""
        named = {"name": tool} if isinstance(tool, str) else tool
        body = {"tool": named, "arguments": {"command": "ls"} if arguments is None else arguments}
        return self.told(await self.calls.evaluate(self.caller, orjson.dumps(body | more), Context()))

    async def report(self, evaluation: Any, status: str = "success", **more: Any) -> SimpleNamespace:
        """Report it."""
        identifier = getattr(evaluation, "evaluation_id", evaluation)
        return await self.send({"evaluation_id": identifier, "status": status} | more)

    async def send(self, body: dict[str, Any], calls: AgentCalls | None = None) -> SimpleNamespace:
        """Any report, to any gateway."""
        return self.told(await (calls or self.calls).report(self.caller, orjson.dumps(body), Context()))

    async def install(self, package: dict[str, Any], **more: Any) -> SimpleNamespace:
        """Ask for an install."""
        body = orjson.dumps({"package": package} | more)
        return self.told(await self.calls.install(self.caller, body, Context()))

    async def resolve(self, evaluation: Any, resolution: str = "approved", **more: Any) -> SimpleNamespace:
        """Tell a person's answer; by default patrick's."""
        body = {"resolution": resolution, "resolved_by": "patrick"} | more
        said = {name: value for name, value in body.items() if value is not None}
        identifier = getattr(evaluation, "evaluation_id", evaluation)
        return self.told(await self.calls.resolve(self.caller, identifier, orjson.dumps(said), Context()))

    @staticmethod
    def told(told: Told) -> SimpleNamespace:
        """The body as it is sent, and the status beside it."""
        body = orjson.loads(told.body.to_bytes())
        places = [error["path"] for error in body.get("errors", [])] if isinstance(told.body, Failure) else []
        return SimpleNamespace(status=told.status, body=body, places=places, retry=told.retry_after_s, **body)

    def call_id(self, evaluation: Any) -> str:
        """Of the call that was evaluated."""
        return str(evaluation.evaluation_id).partition(".")[0]

    def before(self) -> Record:
        """The one before record."""
        return self.ledger.of(Phase.BEFORE)

    def after(self) -> Record:
        """The one after record."""
        return self.ledger.of(Phase.AFTER)

    def under_work(self, evaluation: Any, digest: str, **fields: Any) -> None:
        """Somebody else holds its claim, for a minute."""
        told = {"state": ClaimState.CLAIMED, "by": "gateway-2", "ended": "report", "digest": digest} | fields
        self.claims.put(self.call_id(evaluation), Claim.model_validate(told, strict=False), 60)


@pytest.fixture
def agents(world: Any) -> Agents:
    """A gateway for agents with no hooks, under which every call is allowed."""
    return Agents(world)

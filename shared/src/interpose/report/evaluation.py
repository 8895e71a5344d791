"""Asking the gateway: before a call, before an install, and what a person said.

May raise what the disk or the interpreter raises; `Gate` turns that into a no.
"""

from typing import Any, NamedTuple
from urllib.parse import quote

from interpose.contracts.limits import KIB
from interpose.report import log
from interpose.report.claims import Call, Claims
from interpose.report.client import Client
from interpose.report.courier import Courier
from interpose.report.decision import AMBIGUOUS, Decision, Verb, read, read_resolution, refuse, unavailable
from interpose.report.settings import Settings
from interpose.report.shedding import encode
from interpose.report.snapshot import take

ARGUMENTS_BYTES = 64 * KIB
CLAIMS_BYTES = 256 * KIB
"""Of what an adapter claims beside the arguments. The gateway has limits of its own."""
PENDING_SLACK_MS = 1_000
"""How much longer than the gateway may take a reservation waits for its decision."""
APPROVED = "approved"
_OPEN = (Verb.ALLOW, Verb.REQUIRE_APPROVAL)
"""The decisions that wait for the end of their call. Every other is final at once."""


class Question(NamedTuple):
    """What an agent wants to know before a call."""

    call: Call
    arguments: object
    declared: object = None
    metadata: object = None
    agent_id: str = ""
    is_dry_run: bool = False


class Install(NamedTuple):
    """What an agent wants to know before an install."""

    package: dict[str, str]
    metadata: object = None
    agent_id: str = ""
    session: str = ""


class Answered(NamedTuple):
    """What a person said to the question of a call."""

    call: Call
    resolution: str
    resolved_by: str = ""
    reason: str = ""
    scope: str = ""


class Evaluations:
    """The questions of one origin."""

    def __init__(self, settings: Settings, claims: Claims, client: Client, courier: Courier) -> None:
        self._settings = settings
        self._claims = claims
        self._client = client
        self._courier = courier

    def judge(self, question: Question) -> Decision:
        """The decision about a call. It is reserved before the gateway is asked, and stays so while it may run."""
        taken = take(question.arguments, ARGUMENTS_BYTES)
        if taken is None or len(encode(taken.value)) > ARGUMENTS_BYTES:
            return unavailable(f"the arguments are larger than {ARGUMENTS_BYTES} bytes")
        if taken.changed or not isinstance(taken.value, dict):
            # What runs would not be what was judged.
            return unavailable(f"the arguments must be a plain JSON object, unlike {', '.join(taken.changed) or '$'}")
        body = self._body(question.call.session, question.agent_id, question.metadata)
        body |= {"tool": _plain(question.declared) | {"name": question.call.tool}, "arguments": taken.value}
        if question.is_dry_run:
            return self._rehearse(body)
        return self._judge(question.call, body)

    def judge_install(self, install: Install) -> Decision:
        """The decision about an install: allow or deny, and final."""
        body = self._body(install.session, install.agent_id, install.metadata) | {"package": install.package}
        decision = self._ask("/install-scan", body)
        if decision.verb in (Verb.ALLOW, Verb.DENY):
            return decision
        return unavailable(f"{decision.verb} is no decision about an install")

    def resolve(self, answered: Answered) -> Decision:
        """What the gateway makes of a person's answer. Only a yes that it has confirmed is one."""
        found = self._claims.find(answered.call)
        if found is None or not found.approval_id:
            return unavailable("no question waits for an answer under this call")
        # A yes names who gave it; a platform that does not say so vouches for its person itself.
        said = answered._asdict() | {"resolved_by": answered.resolved_by or self._settings.origin}
        body = {name: said[name] for name in ("resolution", "resolved_by", "reason", "scope") if said[name]}
        path = f"/approval/{quote(found.approval_id, safe='')}/resolve"
        decision = read_resolution(self._client.post(path, encode(body), self._settings.evaluate_timeout_ms))
        if decision.is_allowed and answered.resolution != APPROVED:
            decision = unavailable("the gateway allows what the person did not")
        decision = decision._replace(evaluation_id=found.evaluation_id)
        if decision.is_allowed:  # its time begins anew
            decision = self._bind(answered.call, found.ticket, decision) or decision
        if not decision.is_allowed:
            self._release(answered.call, found.ticket)
        if decision.is_local:
            self._say_not_executed(found.evaluation_id)
        return decision

    def _judge(self, call: Call, body: dict[str, Any]) -> Decision:
        ticket = self._claims.reserve(call, self._settings.evaluate_timeout_ms + PENDING_SLACK_MS)
        if ticket is None:
            return refuse(AMBIGUOUS)
        decision = self._ask("/evaluate", body)
        if decision.verb not in _OPEN:
            self._release(call, ticket)
            return decision
        trouble = self._bind(call, ticket, decision)
        if trouble is None:
            return decision
        self._release(call, ticket)
        self._say_not_executed(decision.evaluation_id)
        return trouble

    def _bind(self, call: Call, ticket: str, decision: Decision) -> Decision | None:
        """Why the end of this call could not be told from others'; None where it can."""
        approval_id = "" if decision.approval is None else decision.approval.id
        try:
            is_bound = self._claims.bind(call, ticket, decision.evaluation_id or "", approval_id)
        except OSError as error:
            return unavailable(f"the evaluation cannot be kept: {error}")
        return None if is_bound else refuse(AMBIGUOUS)

    def _rehearse(self, body: dict[str, Any]) -> Decision:
        decision = self._ask("/evaluate", body | {"dry_run": True})
        return unavailable("a dry run was taken for a call") if decision.verb in _OPEN else decision

    def _ask(self, path: str, body: dict[str, Any]) -> Decision:
        answer = self._client.post(path, encode(body), self._settings.evaluate_timeout_ms)
        return read(answer, body.get("arguments"))

    def _release(self, call: Call, ticket: str) -> None:
        try:
            self._claims.release(call, ticket)
        except OSError as error:
            log.warning("a reservation stays until its time is over: %s", error)

    def _say_not_executed(self, evaluation_id: str | None) -> None:
        """Close what the gateway may hold open: nobody will report on it."""
        self._courier.leave(encode({"evaluation_id": evaluation_id, "status": "not_executed"}))

    def _body(self, session: str, agent_id: str, metadata: object) -> dict[str, Any]:
        """What every question says of who asks."""
        fields = {
            "origin": self._settings.origin,
            "adapter_version": self._settings.adapter_version,
            "agent_id": agent_id or self._settings.agent_id,
            "session_id": session,
            "metadata": _plain(metadata),
        }
        return {name: value for name, value in fields.items() if value}


def _plain(claimed: object) -> dict[str, Any]:
    """What an adapter claims, as JSON. Raises ValueError for what is no object."""
    if claimed is None:
        return {}
    taken = take(claimed, CLAIMS_BYTES)
    if taken is None or not isinstance(taken.value, dict):
        raise ValueError("metadata and the tool's declaration must be small objects")
    return taken.value

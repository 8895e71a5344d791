"""Calls that an agent runs itself: what it asks before, what it reports afterwards, and what it is told.

The protocol is the one that governance adapters of hook-based agents speak already (docs/evaluate.md), so its field
names are those of that protocol and not ours: `deny` is our refusal, `agent_id` a claim of the caller.
"""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from interpose.contracts.call import AnswerError
from interpose.contracts.limits import NAME_CHARACTERS
from interpose.contracts.model import Closed, JsonObject, encode_present
from interpose.contracts.words import Decision

Origin = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,64}$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_CHARACTERS)]
EvidenceKey = Annotated[str, StringConstraints(min_length=1, max_length=NAME_CHARACTERS)]

ARGUMENTS_BYTES = 64 * 1024
METADATA_BYTES = 4 * 1024
EVIDENCE_BYTES = 64 * 1024
"""Of one entry's data; a larger one is not stored, and the answer says so."""
EVIDENCE_ENTRIES = 16
"""How many entries of one report are looked at; the others are dropped, and the answer says so of each."""
MOST_EVIDENCE = 1024
"""How many entries a report may carry at all."""
BODY_BYTES = 1024 * 1024
"""A whole request of this protocol."""
INSTALL = "install"
"""The tool that an install is judged as: hooks are keyed `before:install`."""
CANARY = "interpose-canary"
"""A tool that is nobody's: every gateway refuses it, so that whoever sends it sees a refusal come back."""
CANARY_REFUSED = "the canary was refused, as it always is: calls reach this gateway and its no comes back"


class EvaluatedTool(Closed):
    """The tool as its platform declares it. Only the name takes part in planning; the rest is a claim."""

    name: Name
    description: str | None = None
    input_schema: JsonObject | None = None
    title: str | None = None
    annotations: JsonObject | None = None


class Evaluate(Closed):
    """`POST /evaluate`: may this call run? `arguments` are the parameters in the platform's own spelling."""

    origin: Origin = "sideband"
    adapter_version: Annotated[str, StringConstraints(max_length=64)] | None = None
    agent_id: Annotated[str, StringConstraints(max_length=128)] | None = None
    session_id: Annotated[str, StringConstraints(max_length=256)] | None = None
    tool: EvaluatedTool
    arguments: JsonObject = Field(default_factory=dict)
    metadata: JsonObject = Field(default_factory=dict)
    dry_run: bool = False


class Verb(StrEnum):
    """The decision in the protocol's words."""

    ALLOW = "allow"
    DENY = "deny"
    REQUIRE_APPROVAL = "require_approval"
    RATE_LIMITED = "rate_limited"
    DRY_RUN = "dry_run"


class Feedback(Closed):
    """What the agent should be told, with each fault's place."""

    message: str
    errors: list[AnswerError] = Field(default_factory=list)


class ApprovalAsked(Closed):
    """The question that the agent's platform puts to its person."""

    id: str
    timeout_ms: int
    resolve_path: str


class DryRun(Closed):
    """What would have been decided."""

    decision: Verb


class Evaluation(Closed):
    """The answer to `Evaluate` and to `InstallScan`. Absent parts are absent, not null, but for `matched_rule`.

    `arguments` are the final ones and stand here only when a hook rewrote them: the agent must run with these.
    """

    evaluation_id: str
    decision: Verb
    reason: str | None = None
    matched_rule: str | None = None
    code: str | None = None
    feedback: Feedback | None = None
    approval: ApprovalAsked | None = None
    limits: JsonObject | None = None
    arguments: JsonObject | None = None
    dry_run: DryRun | None = None
    warnings: list[str] = Field(default_factory=list)
    trace_id: str | None = None
    revision: int | None = None

    def to_bytes(self) -> bytes:
        """The answer as JSON."""
        return encode_present(self, always=("matched_rule",))


class Reported(StrEnum):
    """What the agent says came of the call."""

    SUCCESS = "success"
    ERROR = "error"
    NOT_EXECUTED = "not_executed"


class Evidence(Closed):
    """A fact that a successful call established, kept for `ttl_seconds`."""

    evidence_key: EvidenceKey
    evidence_data: Any
    ttl_seconds: Annotated[int, Field(ge=1, le=7 * 24 * 3600)] | None = None


class Report(Closed):
    """`POST /audit`: what came of an evaluated call. `shed` names what the sender left out to keep the size."""

    evaluation_id: Name
    status: Reported = Field(strict=False)
    error: str | None = None
    duration_ms: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    result: Any = None
    evidence: Annotated[list[Evidence], Field(max_length=MOST_EVIDENCE)] = Field(default_factory=list)
    shed: Annotated[list[Annotated[str, StringConstraints(max_length=64)]], Field(max_length=32)] = Field(
        default_factory=list
    )


class EvidenceKept(Closed):
    """Whether one entry of evidence was stored, and why not."""

    evidence_key: str
    stored: bool
    reason: str | None = None


class Finalizer(StrEnum):
    """Who had already ended an evaluation when its report came."""

    EVALUATE = "evaluate"
    """The decision itself was final: a refusal, a dry run, an install."""
    APPROVAL = "approval"
    """The person said no, or nobody said anything in time."""


class ReportAnswer(Closed):
    """The answer to `Report`: 201 the first time, 200 with `already_finalized` for the same payload again.

    `result` is what after hooks made of the result, present only when they changed it and let it be delivered.
    """

    ok: bool = True
    audit_record_id: str
    already_finalized: bool | None = None
    finalized_by: Finalizer | None = None
    decision: Decision | None = None
    reason: str | None = None
    code: str | None = None
    result: Any = None
    evidence: list[EvidenceKept] | None = None
    warnings: list[str] = Field(default_factory=list)

    def to_bytes(self) -> bytes:
        """The answer as JSON; a `result` that is null was rewritten to null."""
        return encode_present(self, always=("result",) if "result" in self.model_fields_set else ())


class Package(Closed):
    """What somebody wants to install."""

    name: Name
    version: Annotated[str, StringConstraints(max_length=256)] | None = None
    source: Annotated[str, StringConstraints(max_length=256)] | None = None
    spec: Annotated[str, StringConstraints(max_length=2048)] | None = None
    url: Annotated[str, StringConstraints(max_length=2048)] | None = None


class InstallScan(Closed):
    """`POST /install-scan`: may this package be installed? Judged by `before:install` hooks, and final."""

    origin: Origin = "sideband"
    adapter_version: Annotated[str, StringConstraints(max_length=64)] | None = None
    agent_id: Annotated[str, StringConstraints(max_length=128)] | None = None
    session_id: Annotated[str, StringConstraints(max_length=256)] | None = None
    package: Package
    metadata: JsonObject = Field(default_factory=dict)


class Resolution(StrEnum):
    """What a person said, or that nobody did."""

    APPROVED = "approved"
    DENIED = "denied"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"


class ApprovalScope(StrEnum):
    """How far a yes was meant to reach. It binds one call either way (docs/adr/0017-calls-that-agents-run.md)."""

    ONCE = "once"
    ALWAYS = "always"


class Resolve(Closed):
    """`POST /approval/{id}/resolve`: the person's answer. A yes or a no names who gave it."""

    resolution: Resolution = Field(strict=False)
    resolved_by: Annotated[str, StringConstraints(min_length=1, max_length=256)] | None = None
    reason: Annotated[str, StringConstraints(max_length=2000)] | None = None
    scope: ApprovalScope | None = Field(default=None, strict=False)


class ResolveById(Resolve):
    """The same over the bus, where no path says which question it is for."""

    id: Name


class ResolveAnswer(Closed):
    """What the resolution came to: on a yes the call is planned again, and may be refused by then."""

    ok: bool = True
    decision: Verb
    reason: str | None = None
    code: str | None = None

    def to_bytes(self) -> bytes:
        """The answer as JSON."""
        return encode_present(self)

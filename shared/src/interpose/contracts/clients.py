"""Who may call: the credential's entry says who a caller is. The body of a call never does."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AwareDatetime, Field, StringConstraints, field_validator, model_validator

from interpose.contracts.model import Closed, HookName

EVERYONE = "*"
MOST_OLD_TOKENS = 3
"""How many tokens may end beside the present one: a rotation needs one, and a second in haste another."""

TokenDigest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Scope(StrEnum):
    """What a token opens. None of them opens another."""

    CALL = "call"
    """Calls that the gateway runs: `POST /v1/calls`, `gateway.call.<client>`."""
    EVALUATE = "evaluate"
    """Calls that the agent runs itself: ask before, report after."""
    OPERATE = "operate"
    """Decisions of a person: resolve an approval."""


class OldToken(Closed):
    """A token that was replaced and opens as much as the present one, until its end."""

    token_sha256: TokenDigest = Field(description="The SHA-256 of the token, in hex.")
    until: AwareDatetime = Field(strict=False, description="When it ends, by the clock of the gateway's machine.")


class ClientEntry(Closed):
    """One client. `users` lists whom its calls may speak for; `*` is everyone. The token itself is never stored."""

    token_sha256: TokenDigest = Field(
        description="The SHA-256 of the token, in hex. The token itself is never stored here."
    )
    also: list[OldToken] = Field(
        default_factory=list,
        max_length=MOST_OLD_TOKENS,
        description="Tokens that were replaced and still open until their `until`.",
    )
    scopes: list[Annotated[Scope, Field(strict=False)]] = Field(
        default=[Scope.CALL],
        min_length=1,
        description="What its tokens open: `call` (calls that the gateway runs), `evaluate` (calls that the agent "
        "runs itself), `operate` (a person's decisions).",
    )
    tenant: str = Field(default="default", description="`context.tenant` of each of its calls.")
    agent: str | None = Field(default=None, description="`context.agent` of each of its calls.")
    platform: str | None = Field(default=None, description="`context.platform` of each of its calls.")
    users: list[str] = Field(
        default_factory=list, description="Whom its calls may name in `context.user`; `*` is everyone."
    )

    @field_validator("scopes")
    @classmethod
    def _once(cls, scopes: list[Scope]) -> list[Scope]:
        if len(set(scopes)) != len(scopes):
            raise ValueError("a scope stands here twice")
        return scopes

    def may_speak_for(self, user: str) -> bool:
        """Whether a call of this client may name that user."""
        return EVERYONE in self.users or user in self.users

    def covers(self, scope: Scope) -> bool:
        """Whether its tokens open this."""
        return scope in self.scopes

    def digests(self) -> dict[str, datetime | None]:
        """Each of its tokens with its end; the present one has none."""
        return {old.token_sha256: old.until for old in self.also} | {self.token_sha256: None}


class Clients(Closed):
    """The clients file (mode 0600): `{"clients": {"<name>": {…}}}`."""

    clients: dict[HookName, ClientEntry] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        owners: dict[str, str] = {}
        for name, entry in self.clients.items():
            for digest in entry.digests():
                if owners.setdefault(digest, name) != name:
                    raise ValueError(f"{owners[digest]} and {name} have the same token: nobody could tell them apart")
        return self

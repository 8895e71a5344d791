"""Who may call: the credential's entry says who a caller is. The body of a call never does."""

from typing import Annotated

from pydantic import Field, StringConstraints

from interpose.contracts.model import Closed, HookName

EVERYONE = "*"


class ClientEntry(Closed):
    """One client. `users` lists whom its calls may speak for; `*` is everyone. The token itself is never stored."""

    token_sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] = Field(
        description="The SHA-256 of the token, in hex. The token itself is never stored here."
    )
    tenant: str = Field(default="default", description="`context.tenant` of each of its calls.")
    agent: str | None = Field(default=None, description="`context.agent` of each of its calls.")
    platform: str | None = Field(default=None, description="`context.platform` of each of its calls.")
    users: list[str] = Field(
        default_factory=list, description="Whom its calls may name in `context.user`; `*` is everyone."
    )

    def may_speak_for(self, user: str) -> bool:
        """Whether a call of this client may name that user."""
        return EVERYONE in self.users or user in self.users


class Clients(Closed):
    """The clients file (mode 0600): `{"clients": {"<name>": {…}}}`."""

    clients: dict[HookName, ClientEntry] = Field(default_factory=dict)

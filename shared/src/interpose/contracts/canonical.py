"""The canonical form of a call: what the canonicalizer answers, in its verdict's `output`."""

from enum import StrEnum

from pydantic import Field

from interpose.contracts.model import Closed, JsonObject


class Operation(StrEnum):
    """What a call does to a target. `unparsed` says that nobody could read all of them: there may be more."""

    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"
    MOVE = "move"
    UNPARSED = "unparsed"


class Target(Closed):
    """One thing that a call touches. Both ends of a move are targets; `path` is as the call spells it."""

    operation: Operation = Field(strict=False)
    path: str | None = None


class CanonicalForm(Closed):
    """`views` are further tools whose rules the call meets; `table` is the version of the table that was used."""

    tool: str
    action: str | None
    kind: str
    parameters: JsonObject
    views: list[str]
    targets: list[Target]
    mapped: bool
    table: str

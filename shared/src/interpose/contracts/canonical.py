"""The canonicalizer's own words: what it is told of a configuration (`with`), and the form it answers (`output`)."""

from enum import StrEnum
from typing import Self

from pydantic import Field

from interpose.contracts.config import Configuration
from interpose.contracts.model import Closed, JsonObject, Pointer


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
    """`views` are further tools whose rules the call meets; `table` is the version of the table that was used.

    The parameters stand in it as their digest: whoever reads a form has its own, and a call of the largest size or
    depth has a form that can be read.
    """

    tool: str
    action: str | None
    kind: str
    parameters_digest: str
    views: list[str]
    targets: list[Target]
    mapped: bool
    table: str


class NamedTool(Closed):
    """What of a declared tool says how it is called; `actionFrom` is absent where the file is silent."""

    action_from: Pointer | None = Field(default=None, alias="actionFrom")


class Naming(Closed):
    """The parts of a configuration that say what a call is: declared tools and further names."""

    tools: dict[str, NamedTool] = Field(default_factory=dict)
    tool_aliases: dict[str, str] = Field(default_factory=dict, alias="toolAliases")

    @classmethod
    def of(cls, configuration: Configuration) -> Self:
        """Those of this configuration."""
        tools = {
            name: NamedTool(**spec.model_dump(include={"action_from"}, exclude_unset=True))
            for name, spec in configuration.tools.items()
        }
        return cls(tools=tools, tool_aliases=configuration.tool_aliases)

    def to_wire(self) -> JsonObject:
        """As it stands in the `with` of an ask."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

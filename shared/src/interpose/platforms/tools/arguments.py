"""What the models of tools are made of."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

Number = int | float
Tools = Mapping[str, type[BaseModel]]


class Arguments(BaseModel):
    """Frozen; what the documents do not name does not fit: so that a change of the platform is seen."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=False)


class CamelArguments(Arguments):
    """The same for platforms that write `filePath`."""

    model_config = ConfigDict(alias_generator=to_camel)


class Open(Arguments):
    """Of a tool whose documents name some of its arguments only."""

    model_config = ConfigDict(extra="allow")


class OpenCamel(CamelArguments):
    """The same in camelCase."""

    model_config = ConfigDict(extra="allow")


class Undocumented(Open):
    """Of a tool that is known by its name only: everything fits."""


def undocumented(names: Iterable[str]) -> dict[str, type[BaseModel]]:
    """Tools that are known by their names only."""
    return dict.fromkeys(names, Undocumented)


Json = Any
"""A value that the documents leave open."""

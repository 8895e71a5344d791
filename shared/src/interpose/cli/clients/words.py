"""What is typed after `interpose clients`: names, scopes, platforms and lengths of time, or what is wrong with them."""

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from interpose.contracts.clients import Scope

LONGEST_KEPT = timedelta(days=7)
"""An old token that lives on for weeks was never replaced."""


def checked(name: str) -> str:
    """A client's name. It stands in a subject and in the names of files."""
    from pydantic import TypeAdapter, ValidationError

    from interpose.contracts.model import HookName

    try:
        return str(TypeAdapter(HookName).validate_python(name))
    except ValidationError as error:
        said = f"{name!r} is no name: 1 to 64 letters, digits, - and _"
        raise typer.BadParameter(said, param_hint="NAME") from error


def scopes_of(words: Iterable[str]) -> "list[Scope]":
    """The scopes of these words, each once."""
    from interpose.contracts.clients import Scope

    known = {scope.value: scope for scope in Scope}
    for word in words:
        if word not in known:
            raise typer.BadParameter(f"{word!r} is no scope: there are {', '.join(known)}", param_hint="--scope")
    return list(dict.fromkeys(known[word] for word in words))


def whole_platform(name: str | None) -> str | None:
    """The platform's whole name, from that or its short one (`claude`, `gemini`, `copilot`)."""
    from interpose.canonical.table import SHORT_PLATFORMS, platform_of, table

    whole = platform_of(name)
    known = sorted({row.platform for row in table().rows})
    if whole is not None and whole not in known:
        said = f"no table knows platform {name!r}: there are {', '.join([*known, *SHORT_PLATFORMS])}"
        raise typer.BadParameter(said, param_hint="--platform")
    return whole


def kept(said: str) -> timedelta:
    """For how long an old token shall open."""
    from interpose.errors import ConfigurationError
    from interpose.records.moments import period

    try:
        meant = period(said)
    except ConfigurationError as error:
        raise typer.BadParameter(str(error), param_hint="--keep-old") from error
    if meant > LONGEST_KEPT:
        raise typer.BadParameter(f"an old token is kept for {LONGEST_KEPT.days}d at most", param_hint="--keep-old")
    return meant

"""The filters of `interpose records`: the same options, with the same meaning, for list, follow and stats."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interpose.contracts.words import Decision, Outcome, Phase
from interpose.records.kinds import Kind

if TYPE_CHECKING:
    from interpose.records.wanted import Wanted

_OPTIONS: dict[str, Any] = {
    "call_id": Annotated[str | None, typer.Option("--call", metavar="ID", help="Of this call.")],
    "trace_id": Annotated[str | None, typer.Option("--trace", metavar="ID", help="Of this trace.")],
    "tool": Annotated[str | None, typer.Option("--tool", metavar="TOOL[.ACTION]", help="Of this tool.")],
    "client": Annotated[str | None, typer.Option("--client", metavar="NAME", help="Of this client.")],
    "user": Annotated[str | None, typer.Option("--user", metavar="NAME", help="Of this user.")],
    "session": Annotated[str | None, typer.Option("--session", metavar="ID", help="Of this session.")],
    "decision": Annotated[Decision | None, typer.Option("--decision", help="With this decision.")],
    "code": Annotated[str | None, typer.Option("--code", metavar="CODE", help="With this code.")],
    "hook": Annotated[str | None, typer.Option("--hook", metavar="NAME", help="With this hook in it.")],
    "outcome": Annotated[Outcome | None, typer.Option("--outcome", help="Of calls that ended so.")],
    "phase": Annotated[Phase | None, typer.Option("--phase", help="Of this phase.")],
    "kind": Annotated[Kind | None, typer.Option("--kind", help="Of this kind.")],
    "since": Annotated[
        str | None, typer.Option("--since", metavar="WHEN", help="Not before: 2026-01-31T12:00Z, or 10m, 2h, 7d ago.")
    ],
    "until": Annotated[str | None, typer.Option("--until", metavar="WHEN", help="Before that moment.")],
}


def filtered(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the filters as options; it gets them as its first parameter, a `Wanted`."""

    def run(**given: Any) -> None:
        command(_wanted({name: given.pop(name) for name in _OPTIONS}), **given)

    own = list(inspect.signature(command).parameters.values())[1:]
    kind = inspect.Parameter.KEYWORD_ONLY
    ours = [inspect.Parameter(name, kind, default=None, annotation=option) for name, option in _OPTIONS.items()]
    parameters = [*(each.replace(kind=kind) for each in own), *ours]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.__doc__ = command.__doc__
    return run


def _wanted(given: dict[str, Any]) -> "Wanted":
    from datetime import datetime

    from interpose.errors import ConfigurationError
    from interpose.records.moments import moment
    from interpose.records.wanted import Wanted

    now = datetime.now().astimezone()
    for name in ("since", "until"):
        try:
            given[name] = None if given[name] is None else moment(given[name], now)
        except ConfigurationError as error:
            raise typer.BadParameter(str(error), param_hint=f"--{name}") from error
    return Wanted(**given)

"""`interpose hooks test`: events against a configuration file, or against one hook that is in force."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interpose.cli import options
from interpose.cli.output import console, write_json
from interpose.cli.plain import plain

if TYPE_CHECKING:
    from interpose.contracts.config import Configuration
    from interpose.embedded.home import Home
    from interpose_gateway.trial.compare import Difference
    from interpose_gateway.trial.event import Event
    from interpose_gateway.trial.run import Tried

EPILOG = (
    "An event is a call as JSON, with `response` to ask the after hooks too, and `expect` with what must hold:"
    ' {"tool": "Bash", "parameters": {"command": "rm -rf /"}, "expect": {"decision": "refuse", "code": "invalid"}}\n\n'
    "Exit code: 0 when everything is as expected, else 1.\n\n"
    "Example:\n\n  interpose hooks test interpose.json event.json"
)

Candidate = Annotated[
    str, typer.Argument(metavar="FILE|NAME", help="A configuration file, or the name of a hook that is in force.")
]
Events = Annotated[list[Path], typer.Argument(metavar="EVENT.json…", help="The events to try.")]

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class Compared:
    """One event, what came of it, and what is not as expected."""

    file: Path
    event: "Event"
    tried: "Tried"
    differences: "list[Difference]"

    @property
    def hooks(self) -> list[dict[str, Any]]:
        """Each hook of the answer, and the shadows behind them."""
        asked = [hook.model_dump(mode="json") for hook in self.tried.reply.answer.hooks]
        return asked + [hook.model_dump(mode="json") for hook in self.tried.shadows]


@app.command("test", epilog=EPILOG)
def try_out(
    candidate: Candidate,
    events: Events,
    verbose: options.Verbose = False,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Ask the hooks for real what they make of a call. No tool runs, and nothing is recorded as a call."""
    from interpose.embedded.home import Home

    tried = asyncio.run(_try_all(candidate, [(path, _read(path)) for path in events], Home.find(home)))
    for one in tried:
        _show_json(one) if json else _show(one, verbose=verbose)
    if any(one.differences for one in tried):
        raise typer.Exit(1)


def _read(path: Path) -> "Event":
    from interpose.errors import ConfigurationError
    from interpose_gateway.trial.event import read_event

    try:
        return read_event(path.read_bytes(), str(path))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from error


async def _try_all(candidate: str, events: "list[tuple[Path, Event]]", home: "Home") -> list[Compared]:
    from interpose.contracts.digest import digest
    from interpose.embedded import operator
    from interpose_gateway.trial.compare import differences
    from interpose_gateway.trial.run import trial

    configuration, number = await _candidate(candidate, home)
    named = digest(configuration.model_dump(mode="json", by_alias=True))
    compared = []
    async with trial(operator.identity(home), configuration, number, named) as running:
        for path, event in events:
            tried = await running.try_out(event)
            wanted = event.expect
            found = differences(wanted, tried.reply.answer, tried.shadows) if wanted is not None else []
            compared.append(Compared(path, event, tried, found))
    return compared


async def _candidate(candidate: str, home: "Home") -> "tuple[Configuration, int]":
    """A file is a revision nobody applied, so it has the number 0."""
    from interpose.config.load import load

    if _is_file(Path(candidate)):
        return load(Path(candidate)).configuration, 0
    return await _in_force(candidate, home)


def _is_file(path: Path) -> bool:
    """A hook's name has no dot, so what ends like a configuration is meant as one, even where it does not exist."""
    return path.suffix in {".json", ".yaml", ".yml"} or path.is_file()


async def _in_force(name: str, home: "Home") -> "tuple[Configuration, int]":
    """The configuration in force with this hook alone. Raises ConfigurationError where nobody knows it."""
    from interpose.embedded import operator
    from interpose.errors import ConfigurationError
    from interpose.registry.store import Store

    client = await operator.reach(home)
    try:
        version = await Store(client).read()
    finally:
        await client.close()
    whole = version.document().configuration()
    alone = {
        key: [hook.model_copy(update={"needs": []}) for hook in hooks if hook.name == name]
        for key, hooks in whole.hooks.items()
    }
    if not any(alone.values()):
        known = sorted({hook.name for hooks in whole.hooks.values() for hook in hooks})
        raise ConfigurationError(
            f"{name} is neither a file nor a hook in force; in force are {', '.join(known) or 'none'}"
        )
    return whole.model_copy(update={"hooks": {key: hooks for key, hooks in alone.items() if hooks}}), version.revision


def _show(one: Compared, *, verbose: bool) -> None:
    from interpose.cli.explain_hook import explain

    screen, answer = console(), one.tried.reply.answer
    mark, style = (
        ("differs", "bold red") if one.differences else ("as expected" if one.event.expect else "tried", "green")
    )
    why = ": ".join(part for part in (answer.code, answer.reason) if part)
    screen.print(mark, style=style, end="  ", markup=False)
    screen.print(f"{one.file}  {answer.decision}  {plain(why)}", markup=False)
    for difference in one.differences:
        screen.print(f"  - {plain(str(difference))}", style="red", markup=False)
    for hook in one.hooks:
        for line in explain(hook) if verbose else ():
            screen.print(f"    {plain(line)}", style="dim", markup=False)


def _show_json(one: Compared) -> None:
    told = [{"what": each.what, "expected": each.expected, "given": each.given} for each in one.differences]
    answer = one.tried.reply.answer.to_wire()
    shadows = [hook.model_dump(mode="json") for hook in one.tried.shadows]
    whole = {"event": str(one.file), "as_expected": not told, "differences": told, "answer": answer, "shadows": shadows}
    write_json(whole)

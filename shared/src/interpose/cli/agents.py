"""`interpose agents`: Interpose in the configuration of an agent's platform."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.agents.installation import Change
    from interpose.embedded.home import Home

EPILOG = "Example:\n\n  interpose agents install claude"
INSTALL_EPILOG = (
    "Shows the difference first and asks; what stood there stays, and a copy is kept beside it. A second run changes "
    "nothing.\n\nExample:\n\n  interpose agents install claude --project . --yes"
)
STATUS_EPILOG = (
    "Exit code: 0 a refusal of the gateway came back, 1 not.\n\nExample:\n\n  interpose agents status claude"
)
REMOVE_EPILOG = "Example:\n\n  interpose agents remove claude --yes"

Platform = Annotated[str, typer.Argument(metavar="PLATFORM", help="claude, codex, gemini, copilot, cursor, …")]
Project = Annotated[
    Path | None,
    typer.Option("--project", metavar="DIR", file_okay=False, exists=True, help="This project's file, not yours."),
]
Url = Annotated[str | None, typer.Option("--url", help="The gateway; default: the one of the state folder.")]
TokenFile = Annotated[
    Path | None,
    typer.Option("--token-file", metavar="FILE", help="A token with scope evaluate; default: one is made here."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

app = typer.Typer(no_args_is_help=True, help="Put Interpose in front of an agent, see that it is there, take it away.")


@app.command("install", epilog=INSTALL_EPILOG)
def install(  # noqa: PLR0913, PLR0917 (each is an option of the command line)
    platform: Platform,
    project: Project = None,
    url: Url = None,
    token_file: TokenFile = None,
    yes: Yes = False,
    home: options.Home = None,
) -> None:
    """Write the hook into the platform's configuration: from then on every tool call is judged before it runs."""
    from interpose.agents.installation import command_for, installing
    from interpose.agents.places import place_of
    from interpose.embedded.home import Home

    place = place_of(_whole(platform))
    where = Home.find(home)
    token = token_file.absolute() if token_file else where.token(_client(place.platform)).absolute()
    change = installing(place, project, command_for(place.platform, token, url or _url(where)))
    if not change.is_none:
        _show(change)
        _agree(f"write {change.path}?", yes=yes)
    if token_file is None:
        _make_client(where, place.platform)
    _make(change)
    if place.advice:
        typer.echo(place.advice)
    typer.echo(f"see that it works: interpose agents status {place.platform}{_project_words(project)}")


@app.command("status", epilog=STATUS_EPILOG)
def status(platform: Platform, project: Project = None, json: options.Json = False) -> None:
    """Send a canary through the installed command, as the platform would, and show the refusal that comes back."""
    from interpose.agents.canary import sing
    from interpose.agents.installation import installed
    from interpose.agents.places import place_of
    from interpose.cli.output import write_json

    place = place_of(_whole(platform))
    path = place.file(project)
    found = installed(place, project)
    if not found:
        _tell_absent(place.platform, path, json=json)
    sung = sing(place.platform, found)
    missing = [event for event in place.events if event not in found]
    if json:
        answer = {"stdout": sung.stdout, "stderr": sung.stderr, "exit_code": sung.exit_code}
        told = {"installed": True, "file": str(path), "events": list(found), "missing": missing}
        write_json(told | {"judged": sung.is_judged, "answer": answer})
    else:
        typer.echo(f"{path}: installed for {', '.join(found)}")
        for event in missing:
            typer.echo(f"  missing: {event}; interpose agents install {place.platform} writes it")
        typer.echo(f"canary: exit code {sung.exit_code}\n  {sung.stdout or '(nothing on standard output)'}")
        if sung.stderr:
            typer.echo(f"  {sung.stderr.strip()}")
        judged = "a gateway judged it and refused" if sung.is_judged else "refused, but no gateway judged it: see above"
        typer.echo(judged)
    raise typer.Exit(0 if sung.is_judged and not missing else 1)


@app.command("remove", epilog=REMOVE_EPILOG)
def remove(platform: Platform, project: Project = None, yes: Yes = False) -> None:
    """Take the hook out of the platform's configuration; everything else in it stays."""
    from interpose.agents.installation import removing
    from interpose.agents.places import place_of

    place = place_of(_whole(platform))
    change = removing(place, project)
    if change.is_none:
        typer.echo(f"{change.path}: there is no hook of ours")
        return
    _show(change)
    _agree(f"change {change.path}? From then on nothing judges what this agent runs", yes=yes)
    _make(change)
    typer.echo(f"its token still opens the gateway: interpose clients revoke {_client(place.platform)}")


def _whole(platform: str) -> str:
    from interpose.platforms.read import known

    return known(platform)


def _client(platform: str) -> str:
    return f"agent-{platform}"


def _url(home: "Home") -> str:
    """The running gateway's, or where one will be."""
    from interpose.embedded.state import RunState
    from interpose.errors import NotRunning
    from interpose.shim.options import URL

    try:
        return RunState.running(home).url
    except NotRunning:
        return URL


def _make_client(home: "Home", platform: str) -> None:
    from interpose.contracts.clients import Scope
    from interpose.embedded import clients
    from interpose.embedded.tokens import read_clients

    name = _client(platform)
    if name in read_clients(home).clients:
        return
    asyncio.run(clients.add(home, name, clients.Rights([Scope.EVALUATE], agent=platform, platform=platform)))
    typer.echo(f"client {name}: may evaluate, for {platform}; its token is {home.token(name)}")


def _show(change: "Change") -> None:
    typer.echo(change.difference(), nl=False)


def _agree(question: str, *, yes: bool) -> None:
    from interpose.errors import ConfigurationError

    if yes:
        return
    if not typer.get_text_stream("stdin").isatty():
        raise ConfigurationError("nobody can be asked here: look at the difference above, then say --yes")
    if not typer.confirm(question):
        raise typer.Abort


def _make(change: "Change") -> None:
    if change.is_none:
        typer.echo(f"{change.path}: it is there already, nothing was changed")
        return
    backup = change.make()
    typer.echo(f"{change.path}: written" if change.after is not None else f"{change.path}: removed")
    if backup is not None:
        typer.echo(f"what stood there: {backup}")


def _project_words(project: Path | None) -> str:
    return "" if project is None else f" --project {project}"


def _tell_absent(platform: str, path: Path, *, json: bool) -> None:
    from interpose.cli.output import write_json

    if json:
        write_json({"installed": False, "file": str(path)})
    else:
        typer.echo(f"{path}: not installed; nothing judges what this agent runs: interpose agents install {platform}")
    raise typer.Exit(1)

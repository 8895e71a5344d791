"""`interpose clients add|rotate|revoke`: from a word of the operator to a token, another one, or none."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interpose.cli import options
from interpose.cli.clients.listing import local_time, told
from interpose.cli.clients.words import checked, kept, scopes_of, whole_platform
from interpose.cli.output import write_json

if TYPE_CHECKING:
    from interpose.embedded.admission import AtBroker
    from interpose.embedded.home import Home

ADD_EPILOG = (
    "Exit code: 0 done; 1 not done, or the broker does not hold to it yet.\n\n"
    "Example:\n\n  interpose clients add coder --scope evaluate --platform claude"
)
ROTATE_EPILOG = "Example:\n\n  interpose clients rotate coder --keep-old 10m"
REVOKE_EPILOG = (
    "Exit code: 0 done; 1 not done, or the broker does not hold to it yet.\n\n"
    "Example:\n\n  interpose clients revoke coder --yes"
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The client.")]
Scopes = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        metavar="call|evaluate|operate",
        help="What its token opens: calls that the gateway runs (default), calls that the agent runs itself, a "
        "person's decisions. Give it once for each.",
    ),
]
Platform = Annotated[
    str | None,
    typer.Option("--platform", metavar="NAME", help="Whose names its tools have: claude, codex, gemini, openclaw…"),
]
Agent = Annotated[
    str | None, typer.Option("--agent", metavar="NAME", help="What hooks see as context.agent; default NAME.")
]
Tenant = Annotated[str, typer.Option("--tenant", metavar="NAME", help="What hooks see as context.tenant.")]
Users = Annotated[
    list[str] | None,
    typer.Option("--user", metavar="NAME", help="Whom its calls may speak for; * is everyone. Once for each."),
]
ShowToken = Annotated[bool, typer.Option("--show-token", help="Print the token itself, too.")]
KeepOld = Annotated[
    str, typer.Option("--keep-old", metavar="TIME", help="How long the old token opens beside the new: 30s, 10m, 2h.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def add(  # noqa: PLR0913, PLR0917 (each is an option of the command line)
    name: Name,
    scope: Scopes = None,
    platform: Platform = None,
    agent: Agent = None,
    tenant: Tenant = "default",
    user: Users = None,
    show_token: ShowToken = False,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Let a client in: a token for HTTP, a key for the bus, and what they open. Its calls never say who it is.

    The token is written to a file that you alone can read (mode 0600), and is not shown.
    """
    import asyncio

    from interpose.embedded import clients
    from interpose.embedded.home import Home

    where = Home.find(home)
    rights = clients.Rights(
        scopes_of(scope or ["call"]), tenant, agent or checked(name), whole_platform(platform), user or []
    )
    there = asyncio.run(clients.add(where, checked(name), rights))
    token = {"token": where.token(name).read_text(encoding="ascii").strip()} if show_token else {}
    if json:
        write_json(_told(where, name) | token | _bus(there))
    else:
        _show_added(where, name, token, there)
    _end(there, f"client {name} is added, but", json=json)


def rotate(name: Name, keep_old: KeepOld = "0", home: options.Home = None, json: options.Json = False) -> None:
    """Give a client another token, without a restart; its file is written anew. What it has on the bus stays.

    Without --keep-old every older token ends at once. With it the last one opens until then, for a client that is told
    the new one by hand.
    """
    from datetime import datetime

    from interpose.embedded import clients
    from interpose.embedded.home import Home

    where = Home.find(home)
    until = clients.rotate(where, checked(name), kept(keep_old), datetime.now().astimezone())
    end = None if until is None else until.isoformat()
    if json:
        write_json({"client": name, "token_file": str(where.token(name)), "old_until": end})
        return
    typer.echo(f"client {name} has another token: {where.token(name)}")
    typer.echo(
        "  its older tokens open nothing any more" if end is None else f"  its last one opens until {local_time(end)}"
    )


def revoke(name: Name, yes: Yes = False, home: options.Home = None, json: options.Json = False) -> None:
    """Take a client away: its tokens open nothing from the next call on, and the broker closes its connections.

    A call of it that is under way is finished; whoever made it over the bus is not there for the answer.
    """
    import asyncio

    from interpose.embedded import clients
    from interpose.embedded.home import Home

    where = Home.find(home)
    _agree(checked(name), yes=yes, json=json)
    there = asyncio.run(clients.revoke(where, name))
    if json:
        write_json({"client": name, "revoked": True} | _bus(there))
    else:
        typer.echo(f"client {name} is revoked: its tokens open nothing any more")
        typer.echo(f"  bus     {there.said}")
    _end(there, f"the tokens of {name} open nothing any more, but", json=json)


def _agree(name: str, *, yes: bool, json: bool) -> None:
    """Ask; exit 1 without a yes, and where there is nobody to ask."""
    from interpose.errors import ConfigurationError

    if yes:
        return
    if json or not sys.stdin.isatty():
        raise ConfigurationError(f"nobody is there to ask whether {name} shall be revoked: repeat it with --yes")
    if not typer.confirm(f"Revoke client {name}?"):
        typer.echo("not revoked")
        raise typer.Exit(1)


def _show_added(home: "Home", name: str, token: dict[str, str], there: "AtBroker") -> None:
    scopes = _told(home, name)["scopes"]
    typer.echo(f"client {name} is added: {', '.join(scopes)}")
    typer.echo(f"  token   {home.token(name)}")
    if token:
        typer.echo(f"          {token['token']}")
    typer.echo(f"  HTTP    Authorization: Bearer $(cat {home.token(name)})")
    typer.echo(f"  bus     {_key(home, name)}")
    typer.echo(f"          publishes gateway.*.{name}; {there.said}")
    if "call" in scopes:
        typer.echo(f"  try     interpose call TOOL --param name=value --token-file {home.token(name)}")


def _told(home: "Home", name: str) -> dict[str, Any]:
    from interpose.embedded.tokens import read_clients

    files = {"token_file": str(home.token(name)), "key_file": _key(home, name)}
    return told(home, name, read_clients(home).clients[name]) | files


def _key(home: "Home", name: str) -> str:
    from interpose.embedded.identities import Role, label_of

    return str(home.seed(label_of(Role.CLIENT, name)))


def _bus(there: "AtBroker") -> dict[str, Any]:
    return {"bus": {"holds": there.holds, "said": there.said}}


def _end(there: "AtBroker", but: str, *, json: bool) -> None:
    """Exit 1 where something is left to do at the broker."""
    if there.holds:
        return
    if not json:
        typer.echo(f"interpose: {but} {there.said}", err=True)
    raise typer.Exit(1)

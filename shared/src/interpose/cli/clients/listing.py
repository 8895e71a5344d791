"""`interpose clients list`: who may call, with what; never a token, and of a digest its first letters."""

from typing import TYPE_CHECKING, Any

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.contracts.clients import ClientEntry
    from interpose.embedded.home import Home

EPILOG = "Example:\n\n  interpose clients list"
SHOWN_OF_A_DIGEST = 8


def list_clients(home: options.Home = None, json: options.Json = False) -> None:
    """Every client: what its tokens open, whom it speaks for, and each token's end; the clients file has the digests.

    A token is told by the first eight letters of its SHA-256: `sha256sum` of the token has the same.
    """
    from interpose.cli.output import write_json
    from interpose.embedded.home import Home
    from interpose.embedded.tokens import read_clients

    where = Home.find(home)
    found = [told(where, name, entry) for name, entry in read_clients(where).clients.items()]
    if json:
        write_json({"clients": found})
        return
    if not found:
        typer.echo(f"no client in {where.clients}: `interpose up` makes local, `interpose clients add NAME` another")
    for client in found:
        _show(client)


def told(home: "Home", name: str, entry: "ClientEntry") -> dict[str, Any]:
    """A client as it is listed; tokens whose end has come are none."""
    from datetime import UTC, datetime

    from interpose.embedded.identities import Directory, Role, label_of

    directory, now = Directory.read(home), datetime.now(UTC)
    return {
        "client": name,
        "scopes": [scope.value for scope in entry.scopes],
        "platform": entry.platform,
        "agent": entry.agent,
        "tenant": entry.tenant,
        "users": entry.users,
        "on_bus": directory is not None and directory.knows(label_of(Role.CLIENT, name)),
        "tokens": [
            {"sha256": digest[:SHOWN_OF_A_DIGEST], "until": None if until is None else until.isoformat()}
            for digest, until in reversed(entry.digests().items())
            if until is None or until > now
        ],
    }


def _show(client: dict[str, Any]) -> None:
    from interpose.cli.output import console
    from interpose.cli.plain import plain

    screen = console()
    screen.print(plain(client["client"]), style="bold", end="  ", markup=False)
    what = [f"{word} {plain(client[word])}" for word in ("platform", "agent", "tenant") if client[word] is not None]
    users = [f"speaks for {', '.join(map(plain, client['users'])) or 'nobody'}"]
    bus = ["HTTP and bus" if client["on_bus"] else "HTTP only"]
    screen.print(", ".join([" ".join(client["scopes"]), *what, *users, *bus]), markup=False)
    for token in client["tokens"]:
        screen.print(f"    token {token['sha256']}…  {_until(token['until'])}", markup=False)


def _until(end: str | None) -> str:
    return "no end" if end is None else f"replaced; opens until {local_time(end)}"


def local_time(moment: str) -> str:
    """A moment on this machine's clock, for people."""
    from datetime import datetime

    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M:%S}"

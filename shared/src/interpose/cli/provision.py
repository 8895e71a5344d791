"""`interpose provision`: keys, tokens and the broker's users for processes that somebody else starts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options
from interpose.cli.output import write_json

if TYPE_CHECKING:
    from interpose.contracts.clients import Scope

EPILOG = "Example:\n\n  interpose provision --hand-out handout --broker nats://nats:4222"

HandOut = Annotated[
    Path,
    typer.Option("--hand-out", metavar="DIR", help="Holds a folder for each identity; what it needs is put there."),
]
Broker = Annotated[str, typer.Option("--broker", metavar="URL", help="Where everybody will meet the broker.")]
Owner = Annotated[
    int | None, typer.Option("--owner", min=0, metavar="UID", help="Whom the files shall belong to (default: you).")
]
Scopes = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        metavar="NAME=SCOPE[,SCOPE]",
        envvar="INTERPOSE_CLIENT_SCOPES",
        help="What a client's token opens: call, evaluate, operate. A new one has call, and `local` all. Once for each "
        "client; in the environment with blanks between.",
    ),
]


def provision(  # noqa: PLR0913, PLR0917 (each is an option of the command line)
    hand_out: HandOut,
    broker: Broker,
    owner: Owner = None,
    scope: Scopes = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Put into each folder of DIR the key of the identity it is named after, and nothing of any other's.

    The folders are `gateway`, `operator`, `broker` (the users, and the store), `service-NAME`, `tool-NAME` and
    `client-NAME`. Keys are kept in the state folder, so that another run hands out the same ones.
    """
    import os

    from interpose.embedded import handout
    from interpose.embedded.home import Home

    scopes = dict(_scopes(each) for each in scope or ())
    given = handout.hand_out(Home.find(home), hand_out, broker, os.geteuid() if owner is None else owner, scopes)
    if json:
        write_json({"handed": given})
    else:
        typer.echo(f"handed out in {hand_out}: {', '.join(given) or 'nothing, there is no folder'}")


def _scopes(told: str) -> "tuple[str, list[Scope]]":
    """A client and what its token shall open."""
    from interpose.cli.clients.words import scopes_of

    name, equals, words = told.partition("=")
    if not (name and equals and words):
        raise typer.BadParameter(f"{told!r} is not NAME=SCOPE, as in coder=evaluate", param_hint="--scope")
    return name, scopes_of(words.split(","))

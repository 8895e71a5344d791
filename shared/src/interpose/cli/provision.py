"""`interpose provision`: keys, tokens and the broker's users for processes that somebody else starts."""

from pathlib import Path
from typing import Annotated

import typer

from interpose.cli import options
from interpose.cli.output import write_json

EPILOG = "Example:\n\n  interpose provision --hand-out handout --broker nats://nats:4222"

HandOut = Annotated[
    Path,
    typer.Option("--hand-out", metavar="DIR", help="Holds a folder for each identity; what it needs is put there."),
]
Broker = Annotated[str, typer.Option("--broker", metavar="URL", help="Where everybody will meet the broker.")]
Owner = Annotated[
    int | None, typer.Option("--owner", min=0, metavar="UID", help="Whom the files shall belong to (default: you).")
]


def provision(
    hand_out: HandOut,
    broker: Broker,
    owner: Owner = None,
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

    given = handout.hand_out(Home.find(home), hand_out, broker, os.geteuid() if owner is None else owner)
    if json:
        write_json({"handed": given})
    else:
        typer.echo(f"handed out in {hand_out}: {', '.join(given) or 'nothing, there is no folder'}")

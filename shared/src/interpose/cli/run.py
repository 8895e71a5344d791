"""`interpose run FILE.py`: a worker for a hook or a tool written in one file."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.cli.found import Runnable
    from interpose.embedded.home import Home

EPILOG = "Example:\n\n  interpose run examples/no-force-push/no_force_push.py"

File = Annotated[Path, typer.Argument(metavar="FILE.py", help="A Python file with a `Hook` or a `Tool` in it.")]
Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="Which one, where the file holds several.")]


def run(file: File, name: Name = None, home: options.Home = None, json: options.Json = False) -> None:
    """Serve the hook or the tool of a Python file until Ctrl-C; start a second one to share the load.

    On the embedded default it gets a key of its own. Elsewhere set INTERPOSE_NATS_URL and INTERPOSE_NATS_SEED.
    """
    from interpose.cli.found import load
    from interpose.cli.output import write_json
    from interpose.embedded.home import ENVIRONMENT, Home

    where = Home.find(home)
    os.environ[ENVIRONMENT] = str(where.root)
    worker = load(file, name)
    if _needs_key(where):
        _provision(where, worker)
    if json:
        write_json({"serving": worker.name, "role": worker.role, "broker": os.environ.get("INTERPOSE_NATS_URL")})
    worker.run()


def _needs_key(home: "Home") -> bool:
    """Not when one was given, and not on a broker that is none of this home's: that one knows its own users."""
    from interpose.embedded.identities import Directory

    named, directory = os.environ.get("INTERPOSE_NATS_URL"), Directory.read(home)
    ours = named is None or (directory is not None and directory.url == named)
    return ours and "INTERPOSE_NATS_SEED" not in os.environ


def _provision(home: "Home", worker: "Runnable") -> None:
    """A key for this worker, made while the broker runs, into the environment that it reads its settings from."""
    import asyncio

    from interpose.embedded.identities import Directory
    from interpose.embedded.provision import add_service, add_tool

    add = add_service if worker.role == "service" else add_tool
    identity = asyncio.run(add(home, worker.name))
    directory = Directory.read(home)
    if directory is not None:
        os.environ["INTERPOSE_NATS_URL"] = directory.url
    os.environ["INTERPOSE_NATS_SEED"] = str(home.seed(identity.label))

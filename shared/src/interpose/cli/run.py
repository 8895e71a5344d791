"""`interpose run FILE.py`: a worker for a hook or a tool written in one file."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.cli.found import Runnable
    from interpose.embedded.home import Home
    from interpose.hook.worker import Endpoint

EPILOG = "Example:\n\n  interpose run examples/no-force-push/no_force_push.py"

File = Annotated[Path, typer.Argument(metavar="FILE.py", help="A Python file with a `Hook` or a `Tool` in it.")]
Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="Which one, where the file holds several.")]
NoRegister = Annotated[bool, typer.Option("--no-register", help="Do not announce the hook: it is configured, or not.")]
Temporary = Annotated[
    bool, typer.Option("--temporary", help="Register the hook with the operator's key; a clean stop takes it out.")
]


def run(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    file: File,
    name: Name = None,
    no_register: NoRegister = False,
    temporary: Temporary = False,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Serve the hook or the tool of a Python file until Ctrl-C; start a second one to share the load.

    A hook that nobody configured is announced with its keys and settings and registered, where registration is open;
    it stays registered when its worker goes away. On the embedded default it gets a key of its own. Elsewhere set
    INTERPOSE_NATS_URL and INTERPOSE_NATS_SEED.
    """
    from interpose.cli.found import load
    from interpose.cli.output import write_json
    from interpose.embedded.home import ENVIRONMENT, Home
    from interpose.hook.worker import serve

    if no_register and temporary:
        raise typer.BadParameter("give --temporary or --no-register, not both", param_hint="--temporary")
    where = Home.find(home)
    os.environ[ENVIRONMENT] = str(where.root)
    worker = load(file, name)
    endpoint = worker.endpoint() if no_register else _registered(worker, where, file, temporary=temporary)
    if _needs_key(where):
        _provision(where, worker)
    if json:
        write_json({"serving": worker.name, "role": worker.role, "broker": os.environ.get("INTERPOSE_NATS_URL")})
    serve(endpoint)


def _registered(worker: "Runnable", home: "Home", file: Path, *, temporary: bool) -> "Endpoint":
    """The endpoint of a hook that says what it asks to be registered with, or registers itself; a tool's as it is."""
    from dataclasses import replace

    from interpose.cli.output import compact
    from interpose.embedded.registration import MANIFEST
    from interpose.embedded.temporary import require_key, temporarily
    from interpose.errors import ConfigurationError

    endpoint, manifest = worker.endpoint(), worker.manifest()
    if temporary and manifest is None:
        raise ConfigurationError(f"{worker.name} has no handler, or is a tool: there is no hook to register")
    if manifest is None:
        return endpoint
    if not temporary:
        name, keys = manifest.name, ", ".join(manifest.keys)
        typer.echo(
            f"announces hook {name} for {keys}: `interpose hooks show {name}` says whether it is in force", err=True
        )
        return replace(endpoint, metadata={MANIFEST: compact(manifest.to_wire())})
    require_key(home)
    return replace(endpoint, beside=temporarily(home, manifest, file))


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

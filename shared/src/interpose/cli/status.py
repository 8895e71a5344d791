"""`interpose status`: what runs, who is present, which hooks can stop a call, and what to do."""

from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from rich.console import Console

    from interpose.embedded.status import ServiceStatus, Status

EPILOG = "Example:\n\n  interpose status"

Pids = Annotated[
    str | None, typer.Option("--pids", metavar="NAME", help="Only the process ids of a service's or a tool's workers.")
]


def status(home: options.Home = None, pids: Pids = None, json: options.Json = False) -> None:
    """Show broker, gateway, services with their workers, and hooks.

    Exit code 0 when every call can be judged as configured, else 1, with a remedy for each thing that is wrong.
    """
    import asyncio

    from interpose.cli.output import console, write_json
    from interpose.embedded.home import Home
    from interpose.embedded.status import read_status

    found = asyncio.run(read_status(Home.find(home)))
    if pids is not None:
        _show_pids(found, pids)
        return
    if json:
        write_json(found.model_dump(mode="json"))
    else:
        _show(console(), found)
    if not found.ready:
        raise typer.Exit(1)


def _show_pids(found: "Status", name: str) -> None:
    """One a line, for a shell; nothing to show is an error, so that no shell goes on with an empty list."""
    from interpose.errors import NotRunning

    workers = [worker for service in found.services if service.name == name for worker in service.workers]
    own = [worker.pid for worker in workers if worker.pid is not None]
    if not own:
        raise NotRunning(f"no worker of {name} runs that `interpose up` started; see `interpose status`")
    for pid in own:
        typer.echo(pid)


def _show(screen: "Console", found: "Status") -> None:
    _line(screen, found.broker.ready, "broker", f"{found.broker.url}, {found.broker.records} records")
    revision = f"revision {found.gateway.revision}" if found.gateway.revision is not None else "no configuration"
    _line(screen, found.gateway.ready, "gateway", f"{found.gateway.url}, {revision}")
    for service in found.services:
        _show_service(screen, service)
    for hook in found.hooks:
        marks = ", ".join(hook.marks or ["present"])
        what = f"{', '.join(hook.keys)} → {hook.service}, {hook.fail_mode}, the {hook.owner}'s, {marks}"
        _line(screen, hook.present or not hook.enabled, "hook", f"{hook.name}  {what}")
    for warning in found.warnings:
        screen.print(f"warning: {warning}", style="yellow", markup=False)
    for remedy in found.remedies:
        screen.print(f"remedy: {remedy}", style="bold", markup=False)


def _show_service(screen: "Console", service: "ServiceStatus") -> None:
    need = f"for {', '.join(service.needed_by)}" if service.needed_by else "not needed by the configuration"
    _line(screen, service.ready, service.role, f"{service.name}  {need}")
    for worker in service.workers:
        pid = f"process {worker.pid}" if worker.pid is not None else "started elsewhere"
        counts = f"{worker.answered} answered, {worker.errors} errors"
        screen.print(f"            {worker.instance}  {pid}, version {worker.version}, {counts}", markup=False)


def _line(screen: "Console", ready: bool, kind: str, text: str) -> None:
    mark, style = ("ok  ", "green") if ready else ("BAD ", "bold red")
    screen.print(mark, style=style, end="", markup=False)
    screen.print(f"{kind:<8}{text}", markup=False)

"""`interpose up`: everything on this machine, from one command to a clean stop."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.embedded.home import Home
    from interpose.embedded.preparation import Order

EPILOG = "Example:\n\n  interpose up --config interpose.json --scale validator=3"

Port = Annotated[
    int | None, typer.Option("--port", min=1, max=65535, help="The gateway's port (8600, else a free one).")
]
NatsPort = Annotated[
    int | None, typer.Option("--nats-port", min=1, max=65535, help="The broker's port (4222, else a free one).")
]
Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The rules; INTERPOSE_CONFIG, else interpose.json or .yaml here."),
]
Scale = Annotated[
    list[str] | None, typer.Option("--scale", metavar="NAME=N", help="How many workers a service gets; repeatable.")
]
With = Annotated[
    list[Path] | None,
    typer.Option("--with", metavar="FILE.py", help="Also keep `interpose run FILE.py` running; repeatable."),
]


def up(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    config: Config = None,
    home: options.Home = None,
    scale: Scale = None,
    with_: With = None,
    host: Annotated[str | None, typer.Option("--host", help="Where the gateway listens (127.0.0.1).")] = None,
    port: Port = None,
    nats_port: NatsPort = None,
    detach: Annotated[bool, typer.Option("--detach", help="Return when everything is ready; logs in up.log.")] = False,
    verbose: options.Verbose = False,
    json: options.Json = False,
) -> None:
    """Start the broker, every installed service and the gateway; show each decision; Ctrl-C stops it.

    The broker is a real NATS server on loopback with generated users; everything it keeps is in the state folder.
    A process that crashes is started again. Exit code 1 when something does not start, or one runs here already.
    """
    from interpose.embedded.home import Home

    where = Home.find(home)
    if detach:
        from interpose.cli.detach import detached

        detached(where, json=json)
        return
    _run(_order(where, config, (scale, with_), (host, port, nats_port)), json=json, verbose=verbose)


def _order(
    home: "Home",
    config: Path | None,
    more: tuple[list[str] | None, list[Path] | None],
    listening: tuple[str | None, int | None, int | None],
) -> "Order":
    from interpose.embedded.preparation import Order
    from interpose.embedded.settings import EmbeddedSettings

    settings = EmbeddedSettings.from_environment()
    if config is not None:
        settings = settings.model_copy(update={"config": config})
    host, port, nats_port = listening
    return Order(
        home=home,
        settings=settings,
        host=host or settings.http_host,
        http_port=port or settings.http_port,
        nats_port=nats_port or settings.nats_port,
        scale=dict(_scaled(one) for one in more[0] or []),
        files=tuple(more[1] or ()),
    )


def _scaled(text: str) -> tuple[str, int]:
    name, _, count = text.partition("=")
    if not name or not count.isascii() or not count.isdigit() or len(count) > 3:
        raise typer.BadParameter(f"{text!r} is not NAME=N, as in validator=3", param_hint="--scale")
    return name, int(count)


def _run(order: "Order", *, json: bool, verbose: bool) -> None:
    import asyncio

    from interpose.cli.screen import JsonScreen, TerminalScreen
    from interpose.embedded.up import up as live

    asyncio.run(live(order, JsonScreen() if json else TerminalScreen(order.home, verbose=verbose)))

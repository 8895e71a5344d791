"""Getting ready for a run: the configuration's needs, ports, keys, tokens, the broker's configuration, the programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interpose.contracts.clients import Clients
from interpose.contracts.url import is_loopback
from interpose.embedded import broker, provision
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory
from interpose.embedded.nats_config import DEFAULT_PORT
from interpose.embedded.needs import Needs, read_needs
from interpose.embedded.ports import choose_port
from interpose.embedded.programs import GATEWAY, Program, Wanted, installed, programs
from interpose.embedded.settings import EmbeddedSettings
from interpose.embedded.tokens import read_clients
from interpose.errors import ConfigurationError

DEFAULT_HTTP_PORT = 8600


@dataclass(frozen=True, slots=True)
class Order:
    """What `interpose up` was told. Ports that are None are chosen."""

    home: Home
    settings: EmbeddedSettings
    host: str
    http_port: int | None = None
    nats_port: int | None = None
    scale: Mapping[str, int] = field(default_factory=dict)
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that is needed to start. `warnings` are for people and stay in the state file."""

    order: Order
    needs: Needs
    directory: Directory
    url: str
    programs: list[Program]
    warnings: list[str]


def prepare(order: Order) -> Prepared:
    """Write what is missing in the home and say what is to run. Raises ConfigurationError."""
    needs, services = read_needs(order.settings.config), installed()
    http_port = choose_port(order.http_port, DEFAULT_HTTP_PORT, order.host)
    directory = _provision(order, needs, services)
    check_binding(order.host, read_clients(order.home))
    wanted = Wanted(
        config=needs.path,
        host=order.host,
        port=http_port,
        scale=order.scale,
        files=order.files,
        drain_timeout_ms=order.settings.drain_timeout_ms,
    )
    return Prepared(
        order=order,
        needs=needs,
        directory=directory,
        url=f"http://{_reachable(order.host)}:{http_port}",
        programs=programs(order.home, directory, wanted, services),
        warnings=_warnings(order, needs, directory, http_port),
    )


def check_binding(host: str, clients: Clients) -> None:
    """Beyond loopback everybody must show a token. Raises ConfigurationError when there is none to show."""
    if not is_loopback(host) and not clients.clients:
        raise ConfigurationError(
            f"will not listen on {host} without a token: add a client to clients.json, or bind to 127.0.0.1"
        )


def _provision(order: Order, needs: Needs, services: Mapping[str, str]) -> Directory:
    names = sorted({*services, *needs.services} - {GATEWAY})
    where = order.settings.nats_url or choose_port(order.nats_port, DEFAULT_PORT)
    directory = provision.ensure(order.home, names, needs.tools, broker=where).directory
    if directory.port is not None:
        broker.validate(broker.locate(), order.home.broker_config)
    return directory


def _reachable(host: str) -> str:
    """The address to call a server by that listens on that one."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _warnings(order: Order, needs: Needs, directory: Directory, http_port: int) -> list[str]:
    said = list(needs.warnings)
    if order.nats_port is None and directory.port not in (None, DEFAULT_PORT):
        said.append(f"port {DEFAULT_PORT} is taken: the broker listens on {directory.port}")
    if order.http_port is None and http_port != DEFAULT_HTTP_PORT:
        said.append(f"port {DEFAULT_HTTP_PORT} is taken: the gateway listens on {http_port}")
    return said

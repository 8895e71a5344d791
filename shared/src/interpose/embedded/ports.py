"""Which port to listen on: the one that was asked for, else the usual one, else a free one."""

import random
import socket

from interpose.embedded.nats_config import LOOPBACK
from interpose.errors import ConfigurationError

UNLENT = range(20_000, 30_000)
"""Ports that no outgoing connection is given: Linux lends those from 32768 on if it is not told otherwise, others those
from 49152 (RFC 6335), and Kubernetes takes those from 30000 on for services. One of these is still free when somebody
listens there seconds after we looked."""
TRIES = 100
_RANDOM = random.SystemRandom()


def choose_port(given: int | None, usual: int, host: str = LOOPBACK) -> int:
    """Raises ConfigurationError when the port that was asked for is taken, or the address is not this machine's."""
    if given is not None:
        if not is_free(given, host):
            raise ConfigurationError(f"cannot listen on {host}:{given}: it is taken or not ours; name another port")
        return given
    return usual if is_free(usual, host) else free_port(host)


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Whether somebody could listen there now."""
    try:
        _bind(host, port)
    except OSError:
        return False
    return True


def free_port(host: str = LOOPBACK) -> int:
    """A port that nobody uses now, drawn from UNLENT as long as that is not full.

    Raises ConfigurationError when the address is not this machine's.
    """
    try:
        any_port = _bind(host, 0)
    except OSError as error:
        raise ConfigurationError(f"cannot listen on {host}: {error.strerror or error}") from error
    drawn = _RANDOM.sample(UNLENT, TRIES)
    return next((port for port in drawn if is_free(port, host)), any_port)


def own_ports() -> dict[str, str]:
    """The variables that have everything on a machine listen where nobody else does now, whoever begins beside it."""
    return {"INTERPOSE_HTTP_PORT": str(free_port()), "INTERPOSE_NATS_PORT": str(free_port())}


def _bind(host: str, port: int) -> int:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as probe:
        # As servers do: a port whose last connections are still closing is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
        return int(probe.getsockname()[1])

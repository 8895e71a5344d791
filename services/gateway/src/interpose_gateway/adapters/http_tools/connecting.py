"""Connections to the very addresses that were checked: a name is resolved once, here, and never again."""

# ruff: noqa: ASYNC109 - the interface is httpcore's

import asyncio
import logging
import socket
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Protocol

import httpcore

from interpose_gateway.adapters.http_tools import guard

log = logging.getLogger(__name__)


class AddressRefused(Exception):
    """A host that the call or a redirect named has an address that is not public."""


class Resolver(Protocol):
    """Names into addresses."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """All addresses of a name in the order to try them; raises OSError when it has none."""
        ...


class SystemResolver:
    """The machine's own way: its hosts file, its DNS."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """What getaddrinfo says."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True, slots=True)
class Connector(httpcore.AsyncNetworkBackend):
    """Connects to a host's addresses, one after another and each for its share of the time.

    Where it is guarded, only if every one of them is public.
    """

    resolver: Resolver
    is_guarded: bool
    plain: httpcore.AsyncNetworkBackend = field(default_factory=httpcore.AnyIOBackend)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raises AddressRefused before anything is connected to, httpcore's errors when nothing can be."""
        try:
            async with asyncio.timeout(timeout):
                return await self._connect(host, port, timeout, local_address, socket_options)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout("no connection in time") from error

    async def _connect(
        self,
        host: str,
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None,
    ) -> httpcore.AsyncNetworkStream:
        failed: Exception = httpcore.ConnectError("it has no address")
        addresses = await self._addresses(host, port)
        share = None if timeout is None else timeout / max(1, len(addresses))
        for address in addresses:
            try:
                return Stream(await self.plain.connect_tcp(address, port, share, local_address, socket_options))
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

    async def _addresses(self, host: str, port: int) -> Sequence[str]:
        addresses = [host] if _is_address(host) else await self._resolved(host, port)
        unfit = guard.refused(addresses) if self.is_guarded else None
        if unfit is not None:
            log.warning("refused to connect to %s: it has the address %s, which is not public", host, unfit)
            raise AddressRefused(f"{host} has an address that is not public; if it is meant, name it in allowHosts")
        return addresses

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        try:
            return await self.resolver.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError("its name has no address") from error

    async def sleep(self, seconds: float) -> None:
        """As asyncio does."""
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Stream(httpcore.AsyncNetworkStream):
    """A connection that is closed whatever ends its TLS handshake, also a deadline."""

    plain: httpcore.AsyncNetworkStream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Bytes that came."""
        return await self.plain.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send bytes."""
        await self.plain.write(buffer, timeout)

    async def aclose(self) -> None:
        """Close it."""
        await self.plain.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        """TLS with the certificate checked against the host's name."""
        try:
            return await self.plain.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            await self.plain.aclose()
            raise

    def get_extra_info(self, info: str) -> Any:
        """What the connection knows of itself."""
        return self.plain.get_extra_info(info)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True

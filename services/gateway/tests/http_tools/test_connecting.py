"""A connection goes to the addresses that were checked, one after another."""

import asyncio
from dataclasses import dataclass, field

import httpcore
import pytest

from interpose_gateway.adapters.http_tools.connecting import AddressRefused, Connector

PUBLIC = ["1.1.1.1", "2606:4700::1111", "8.8.8.8"]


@dataclass
class Network(httpcore.AsyncNetworkBackend):
    """Where it connects to is noted; `answers` are the addresses where somebody does."""

    answers: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):  # noqa: ASYNC109
        """A stream, a refusal, or nothing until the time is over."""
        self.tried.append(host)
        if host in self.silent:
            raise httpcore.ConnectTimeout
        if host not in self.answers:
            raise httpcore.ConnectError("refused")
        return httpcore.AsyncMockStream([])


@dataclass
class Names:
    """A resolver with one answer."""

    addresses: list[str]
    asked: int = 0

    async def resolve(self, _host, _port):
        """The answer."""
        self.asked += 1
        if not self.addresses:
            raise OSError(-2, "Name or service not known")
        return self.addresses


@pytest.mark.parametrize(
    ("answers", "silent", "tried"),
    [(PUBLIC, [], PUBLIC[:1]), (PUBLIC[1:], [], PUBLIC[:2]), (PUBLIC[2:], PUBLIC[:1], PUBLIC)],
)
async def test_addresses_are_tried_in_their_order(answers, silent, tried):
    """Until one answers; the name is resolved once and nothing but its addresses is connected to."""
    names, network = Names(PUBLIC), Network(answers, silent)

    await Connector(names, True, network).connect_tcp("a.example", 443, timeout=5)

    assert (tried, 1) == (network.tried, names.asked)


async def test_where_nobody_answers_the_last_word_counts():
    """As httpcore's own error."""
    network = Network([], PUBLIC[:2])

    with pytest.raises(httpcore.ConnectError, match="refused"):
        await Connector(Names(PUBLIC), True, network).connect_tcp("a.example", 443, timeout=5)
    assert PUBLIC == network.tried


@pytest.mark.parametrize("addresses", [["10.0.0.1"], [*PUBLIC, "127.0.0.1"], ["::1", *PUBLIC]])
async def test_a_guarded_name_is_refused_before_anything_is_connected_to(addresses):
    """One address that is not public is enough."""
    network = Network(addresses)

    with pytest.raises(AddressRefused, match=r"a\.example has an address that is not public"):
        await Connector(Names(addresses), True, network).connect_tcp("a.example", 443, timeout=5)
    assert [] == network.tried


async def test_an_address_is_never_resolved():
    """It is checked as it stands."""
    names, network = Names(PUBLIC), Network(["127.0.0.1"])

    with pytest.raises(AddressRefused):
        await Connector(names, True, network).connect_tcp("127.0.0.1", 80, timeout=5)
    await Connector(names, False, network).connect_tcp("127.0.0.1", 80, timeout=5)
    assert (0, ["127.0.0.1"]) == (names.asked, network.tried)


async def test_a_name_without_addresses_is_no_connection():
    """Whatever the resolver says."""
    with pytest.raises(httpcore.ConnectError):
        await Connector(Names([]), True, Network()).connect_tcp("a.example", 80, timeout=5)


async def test_a_handshake_that_is_cancelled_closes_the_connection():
    """A deadline in the middle of TLS leaves nothing open."""
    closed = []

    class Silent(httpcore.AsyncMockStream):
        async def start_tls(self, ssl_context, server_hostname=None, timeout=None):  # noqa: ASYNC109
            await asyncio.Event().wait()

        async def aclose(self):
            closed.append(True)

    network = Network(["1.1.1.1"])
    network.connect_tcp = lambda *_arguments: _ready(Silent([]))
    stream = await Connector(Names(["1.1.1.1"]), True, network).connect_tcp("a.example", 443, timeout=5)

    handshake = asyncio.create_task(stream.start_tls(None, "a.example"))
    await asyncio.sleep(0)
    handshake.cancel()
    with pytest.raises(asyncio.CancelledError):
        await handshake

    assert [True] == closed


async def _ready(stream):
    return stream

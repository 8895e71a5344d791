"""The generated broker: it starts, comes back, and takes new users while others stay connected."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from faststream.nats.security import NatsNKey
from nats.aio.client import Client

from interpose.bus import connection
from interpose.embedded import operator
from interpose.embedded.home import Home
from interpose.embedded.identities import Role, ensure_identity
from interpose.errors import BusUnavailable
from interpose.hook.broker import REFUSALS, Broker

pytestmark = pytest.mark.server

PATIENCE_S = 60
REFUSED = b"-ERR 'Authorization Violation'\r\n"


async def test_everybody_with_a_key_is_let_in(broker: Any) -> None:
    """Each generated identity connects to the generated configuration."""
    labels = ["gateway", "operator", "service-validator", "tool-echo", "client-local"]

    connected = [(await broker.connect(label)).is_connected for label in labels]

    assert [True] * 5 == connected


async def test_a_user_added_while_the_broker_runs_disconnects_nobody(broker: Any) -> None:
    """After `add_service` the new one is let in, and those who were connected were never disconnected."""
    lost: list[str] = []

    async def disconnected() -> None:
        lost.append("disconnected")

    old = [await broker.connect(label, disconnected_cb=disconnected) for label in ("gateway", "service-validator")]
    pid = broker.pid

    await broker.add_service("newcomer")
    newcomer = await broker.connect("service-newcomer")
    for client in (*old, newcomer):
        await broker.settle(client)

    assert [] == lost
    assert pid == broker.pid


async def test_clients_come_back_after_a_crash_of_the_broker(broker: Any) -> None:
    """A client of a killed broker is connected again when a new one listens on the same port."""
    back = asyncio.Event()

    async def reconnected() -> None:
        back.set()

    client = await broker.connect("operator", reconnected_cb=reconnected)
    await broker.stop(signal.SIGKILL)

    await broker.start()
    await asyncio.wait_for(back.wait(), 10)

    assert client.is_connected


async def test_a_key_of_another_home_is_refused(broker: Any, tmp_path: Path) -> None:
    """A valid nkey that nobody put into the directory does not connect."""
    stranger = ensure_identity(Home(tmp_path / "other").prepared(), Role.OPERATOR)

    with pytest.raises(BusUnavailable, match=r"(?i)authorization"):
        await operator.connect_with(broker.url, Home(tmp_path / "other").seed(stranger.label), "_INBOX_operator", 1_000)


async def test_a_worker_that_a_reload_throws_out_while_it_connects_is_let_in_all_the_same(broker: Any) -> None:
    """The broker ends every connection that has not shown its key yet when it reads its users anew: nobody's fault."""
    between = Between(broker)
    async with await asyncio.start_server(between.meet, "127.0.0.1", 0) as server:
        url = f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        worker = worker_at(url, broker.seed("service-validator"))
        client = await worker.connect()
        await client.flush()
        await worker.stop()

    assert REFUSED == between.thrown_out


async def test_a_worker_whose_key_nobody_knows_ends_and_says_why(broker: Any, tmp_path: Path) -> None:
    """It does not wait for ever to be let in."""
    stranger = ensure_identity(Home(tmp_path / "other").prepared(), Role.SERVICE, "validator")
    seed = str(Home(tmp_path / "other").seed(stranger.label))
    environment = broker.environment("service-validator", "validator-1") | {"INTERPOSE_NATS_SEED": seed}
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "interpose_validator", env=environment, stdout=PIPE, stderr=STDOUT
    )
    said, _ = await asyncio.wait_for(worker.communicate(), PATIENCE_S)

    assert 1 == worker.returncode
    assert REFUSALS - 1 == said.count(b"the broker refuses this connection (nats: 'Authorization Violation')")


# nats-py leaves the socket to the collector that was refused while it comes back.
@pytest.mark.filterwarnings("ignore:.*(StreamWriter|_SelectorTransport|socket):pytest.PytestUnraisableExceptionWarning")
async def test_a_worker_that_is_thrown_out_while_it_comes_back_goes_on_trying(broker: Any) -> None:
    """It would run for ever and answer nobody."""
    between = Between(broker)
    back = asyncio.Event()

    async def reconnected() -> None:
        back.set()

    async with await asyncio.start_server(between.meet, "127.0.0.1", 0) as server:
        url = f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        between.thrown_out = b"not this time"
        worker = worker_at(url, broker.seed("service-validator"), reconnected_cb=reconnected)
        client = await worker.connect()
        between.thrown_out = b""
        await client.force_reconnect()
        await asyncio.wait_for(back.wait(), 10)
        await client.flush()
        await worker.stop()

    assert REFUSED == between.thrown_out


# nats-py leaves the socket to the collector that the broker closed.
@pytest.mark.filterwarnings("ignore:.*(StreamWriter|_SelectorTransport|socket):pytest.PytestUnraisableExceptionWarning")
async def test_a_worker_ends_whose_broker_goes_while_it_does(broker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are told to end at once: the broker still answered when it was asked, and is gone a moment later."""
    answers = connection.trouble

    async def answered_and_went(client: Client) -> list[str]:
        said = await answers(client)
        await broker.stop(signal.SIGKILL)
        return said

    monkeypatch.setattr(connection, "trouble", answered_and_went)
    worker = worker_at(broker.url, broker.seed("service-validator"))
    client = await worker.connect()
    await asyncio.wait_for(worker.stop(), PATIENCE_S)

    assert client.is_closed
    assert client._reconnection_task is None or client._reconnection_task.done()


def worker_at(url: str, seed: Path, **options: Any) -> Broker:
    """A worker's connection, which tries again soon."""
    return Broker(url, security=NatsNKey.from_file(seed), reconnect_time_wait=0.05, **options)


class Between:
    """Stands before the broker, and has it read its users anew while the first who comes is about to show a key."""

    def __init__(self, broker: Any) -> None:
        self.thrown_out = b""
        self._broker = broker

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One who connects."""
        answers, asks = await asyncio.open_connection("127.0.0.1", self._broker.port)
        writer.write(await answers.readline())
        if not self.thrown_out:
            os.kill(self._broker.pid, signal.SIGHUP)
            self.thrown_out = await answers.readline()
            writer.write(self.thrown_out)
        await asyncio.gather(pass_on(reader, asks), pass_on(answers, writer))


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """What comes, until nothing more does or nobody takes it."""
    with suppress(ConnectionError):
        while read := await reader.read(65536):
            writer.write(read)
            await writer.drain()
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()

"""Real servers for tests: each test gets a broker of its own, with generated users, in a folder of its own.

It is the wheel's nats-server, or with INTERPOSE_BROKER_IMAGE that image under testcontainers' `NatsContainer`.
"""

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import nats
import nats.errors
import pytest
from nats.aio.client import Client

from interpose.bus import connection, subjects
from interpose.embedded import broker as program
from interpose.embedded import operator, provision
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory, Identity, Role
from interpose.embedded.ports import free_port

SERVICES = ("validator", "script-runner", "canonicalizer", "audit-logger", "rate-limiter")
TOOLS = ("echo",)
CLIENTS = ("local", "other")
READY_TIMEOUT_MS = 10_000
LABELS = {"interpose.tests": os.environ.get("INTERPOSE_BROKER_RUN", "")}
"""What containers made here are marked with: whoever started this run can remove those that a killed one left."""


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control lets what it starts in the background ignore Ctrl-C, and so would all programs that
    # tests start and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Server(Protocol):
    """A nats-server's process, however it is run."""

    @property
    def pid(self) -> int:
        """Its process id on this machine, for signals."""

    async def start(self) -> None:
        """Start it; it takes connections some time later."""

    async def stop(self, how: signal.Signals) -> None:
        """Send that signal, also when it is stopped, and return when it is gone."""


class ServerOfWheel:
    """The program that `interpose up` starts."""

    def __init__(self, home: Home) -> None:
        self._config = home.broker_config
        self._process: Process | None = None

    @property
    def pid(self) -> int:
        """The process's own."""
        assert self._process is not None, "the broker is stopped"
        return self._process.pid

    async def start(self) -> None:
        """As `interpose up` does."""
        command = [str(program.locate()), "-c", str(self._config)]
        self._process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=DEVNULL)

    async def stop(self, how: signal.Signals) -> None:
        """Nothing to do when it does not run."""
        process, self._process = self._process, None
        if process is not None:
            for number in until_gone(how):
                process.send_signal(number)
            await process.wait()


class ServerInContainer:
    """The same configuration and folder under `NatsContainer`, on this machine's network and among its processes.

    So a port, a process id and a path mean the same inside and outside, and nothing else of a test can tell.
    """

    def __init__(self, home: Home, image: str) -> None:
        self._home, self._image = home, image
        self._container: Any = None

    @property
    def pid(self) -> int:
        """That of the server in the container."""
        assert self._container is not None, "the broker is stopped"
        inside = self._container.get_wrapped_container()
        inside.reload()
        return int(inside.attrs["State"]["Pid"])

    async def start(self) -> None:
        """In a new container over the same folder."""
        container = self._make()
        await asyncio.to_thread(container.start)
        self._container = container

    def _make(self) -> Any:
        # testcontainers' reaper is an image of its own, which nothing here could pull; `stop` removes the container.
        os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"
        from testcontainers.community.nats import NatsContainer

        root, owner = str(self._home.root), f"{os.geteuid()}:{os.getegid()}"
        container = NatsContainer(self._image, expected_ready_log="")
        container.ports.clear()  # on the machine's own network none is mapped
        container.with_command(f"-c {self._home.broker_config}").with_volume_mapping(root, root, "rw")
        return container.with_kwargs(network_mode="host", pid_mode="host", user=owner, labels=LABELS)

    async def stop(self, how: signal.Signals) -> None:
        """Nothing to do when it does not run; the container is removed."""
        container, self._container = self._container, None
        if container is not None:
            await asyncio.to_thread(self._end, container, how)

    @staticmethod
    def _end(container: Any, how: signal.Signals) -> None:
        inside = container.get_wrapped_container()
        for number in until_gone(how):
            inside.kill(number.name)
        inside.wait()
        container.stop()


def until_gone(how: signal.Signals) -> tuple[signal.Signals, ...]:
    """What to send to a process that may be stopped. One that is killed must not go on first, however shortly."""
    return (how,) if how is signal.SIGKILL else (signal.SIGCONT, how)


def server(home: Home) -> Server:
    """The server of a home, as the environment says how it is run."""
    image = os.environ.get("INTERPOSE_BROKER_IMAGE")
    return ServerInContainer(home, image) if image else ServerOfWheel(home)


class Broker:
    """A nats-server with a provisioned home. Identities are labels: `operator`, `service-validator`, `client-local`."""

    def __init__(self, home: Home, directory: Directory) -> None:
        self.home = home
        self.port = directory.port
        self.url = directory.url
        self.errors: dict[str, list[Exception]] = {}
        self._server = server(home)
        self._clients: list[Client] = []

    @property
    def pid(self) -> int:
        """The server's process id, for signals."""
        return self._server.pid

    def seed(self, label: str) -> Path:
        """The seed file of an identity, as INTERPOSE_NATS_SEED wants it."""
        path = self.home.seed(label)
        assert path.exists(), f"no identity {label}; there are {sorted(p.stem for p in self.home.keys.iterdir())}"
        return path

    def environment(self, label: str, instance: str) -> dict[str, str]:
        """The environment of a worker process of that identity."""
        worker = {"INTERPOSE_NATS_URL": self.url, "INTERPOSE_NATS_SEED": str(self.seed(label))}
        return {**os.environ, **worker, "INTERPOSE_INSTANCE": instance}

    async def start(self) -> None:
        """Start the server and return when it takes connections."""
        await self._server.start()
        ready = await operator.connect(self.home, READY_TIMEOUT_MS)
        await ready.close()

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the server (SIGKILL for a crash) and return when it is gone."""
        await self._server.stop(how)

    def freeze(self) -> None:
        """SIGSTOP the server and return when none of its threads runs: on a busy machine they go on for a moment."""
        os.kill(self.pid, signal.SIGSTOP)
        while not _is_stopped(self.pid):
            os.sched_yield()

    async def add_service(self, name: str) -> Identity:
        """A further service's key, while the server runs."""
        return await provision.add_service(self.home, name)

    async def connect(self, label: str, **options: Any) -> Client:
        """Connect as that identity; closed with the test. Errors of the server gather in `broker.errors[label]`."""
        errors = self.errors.setdefault(label, [])

        async def note(error: Exception) -> None:
            errors.append(error)

        settings: dict[str, Any] = {
            "nkeys_seed": str(self.seed(label)),
            "inbox_prefix": _inbox(label),
            "error_cb": note,
            "max_reconnect_attempts": -1,
            "reconnect_time_wait": 0.05,
        }
        client = await nats.connect(self.url, **(settings | options))
        self._clients.append(client)
        return client

    async def settle(self, *clients: Client) -> None:
        """Return when the server has read all that each client sent, and the client all that this caused.

        nats-py writes a flush's PING ahead of what is still pending; the second PING stands behind all of it.
        """
        for client in clients:
            await client.flush()
            await client.flush()

    async def close(self) -> None:
        """Close every connection and stop the server."""
        for client in self._clients:
            with suppress(nats.errors.Error):
                await connection.close(client)
        await self.stop()


def _is_stopped(pid: int) -> bool:
    """Whether every thread is; told where there is no /proc, where nobody can know."""
    threads = Path(f"/proc/{pid}/task")
    states = [(thread / "stat").read_text().rpartition(")")[2].split()[0] for thread in threads.glob("*")]
    return {"T"} >= set(states)


def _inbox(label: str) -> str:
    role, _, name = label.partition("-")
    return subjects.client_inbox(name) if role == Role.CLIENT else f"_INBOX_{role}"


@pytest.fixture(scope="session")
def new_broker() -> Callable[[Path, Sequence[str], Sequence[str]], Broker]:
    """Makes a broker in a folder, on a free port, with keys for these services, these tools and CLIENTS; it is off."""

    def make(folder: Path, services: Sequence[str], tools: Sequence[str]) -> Broker:
        given = provision.ensure(Home(folder / "home"), services, tools, CLIENTS, broker=free_port())
        return Broker(given.home, given.directory)

    return make


@pytest.fixture
def provisioned(tmp_path: Path) -> provision.Provisioned:
    """A home with keys, tokens and configuration for SERVICES, TOOLS and CLIENTS, on a free port; nothing runs."""
    home = Home(tmp_path / "home")
    return provision.ensure(home, SERVICES, TOOLS, CLIENTS, broker=free_port())


@pytest.fixture
async def broker(provisioned: provision.Provisioned) -> AsyncIterator[Broker]:
    """A real nats-server with generated users on a free loopback port; fails, never skips, when there is none."""
    running = Broker(provisioned.home, provisioned.directory)
    try:
        await running.start()
        yield running
    finally:
        await running.close()

"""`interpose up`: one run of the embedded default, from the lock to the clean stop."""

import asyncio
import fcntl
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Protocol

from interpose.bus.tasks import end
from interpose.client.http import Gateway
from interpose.embedded import processes
from interpose.embedded.events import Event, EventKind
from interpose.embedded.files import open_private
from interpose.embedded.home import Home
from interpose.embedded.needs import services_of
from interpose.embedded.operating import Operating
from interpose.embedded.preparation import Order, Prepared, prepare
from interpose.embedded.programs import Stage
from interpose.embedded.readiness import Probes
from interpose.embedded.reading import read
from interpose.embedded.state import RunState, this_process
from interpose.embedded.supervisor import Supervisor
from interpose.errors import AlreadyRunning, BusUnavailable
from interpose.records.stored import Stored

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Screen(Protocol):
    """Where a run is shown."""

    def report(self, event: Event) -> None:
        """Something happened."""

    def started(self, state: RunState) -> None:
        """Everything is ready."""

    def record(self, stored: Stored) -> None:
        """A phase of a call was decided, and that is on the record."""


async def up(order: Order, screen: Screen) -> None:
    """Start, run until SIGINT or SIGTERM, stop in reverse; a second signal kills at once.

    Raises AlreadyRunning, ConfigurationError, StartFailed, BusUnavailable; nothing is left running then.
    """
    order.home.prepared()
    with only_one(order.home):
        await end_leftovers(order, screen)
        await _Run(prepare(order), screen).through()


@contextmanager
def only_one(home: Home) -> Iterator[None]:
    """Hold the home for this process; the kernel lets go when it dies. Raises AlreadyRunning."""
    with open_private(home.running_lock) as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise AlreadyRunning(_who_runs(home)) from error
        yield


def _who_runs(home: Home) -> str:
    state = RunState.read(home)
    if state is None or not state.supervisor.lives:
        return f"Interpose is just starting or stopping in {home.root}: look with `interpose status`"
    return (
        f"Interpose already runs in {home.root}: process {state.supervisor.pid}, {state.url}; "
        "stop it with `interpose down`, or name another folder with --home"
    )


async def end_leftovers(order: Order, screen: Screen) -> None:
    """End processes of a run that was killed. A number that another program has by now is left alone."""
    state = RunState.read(order.home)
    for each in state.children if state is not None else []:
        if each.lives:
            screen.report(Event(EventKind.NOTE, each.name, f"ending process {each.pid}, left over from an earlier run"))
            await processes.end(each.pid, each.began, order.settings.drain_timeout_ms)
    order.home.state.unlink(missing_ok=True)


class _Run:
    """One run: what was prepared, who supervises it, what the state file says."""

    def __init__(self, prepared: Prepared, screen: Screen) -> None:
        self._prepared = prepared
        self._order = prepared.order
        self._screen = screen
        self._probes = Probes(self._order.home, Gateway(prepared.url), self._order.settings.ready_timeout_ms)
        self._supervisor = Supervisor(self._order.home, self._order.settings, self._probes, screen.report)
        self._supervisor.changed = self._write
        self._operating: Operating | None = None
        self._watching: asyncio.Task[None] | None = None
        self._state = RunState(
            supervisor=this_process("interpose"),
            url=prepared.url,
            nats_url=prepared.directory.url,
            config=None if prepared.needs.path is None else str(prepared.needs.path),
            started=datetime.now(UTC).isoformat(),
            warnings=prepared.warnings,
        )

    async def through(self) -> None:
        """Live until a signal, then stop; stop as well when the start fails."""
        life = asyncio.create_task(self._live())
        stop = asyncio.create_task(self._told_to_stop())
        try:
            await asyncio.wait({life, stop}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(life, stop)
            if self._watching is not None:
                await end(self._watching)
            await self._supervisor.drain()
            await self._probes.close()
            self._order.home.state.unlink(missing_ok=True)
        if not life.cancelled():
            life.result()

    async def _told_to_stop(self) -> None:
        """Return at the first signal; every later one kills at once."""
        told = asyncio.Event()

        def heed(signum: signal.Signals) -> None:
            if told.is_set():
                self._screen.report(Event(EventKind.WARNING, "interpose", f"{signum.name} again: killing everything"))
                self._supervisor.kill()
                return
            self._screen.report(Event(EventKind.NOTE, "interpose", f"{signum.name}: stopping; once more kills at once"))
            told.set()

        for signum in STOP_SIGNALS:
            asyncio.get_running_loop().add_signal_handler(signum, heed, signum)
        await told.wait()

    async def _live(self) -> None:
        self._write()
        programs = self._prepared.programs
        await self._supervisor.start([each for each in programs if each.stage is Stage.BROKER])
        if self._prepared.directory.port is None:
            await self._meet_broker()
        operating = await self._operate()
        lenient = self._prepared.needs.trouble is not None
        said = await self._supervisor.start(
            [each for each in programs if each.stage is not Stage.BROKER], lenient=lenient
        )
        # Without a usable configuration the gateway says again what was said already.
        fresh = [*([] if operating.trouble else said), *await self._unserved(operating)]
        self._state = self._state.model_copy(update={"ready": True, "warnings": [*self._state.warnings, *fresh]})
        self._write()
        self._screen.started(self._state)
        # A task of its own and in no group: a cancellation that nats-py drops has to be sent again (`end`).
        self._watching = asyncio.create_task(operating.watch())
        self._watching.add_done_callback(self._lament)
        async for stored in read(self._probes.client, last=0):
            self._screen.record(stored)

    def _lament(self, watching: asyncio.Task[None]) -> None:
        """A registry that nobody keeps any more is told, never forgotten."""
        if not watching.cancelled() and (error := watching.exception()) is not None:
            said = f"is no longer kept: {error!r}; restart Interpose"
            self._screen.report(Event(EventKind.WARNING, "registry", said))

    async def _operate(self) -> Operating:
        """Put the configuration in force before anybody asks for it."""
        path = self._prepared.needs.path
        told = frozenset(self._prepared.needs.warnings)
        self._operating = Operating(self._probes.client, path, self._screen.report, changed=self._write, told=told)
        await self._operating.begin()
        return self._operating

    async def _meet_broker(self) -> None:
        """A broker that is not ours to start has to know our users."""
        try:
            async with asyncio.timeout(self._order.settings.ready_timeout_ms / 1000):
                await self._probes.open()
        except (BusUnavailable, TimeoutError) as error:
            said = str(error) or f"the broker at {self._prepared.directory.url} does not answer"
            raise BusUnavailable(
                f"{said}; INTERPOSE_NATS_URL names it: load {self._order.home.broker_config} there, "
                "or unset INTERPOSE_NATS_URL to have a broker started here"
            ) from error

    async def _unserved(self, operating: Operating) -> list[str]:
        """What a person can do for each service that hooks need and nobody serves."""
        needed = {} if operating.document is None else services_of(operating.document.configuration())
        return [
            f"nobody serves {name}, which the configuration needs for {', '.join(needed[name])}: "
            f"pip install interpose-{name} and start again, or serve it with `interpose run FILE.py`"
            for name in await self._probes.absent(needed)
        ]

    def _write(self) -> None:
        living = [child.state for child in self._supervisor.children]
        children = [state for state in living if state is not None]
        trouble = None if self._operating is None else self._operating.trouble
        self._state = self._state.model_copy(update={"children": children, "trouble": trouble})
        self._state.write(self._order.home)

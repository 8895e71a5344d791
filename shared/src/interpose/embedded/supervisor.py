"""The supervisor: starts processes in order, keeps them running, stops them in reverse.

It knows no NATS and no HTTP: whether a process is ready is somebody else's answer (`Probe`).
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from itertools import groupby
from typing import Protocol

from interpose.bus.tasks import end
from interpose.embedded.backoff import Backoff
from interpose.embedded.child import Child, ending
from interpose.embedded.events import Event, EventKind, Report
from interpose.embedded.home import Home
from interpose.embedded.programs import Program, Stage
from interpose.embedded.settings import EmbeddedSettings
from interpose.errors import InterposeError, StartFailed
from interpose.telemetry.logs import readable

SHOWN_LINES = 15

STOP_ORDER = ((Stage.GATEWAY,), (Stage.WORKERS, Stage.SERVICES), (Stage.BROKER,))
"""The gateway first, so that every call in flight can still be judged and recorded."""


class Probe(Protocol):
    """Whether a process is ready."""

    async def ready(self, program: Program) -> str | None:
        """Return when it is, with a warning for people or None. May wait for ever: the supervisor bounds it."""
        ...


class Supervisor:
    """Keeps the processes of one home running. `changed` is called whenever a process came or went."""

    def __init__(self, home: Home, settings: EmbeddedSettings, probe: Probe, report: Report) -> None:
        self.children: list[Child] = []
        self.changed: Callable[[], None] = lambda: None
        self._home = home
        self._settings = settings
        self._probe = probe
        self._report = report
        self._keepers: list[asyncio.Task[None]] = []
        self._grace_ms = settings.drain_timeout_ms

    async def start(self, programs: Sequence[Program], *, lenient: bool = False) -> list[str]:
        """Start stage by stage, each when the one before is ready; returns warnings for people.

        `lenient`: a service that does not get ready is told and tried again, and the others start all the same.
        Raises StartFailed, after which `drain` stops what was started.
        """
        warnings: list[str] = []
        for stage, group in groupby(programs, key=lambda program: program.stage):
            children = [self._child(program) for program in group]
            for child in children:
                await self._spawn(child)
            waits = [self._first(child, lenient=lenient and stage is Stage.SERVICES) for child in children]
            warnings += await _together(waits)
        return warnings

    async def drain(self) -> None:
        """Stop everything in order, each with its grace; whoever outlives it is killed."""
        await end(*self._keepers)
        for stages in STOP_ORDER:
            await asyncio.gather(*(self._stop(child) for child in self.children if child.program.stage in stages))
        self.changed()

    def kill(self) -> None:
        """End everything at once, also what a drain would still wait for."""
        self._grace_ms = 0
        for child in self.children:
            child.kill()

    def _child(self, program: Program) -> Child:
        backoff = Backoff(self._settings.restart_backoff_ms)
        child = Child(program, self._home.log(program.name), backoff)
        self.children.append(child)
        return child

    async def _spawn(self, child: Child) -> None:
        await child.spawn()
        self.changed()

    async def _first(self, child: Child, *, lenient: bool) -> str | None:
        """The first time: not getting ready is fatal, unless lenient."""
        warning = None
        try:
            warning = await self._await_ready(child)
            self._report(Event(EventKind.READY, child.name, f"ready after {child.lived_ms:.0f} ms"))
        except StartFailed as error:
            if not lenient:
                raise
            self._report(_warning(child, error))
        keeper = asyncio.create_task(self._keep(child), name=child.name)
        keeper.add_done_callback(self._lament)
        self._keepers.append(keeper)
        return warning

    def _lament(self, keeper: asyncio.Task[None]) -> None:
        """A process that nobody keeps any more is told, never forgotten."""
        if not keeper.cancelled() and (error := keeper.exception()) is not None:
            self._report(Event(EventKind.WARNING, keeper.get_name(), f"is no longer watched: {error!r}"))

    async def _keep(self, child: Child) -> None:
        """Start it again whenever it ends, later each time."""
        while True:
            code = await child.wait()
            wait_ms = child.backoff.next_ms(child.lived_ms)
            said = f"{ending(code)}; starting it again in {wait_ms / 1000:g} s, its log is {child.log}"
            self._report(Event(EventKind.CRASHED, child.name, said))
            self.changed()
            await asyncio.sleep(wait_ms / 1000)
            await self._again(child)

    async def _again(self, child: Child) -> None:
        try:
            await self._spawn(child)
            await self._await_ready(child)
        except (StartFailed, OSError) as error:
            self._report(_warning(child, error))
        else:
            self._report(Event(EventKind.RESTARTED, child.name, f"ready again after {child.lived_ms:.0f} ms"))

    async def _await_ready(self, child: Child) -> str | None:
        """Until it is ready. Raises StartFailed when it ends or the time does."""
        ready = asyncio.create_task(self._probe.ready(child.program))
        ended = asyncio.create_task(child.wait())
        try:
            timeout_s = self._settings.ready_timeout_ms / 1000
            await asyncio.wait({ready, ended}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                return _said(child, ready)
            if ended.done():
                raise StartFailed(_failure(child, ending(ended.result())))
            raise StartFailed(_failure(child, f"was not ready within {self._settings.ready_timeout_ms} ms"))
        finally:
            await end(ready, ended)

    async def _stop(self, child: Child) -> None:
        if not child.lives:
            return
        grace_ms = self._grace_ms
        if await child.stop(grace_ms):
            said = f"did not stop within {grace_ms} ms and was killed"
            self._report(Event(EventKind.KILLED, child.name, said))
        else:
            self._report(Event(EventKind.STOPPED, child.name, "stopped"))


async def _together(waits: Iterable[Coroutine[None, None, str | None]]) -> list[str]:
    """The warnings of all; the first failure cancels the others."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(wait) for wait in waits]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [said for task in tasks if (said := task.result()) is not None]


def _warning(child: Child, error: Exception) -> Event:
    return Event(EventKind.WARNING, child.name, str(error).removeprefix(f"{child.name} "))


def _said(child: Child, ready: asyncio.Task[str | None]) -> str | None:
    try:
        return ready.result()
    except InterposeError as error:
        raise StartFailed(_failure(child, f"is not usable: {error}")) from error


def _failure(child: Child, what: str) -> str:
    shown = "\n".join(f"  {readable(line)}" for line in child.said(SHOWN_LINES)) or "  (it wrote nothing)"
    return f"{child.name} {what}; the end of {child.log}:\n{shown}"

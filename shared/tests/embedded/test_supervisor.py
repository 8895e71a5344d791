"""The supervisor over real small programs; only readiness is answered by the test."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from interpose.embedded.events import Event, EventKind
from interpose.embedded.home import Home
from interpose.embedded.programs import Program, Stage
from interpose.embedded.settings import EmbeddedSettings
from interpose.embedded.supervisor import Supervisor
from interpose.errors import BusUnavailable, StartFailed

PATIENCE_S = 20
STUBBORN = 'trap \'\' TERM; echo "started $NAME" >> "$JOURNAL"; while :; do sleep 0.02; done'


class Probe:
    """A program is ready when it wrote that it started; some never are, some warn."""

    def __init__(self, journal: Any) -> None:
        self.journal = journal
        self.warnings: dict[str, str] = {}
        self.refusing: dict[str, str] = {}

    async def ready(self, program: Program) -> str | None:
        if program.name in self.refusing:
            raise BusUnavailable(self.refusing[program.name])
        await self.journal.has(f"started {program.name}")
        return self.warnings.get(program.name)


class Watched:
    """A supervisor and what it told."""

    def __init__(self, home: Home, journal: Any, **settings: int) -> None:
        self.events: list[Event] = []
        self.journal = journal
        self.probe = Probe(journal)
        chosen = EmbeddedSettings(
            **{"restart_backoff_ms": 1, "ready_timeout_ms": 20_000, "drain_timeout_ms": 20_000} | settings
        )
        self.supervisor = Supervisor(home, chosen, self.probe, self.events.append)

    async def told(self, kind: EventKind, name: str, count: int = 1) -> None:
        """Return when it was told so often."""
        await self.journal.until(
            lambda: sum((event.kind, event.name) == (kind, name) for event in self.events) >= count
        )

    def pid(self, name: str) -> int:
        [state] = [child.state for child in self.supervisor.children if child.name == name]
        assert state is not None
        return state.pid


@pytest.fixture
async def watch(home: Home, journal: Any) -> AsyncIterator[Callable[..., Watched]]:
    """Supervisors of one home; whatever they started is killed at the end."""
    made: list[Watched] = []

    def make(**settings: int) -> Watched:
        made.append(Watched(home, journal, **settings))
        return made[-1]

    yield make
    for watched in made:
        watched.supervisor.kill()
        await watched.supervisor.drain()


async def test_stages_start_in_order_and_stop_in_reverse(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """Broker, services, workers, gateway; then gateway, services and workers, broker."""
    watched = watch()
    stages = {"broker": Stage.BROKER, "service": Stage.SERVICES, "worker": Stage.WORKERS, "gateway": Stage.GATEWAY}

    await watched.supervisor.start([program(name, stage) for name, stage in stages.items()])
    started = watched.journal.lines
    await watched.supervisor.drain()

    assert ["started broker", "started service", "started worker", "started gateway"] == started
    stopped = watched.journal.lines[4:]
    assert ("stopped gateway", "stopped broker") == (stopped[0], stopped[-1])
    assert {"stopped service", "stopped worker"} == set(stopped[1:3])


async def test_a_killed_process_is_started_again(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """Each crash is told with its log, and the process comes back under a new number."""
    watched = watch()
    await watched.supervisor.start([program("one")])
    first = watched.pid("one")

    os.kill(first, signal.SIGKILL)
    await watched.told(EventKind.RESTARTED, "one")

    assert watched.pid("one") != first
    [crash] = [event for event in watched.events if event.kind is EventKind.CRASHED]
    assert "SIGKILL" in crash.message
    assert "one.log" in crash.message


async def test_a_process_that_goes_on_crashing_waits_longer(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """The told waits double."""
    watched = watch(restart_backoff_ms=2)
    await watched.supervisor.start([program("one")])

    for count in (1, 2, 3):
        os.kill(watched.pid("one"), signal.SIGKILL)
        await watched.told(EventKind.RESTARTED, "one", count)

    crashes = [event.message for event in watched.events if event.kind is EventKind.CRASHED]
    assert ["in 0.002 s", "in 0.004 s", "in 0.008 s"] == [
        message.split("again ")[1].split(",")[0] for message in crashes
    ]


async def test_a_process_that_exits_at_start_fails_with_its_last_words(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """The error holds the code, the log's path and its end; nothing of a later stage was started."""
    watched = watch()
    broken = program("broken", script="echo what went wrong >&2; exit 3")

    with pytest.raises(StartFailed, match=r"broken exited with code 3; the end of .*broken\.log:\n  what went wrong"):
        await watched.supervisor.start([broken, program("gateway", Stage.GATEWAY)])

    assert [] == watched.journal.lines


async def test_a_process_that_is_not_ready_in_time_fails(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """The sentence names the time; drain then stops the silent one."""
    watched = watch(ready_timeout_ms=100)
    silent = program("silent", script="while :; do sleep 0.02; done")

    with pytest.raises(StartFailed, match="silent was not ready within 100 ms"):
        await watched.supervisor.start([silent])
    await watched.supervisor.drain()

    assert not any(child.lives for child in watched.supervisor.children)


async def test_a_process_that_is_ready_and_unusable_fails(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """An error of the probe is the reason."""
    watched = watch()
    watched.probe.refusing["broker"] = "the stream lives in memory"

    with pytest.raises(StartFailed, match="broker is not usable: the stream lives in memory"):
        await watched.supervisor.start([program("broker", Stage.BROKER)])


async def test_leniently_a_broken_service_is_told_and_tried_again(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """The others start all the same; a broken gateway is still fatal."""
    watched = watch()
    broken = program("broken", script="exit 1")

    await watched.supervisor.start([broken, program("gateway", Stage.GATEWAY)], lenient=True)
    await watched.told(EventKind.CRASHED, "broken", 2)

    assert ["started gateway"] == watched.journal.lines
    with pytest.raises(StartFailed):
        await watch().supervisor.start([program("gate", Stage.GATEWAY, "exit 1")], lenient=True)


async def test_warnings_of_a_probe_are_returned(watch: Callable[..., Watched], program: Callable[..., Program]) -> None:
    """A gateway without a configuration counts as started, and says why it refuses."""
    watched = watch()
    watched.probe.warnings["gateway"] = "no configuration"

    said = await watched.supervisor.start([program("one"), program("gateway", Stage.GATEWAY)])

    assert ["no configuration"] == said


async def test_whoever_does_not_stop_is_killed_and_told(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """The grace ends with SIGKILL and a line for people."""
    watched = watch(drain_timeout_ms=100)
    await watched.supervisor.start([program("stubborn", script=STUBBORN)])

    await watched.supervisor.drain()

    assert (EventKind.KILLED, "stubborn") == (watched.events[-1].kind, watched.events[-1].name)


async def test_killing_ends_a_drain_at_once(watch: Callable[..., Watched], program: Callable[..., Program]) -> None:
    """A second Ctrl-C does not wait for the grace."""
    watched = watch(drain_timeout_ms=3_600_000)
    await watched.supervisor.start([program("stubborn", script=STUBBORN)])
    draining = asyncio.create_task(watched.supervisor.drain())
    await asyncio.sleep(0)

    watched.supervisor.kill()
    async with asyncio.timeout(PATIENCE_S):
        await draining

    assert not any(child.lives for child in watched.supervisor.children)


async def test_nothing_is_started_again_while_draining(
    watch: Callable[..., Watched], program: Callable[..., Program]
) -> None:
    """A process that waits for its restart when the stop comes stays down."""
    watched = watch(restart_backoff_ms=3_600_000)
    await watched.supervisor.start([program("one")])
    os.kill(watched.pid("one"), signal.SIGKILL)
    await watched.told(EventKind.CRASHED, "one")

    await watched.supervisor.drain()

    assert ["started one"] == watched.journal.lines
    assert not any(child.lives for child in watched.supervisor.children)


async def test_every_change_is_announced(watch: Callable[..., Watched], program: Callable[..., Program]) -> None:
    """The state file can be written whenever a process came or went."""
    watched = watch()
    seen: list[int] = []
    watched.supervisor.changed = lambda: seen.append(sum(child.lives for child in watched.supervisor.children))

    await watched.supervisor.start([program("one"), program("two")])
    await watched.supervisor.drain()

    assert [1, 2, 0] == seen

"""One scenario: callers call, something breaks and is mended, and the judge looks at all that was left behind."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from tests.integration.conftest import Program

from .diary import Diary
from .judge import Evidence, Outage, Rules, breaches, lateness, orphans
from .lag import Lag, Span
from .load import Ending, Kind, Load, Told, Way

RECOVERY_S = 10.0
"""After the end of a fault calls are delivered again within this time, and what the machine let processes wait."""
TRY_AGAIN_S = 0.05


class System(Protocol):
    """What a scene needs of the system that it plays on."""

    diary: Diary
    pacemaker: Path
    rules: dict[int, Rules]

    @property
    def standing(self) -> Mapping[str, Program]:
        """Its processes by their instance's names, as far as a scene kills or freezes them."""
        ...

    async def settled(self) -> None:
        """Return when no call is under way and no record is owed."""
        ...

    async def bodies(self) -> Sequence[dict[str, Any]]:
        """Every record of a call, in the stream's order."""
        ...


class Scene:
    """A scenario under way: what was broken when, and its judgement at the end."""

    def __init__(self, system: System, load: Load) -> None:
        self.load = load
        self.lag = Lag(system.pacemaker)
        self._system = system
        self._outages: list[Outage] = []
        self._kills: list[Span] = []
        self._away: dict[str, float] = {}
        self._ran_before = {each["call_id"] for each in system.diary.of("ran")}

    async def begin(self) -> None:
        """Return when the first calls are delivered: nothing is broken yet."""
        await self.load.delivered(len(self.load.ways))

    def away(self, *names: str) -> None:
        """From now on these are not there, or do not answer."""
        self._away |= dict.fromkeys(names, time.monotonic())

    def killed(self, since: float) -> None:
        """A gateway was killed between then and now."""
        self._kills.append((since, time.monotonic()))

    async def kill(self, *names: str) -> None:
        """kill -9 of each, and gone on return; callers of a gateway may lose their connection from now on."""
        for name in names:
            before, is_gateway = time.monotonic(), name.startswith("gateway")
            if is_gateway:
                self.away(name)
            await self._system.standing[name].kill()
            if is_gateway:
                self.killed(before)

    async def freeze(self, seconds: float, *names: str) -> None:
        """SIGSTOP them for so long."""
        self._signal(signal.SIGSTOP, names)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._signal(signal.SIGCONT, names)

    def _signal(self, how: signal.Signals, names: Sequence[str]) -> None:
        for name in names:
            self._system.standing[name].send(how)

    async def recovered(self, since: float) -> None:
        """Each way delivers again, within RECOVERY_S from the end of the fault; what was away is there again."""
        answers = await asyncio.gather(*(self._delivered(way) for way in self.load.ways))
        last = max(told.ended for told in answers)
        self._outages += [Outage(name, start, last) for name, start in self._away.items()]
        self._away.clear()
        took_s, waited_s = last - since, self.lag.seen().within(since, last)
        print(f"delivered again on every way after {took_s:.2f} s")
        assert took_s <= RECOVERY_S + waited_s, "\n".join(told.line() for told in self.load.told[-20:])

    async def _delivered(self, way: Way) -> Told:
        while True:
            told = await self.load.call(way, self.load.make(Kind.FINE, self.load.dice))
            if told.is_delivered:
                return told
            await asyncio.sleep(TRY_AGAIN_S)

    async def judge(self) -> Evidence:
        """Nothing of what was promised is broken; the evidence, for what a scenario wants to know besides."""
        evidence = await self._evidence()
        told = evidence.told
        late = max((lateness(each, evidence.lag) for each in told if not evidence.is_excused(each)), default=0)
        endings = {ending.value: sum(each.ending is ending for each in told) for ending in Ending}
        print(
            f"{len(told)} calls {endings}, {len(evidence.runs)} runs, {len(evidence.records)} records,"
            f" open behind a kill {orphans(evidence)}, {sum(map(evidence.is_excused, told))} excused,"
            f" latest {late * 1000:.0f} ms against its deadline"
        )
        found = breaches(evidence)
        assert not found, "\n".join(found)
        return evidence

    async def _evidence(self) -> Evidence:
        """All that is left of this scenario's calls; a run that no record tells of counts where it is new.

        By the id of a call nobody knows when it was made: a gateway's wall clock may have jumped.
        """
        await self._system.settled()
        bodies, mark = await self._system.bodies(), f"{self.load.mark}-"
        recorded = {each["call_id"] for each in bodies}
        numbered = {each["call_id"] for each in bodies if number_of(each).startswith(mark)}
        known = self._ran_before | (recorded - numbered)
        return Evidence(
            told=self.load.told,
            records=[each for each in bodies if each["call_id"] in numbered],
            runs=[each for each in self._system.diary.of("ran") if each["call_id"] not in known],
            said=self._system.diary.of("said"),
            rules=self._system.rules,
            lag=self.lag.seen(),
            outages=self._outages,
            kills=self._kills,
        )


def number_of(record: dict[str, Any]) -> str:
    """The call's own number in a record."""
    return str((record["native"]["arguments"] or {}).get("number", ""))


@asynccontextmanager
async def scene(system: System, load: Load) -> AsyncIterator[Scene]:
    """Callers call while the body breaks things; on leaving they have ended."""
    opened = Scene(system, load)
    watching, calling = asyncio.create_task(opened.lag.watch()), asyncio.create_task(load.run())
    try:
        await opened.begin()
        yield opened
    finally:
        load.stop()
        await calling
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching

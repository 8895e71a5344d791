"""Shadow hooks: asked behind the call's back about what the others were asked, and recorded. They change nothing.

They are asked when the phase is decided and recorded, so that nobody waits for them. What they say feeds nobody but
other shadows that need them, and stands in a record of its own, best effort: whatever is too much is left out.
"""

import asyncio
import logging
import math
from dataclasses import dataclass, field, replace
from typing import Protocol

from interpose.contracts.record import ShadowRecord
from interpose.contracts.words import Phase
from interpose_gateway.core.decide import Decided
from interpose_gateway.core.judge import Judge, Judged
from interpose_gateway.core.records import RecordMaker
from interpose_gateway.core.toolcall import ToolCall

MOST_AT_ONCE = 128
"""Phases of calls whose shadows are asked at the same time; each holds the values of its phase until they answered."""

log = logging.getLogger(__name__)


class ShadowRecorder(Protocol):
    """Keeps what shadows said, if it can."""

    async def note(self, record: ShadowRecord) -> bool:
        """Try once; whether the record is durable. Never raises for what the store does or does not do."""
        ...


@dataclass(slots=True)
class Shadows:
    """Asks in the background. `lost` counts the phases whose shadows were not asked or not recorded."""

    judge: Judge
    records: RecordMaker
    recorder: ShadowRecorder
    lost: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def follow(self, call: ToolCall, phase: Phase, judged: Judged, decided: Decided, trace_id: str | None) -> None:
        """Ask the shadows of a phase that is decided; returns at once."""
        if not judged.shadows:
            return
        if len(self._tasks) >= MOST_AT_ONCE:
            self.lost += 1
            return
        task = asyncio.create_task(self._follow(call, phase, judged, decided, trace_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self, timeout_s: float) -> int:
        """Let those under way end; returns how many phases were cut off."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=timeout_s)
        cut_off = [task for task in self._tasks if not task.done()]
        for task in cut_off:
            task.cancel()
        return len(cut_off)

    async def _follow(
        self, call: ToolCall, phase: Phase, judged: Judged, decided: Decided, trace_id: str | None
    ) -> None:
        try:
            # The call's budget is not theirs: it may be used up by now, and they take nothing of it.
            asked = await self.judge.look_on(replace(call, deadline=math.inf), judged)
            if await self.recorder.note(self.records.shadow(call, phase, decided, asked, trace_id)):
                return
        except Exception:
            # A broad catch: nothing that shadows do may end anything else.
            log.exception("the shadows of call %s broke", call.call_id)
        self.lost += 1

"""Calls that may run and have not come back, in the bucket `CALLS`: a small list to each key, by compare-and-set."""

from dataclasses import dataclass

from pydantic import ConfigDict, RootModel, ValidationError

from interpose.bus import subjects
from interpose_gateway.adapters.keys import Entry, Keys
from interpose_gateway.core.evaluated.native.ports import Waiting
from interpose_gateway.core.evaluated.ports import Unavailable

MOST = 16
"""Calls under one key."""
TRIES = 8
"""So often a change is made again where another one came first."""
EMPTY_S = 1.0
"""How long an empty list stays: keys are written, never deleted."""


class Waiters(RootModel[list[Waiting]]):
    """The value of a key."""

    model_config = ConfigDict(frozen=True, strict=True)


@dataclass(frozen=True, slots=True)
class KvWaitings:
    """The core's `Waitings`, over the bucket's keys."""

    keys: Keys

    async def add(self, key: str, call: Waiting, now_s: float, keep_s: float) -> bool:
        """Behind the others. The first of a key is written without a look. Raises Unavailable."""
        subject = subjects.waiting(key)
        if await self._write(subject, [call], 0, keep_s):
            return True
        for _ in range(TRIES):
            found = await self.keys.read(subject)
            calls = _open(found, now_s)
            if len(calls) >= MOST:
                return False
            if await self._write(subject, [*calls, call], _revision(found), keep_s):
                return True
        raise _busy(key)

    async def take(self, key: str, now_s: float, *, newest: bool) -> Waiting | None:
        """Off the list. Raises Unavailable."""
        subject = subjects.waiting(key)
        for _ in range(TRIES):
            found = await self.keys.read(subject)
            calls = _open(found, now_s)
            if found is None or not calls:
                return None
            taken = calls.pop(-1 if newest else 0)
            if await self._write(subject, calls, found.revision, _life_s(calls, now_s)):
                return taken
        raise _busy(key)

    async def drop(self, key: str, evaluation_id: str, now_s: float) -> None:
        """Off the list, if it is on it. Raises Unavailable."""
        subject = subjects.waiting(key)
        for _ in range(TRIES):
            found = await self.keys.read(subject)
            calls = _open(found, now_s)
            left = [call for call in calls if call.evaluation_id != evaluation_id]
            if found is None or len(left) == len(calls):
                return
            if await self._write(subject, left, found.revision, _life_s(left, now_s)):
                return
        raise _busy(key)

    async def _write(self, subject: str, calls: list[Waiting], after: int, life_s: float) -> bool:
        data = Waiters(calls).model_dump_json().encode()
        return await self.keys.write(subject, data, after=after, life_s=life_s) is not None


def _open(found: Entry | None, now_s: float) -> list[Waiting]:
    """Those that may still be reported."""
    if found is None:
        return []
    try:
        calls = Waiters.model_validate_json(found.data).root
    except ValidationError as error:
        raise Unavailable(f"what waits there cannot be read: {error.errors()[0]['msg']}") from error
    return [call for call in calls if call.until > now_s]


def _revision(found: Entry | None) -> int:
    return 0 if found is None else found.revision


def _life_s(calls: list[Waiting], now_s: float) -> float:
    return max((call.until - now_s for call in calls), default=EMPTY_S)


def _busy(key: str) -> Unavailable:
    return Unavailable(f"too many changes at once of what waits under {key}")

"""What a session's calls established, in the bucket `LABELS`: the latest value of each key, for as long as it holds.

Names become subject tokens, so the full ones stand in the value.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime

import orjson

from interpose.bus import subjects
from interpose_gateway.adapters.keys import Keys
from interpose_gateway.core.evaluated.ports import Unavailable
from interpose_gateway.core.ports import Clock

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KvEvidence:
    """The core's `EvidenceStore`, over the bucket's keys."""

    keys: Keys
    clock: Clock

    async def keep(self, tenant: str, session: str, key: str, data: object, ttl_s: int) -> bool:
        """Write it over what stood there; True only when the broker has it on disk."""
        at = datetime.fromtimestamp(self.clock.wall_time(), UTC)
        value = {"tenant": tenant, "session": session, "key": key, "data": data, "at": at}
        body = orjson.dumps(value, option=orjson.OPT_UTC_Z)
        try:
            return (
                await self.keys.write(subjects.evidence(tenant, session, key), body, after=None, life_s=ttl_s)
                is not None
            )
        except Unavailable as error:
            log.warning("evidence %s of session %s is not kept: %s", key, session, error)
            return False

"""When two calls of logs are the same one.

Platforms copy lines: into the log of a session that goes on from another, into a message that is written again. So a
call is known by its provider's id, its tool and its arguments. Most providers make ids that nobody makes twice. Others
count (`call_0`): such an id means something within its session alone, and may come again there.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from interpose.history.entries import Call

_UNIQUE = re.compile(r"(?=.*\d)(?:toolu_|call_|fc_|\w+-\d{12,}-)[A-Za-z0-9_-]{8,}|[0-9a-fA-F-]{32,}")
"""An id with so much chance in it is nobody else's, in whichever session it stands."""


@dataclass(frozen=True, slots=True)
class Base:
    """What stays the same of a call wherever it stands. `may_repeat`: in one log it may be another call each time."""

    digest: bytes
    may_repeat: bool


def base(platform: str, call: Call, number: int, data: bytes) -> Base:
    """The base of a call that stands in this line of this number."""
    if call.call_id is None:
        alone: Sequence[object] = [platform, call.session, number, call.part, hashlib.sha256(data).hexdigest()]
        return Base(_digest(alone), may_repeat=False)
    is_unique = _UNIQUE.fullmatch(call.call_id) is not None
    whole = call.arguments if call.raw_arguments is None else call.raw_arguments
    said: Sequence[object] = [platform, None if is_unique else call.session, call.call_id, call.tool, whole]
    return Base(_digest(said), may_repeat=not (is_unique or call.is_told_again))


def _digest(said: Sequence[object]) -> bytes:
    return hashlib.sha256(orjson.dumps(said, option=orjson.OPT_SORT_KEYS)).digest()

"""Identifiers: UUIDv7 (RFC 9562, section 5.7), so that calls sort by time, and unguessable tokens."""

import os
import secrets
import time

_AT_ONCE = 64
_drawn: list[str] = []
"""Secrets that nobody has yet. The system is asked for many at once: asking is most of what one costs."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drawn.clear)


def call_id(now_ms: int | None = None, random: bytes | None = None) -> str:
    """A UUIDv7. `now_ms` and `random` (10 bytes) come from outside only in tests."""
    stamp = (time.time_ns() // 1_000_000 if now_ms is None else now_ms).to_bytes(6, "big")
    raw = bytearray(stamp + (bytes.fromhex(secret()[:20]) if random is None else random))
    raw[6] = 0x70 | raw[6] & 0x0F
    raw[8] = 0x80 | raw[8] & 0x3F
    digits = raw.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def secret() -> str:
    """An unguessable token of 128 bits that is a plain subject token: it names a private inbox."""
    try:
        return _drawn.pop()
    except IndexError:
        digits = secrets.token_hex(16 * _AT_ONCE)
        _drawn.extend(digits[at : at + 32] for at in range(32, len(digits), 32))
        return digits[:32]

"""One digest for JSON values: SHA-256 over compact JSON with sorted keys (docs/adr/0004-digests.md)."""

import hashlib
from typing import Any

import orjson


def encode(value: Any) -> bytes:
    """Compact UTF-8 JSON in the value's own key order. Raises TypeError for what is no JSON."""
    return orjson.dumps(value)


def size(value: Any) -> int:
    """Bytes of the compact encoding."""
    return len(orjson.dumps(value))


def digest(value: Any) -> str:
    """`sha256:<64 hex>` of the value with keys sorted by code point: equal values, equal digests."""
    return "sha256:" + hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def digest_bytes(data: bytes) -> str:
    """`sha256:<64 hex>` of exactly these bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()

"""Names on the bus. A name that is no plain subject token becomes `x` + 32 hex of its SHA-256 (NATS ADR-6)."""

import hashlib
import re
import unicodedata
from functools import lru_cache

from interpose.contracts.limits import NAME_CHARACTERS

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HASHED = re.compile(r"x[0-9a-f]{32}")
_REMEMBERED = 4096
"""Names come from callers: as many are remembered as a busy gateway meets, and none that is longer than a name."""


@lru_cache(_REMEMBERED)
def token(name: str) -> str:
    """The subject token of any name. A plain name that looks like a hashed one is hashed too: tokens never collide."""
    if _PLAIN.fullmatch(name) and not _HASHED.fullmatch(name):
        return name
    return "x" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def fold(name: str) -> str:
    """How names are compared: NFKC, trimmed, case-folded, and NFKC again because folding can leave the form."""
    return _fold_name(name) if len(name) <= NAME_CHARACTERS else _fold(name)


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).strip().casefold())


_fold_name = lru_cache(_REMEMBERED)(_fold)

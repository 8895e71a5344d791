"""Strings in which nothing was found, known again by their digests: agents read the same files and pages over and over.

No string is kept. The key of the digests is drawn by each process for itself, so that nobody can look for a text that
has the digest of another.
"""

import secrets
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from interpose_sanitizer.looking import Eyes

MOST = 50_000
"""Digests that are kept of a generation; of those before it as many. Some 10 MB for one way to look."""
_WAYS = 16
"""Settings, counted twice where they look at turns as well: of the others all is looked at anew."""
_OCTETS = 16
_KEY = secrets.token_bytes(blake2b.MAX_KEY_SIZE)


class Clean:
    """Strings in which some eyes found nothing. Safe to use from several threads at once: what one adds while another
    begins a generation may be forgotten, and is looked at again."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._young: set[bytes] = set()
        self._old: set[bytes] = set()

    def __contains__(self, digest: bytes) -> bool:
        """Whether the string of this digest is known. One of the old generation counts among the young from now on."""
        if digest in self._young:
            return True
        if digest not in self._old:
            return False
        self.add(digest)
        return True

    def add(self, digest: bytes) -> None:
        """Nothing was found in the string of this digest."""
        if len(self._young) >= self._most:
            self._old, self._young = self._young, set()
        self._young.add(digest)


def digest(text: str) -> bytes:
    """What a Unicode text is known by in this process."""
    return blake2b(text.encode(), digest_size=_OCTETS, key=_KEY).digest()


def to(eyes: Eyes) -> Clean:
    """What is clean to these eyes, and to all that find the same; what they do with it does not matter."""
    settings = eyes.settings
    wanted = (settings.families, settings.quoted, settings.secrets, frozenset(settings.personal.items()))
    return _of(eyes.matcher, eyes.words, eyes.place, wanted)


@lru_cache(maxsize=_WAYS)
def _of(*seen_by: Any) -> Clean:
    del seen_by
    return Clean()

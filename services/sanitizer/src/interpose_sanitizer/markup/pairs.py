"""Which pairs of signs stand in a text that begin something in markup: one look instead of one for each."""

import numpy as np

_FIRST = b"]!{<%`~\\/("
_IS_FIRST = bytes(octet in _FIRST for octet in range(256))


def pairs_in(text: str) -> frozenset[str]:
    """The pairs of signs of ASCII of which the first is one of those that begin marks."""
    data = text.encode("utf-8", "replace")
    octets = np.frombuffer(data, np.uint8)
    places = np.flatnonzero(np.frombuffer(data[:-1].translate(_IS_FIRST), np.bool_))
    found = np.zeros(1 << 16, np.bool_)
    found[octets[places].astype(np.uint16) << 8 | octets[places + 1]] = True
    return frozenset(chr(pair >> 8) + chr(pair & 0xFF) for pair in np.flatnonzero(found).tolist())

"""What programs, pages and forums put between two pieces of one string."""

import re
from collections.abc import Sequence

import numpy as np

from interpose_sanitizer.encoded.source import octets_of

_RARE = 100
"""Fewer than one for so many octets are taken out one by one."""
_JOINTS = (b'" + "', b"' + '", b'"+"', b"'+'", b'" . "', b"' . '")
"""Between two pieces of a string that a program puts together."""
_IS_QUOTE = np.array([octet in b"\"'" for octet in range(256)])
_JOINED_BY = {
    b"TJ": re.compile(rb"\)\s{0,3}+-?+\d{1,5}+(?:\.\d{1,5}+)?+\s{0,3}+\("),
    b"||": re.compile(rb"([\"'])\s?+\|\|\s?+\1"),
    b'" & "': re.compile(rb'" & "'),
    b"[/": re.compile(rb"(?i)(?<=[a-z])\[/?+(?:b|i|u|s|em|color|size)(?:=[^\]\s]{1,20}+)?+\](?=[a-z])"),
}
"""Between two pieces of a line of PDF, of a string of SQL and of Basic; and marks of forums within a word."""


def without(data: bytes) -> bytes:
    """Pieces of strings without what stands between, with zeros for it."""
    for sign, joints in _JOINED_BY.items():
        if sign in data:
            data = joints.sub(lambda found: b"\0" * len(found[0]), data)
    return _without_signs(data)


def _without_signs(data: bytes) -> bytes:
    """Pieces of strings without what a program puts them together with."""
    octets = np.concatenate((octets_of(data), np.zeros(2, np.uint8)))
    signs, before, behind = octets[1:-3], octets[:-4], octets[2:-2]
    places = np.flatnonzero(((signs == ord("+")) | (signs == ord("."))) & (before == behind)) + 1
    beside = octets[places - 1]
    places = places[_IS_QUOTE[np.where(beside == ord(" "), octets[places - 2], beside)]]
    if len(places) == 0:
        return data
    if len(places) * _RARE > len(data):
        for mark in _JOINTS:
            data = data.replace(mark, b"\0" * len(mark))
        return data
    return _without_few_signs(data, places.tolist())


def _without_few_signs(data: bytes, places: Sequence[int]) -> bytes:
    """The same where the middle of each stands at one of some places."""
    out = bytearray(data)
    for mark in _JOINTS:
        for place in places:
            start = place - len(mark) // 2
            if start >= 0 and out.startswith(mark, start):
                out[start : start + len(mark)] = b"\0" * len(mark)
    return bytes(out)

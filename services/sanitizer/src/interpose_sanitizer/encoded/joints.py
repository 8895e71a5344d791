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
    b"||": re.compile(rb"([\"'])\s?+\|\|\s?+\1"),
    b'" & "': re.compile(rb'" & "'),
    b"]]><!": re.compile(rb"\]\]><!\[CDATA\["),
    b"[/": re.compile(rb"(?i)(?<=[a-z])\[/?+(?:b|i|u|s|em|color|size)(?:=[^\]\s]{1,20}+)?+\](?=[a-z])"),
}
"""Between two pieces of a string of SQL, of Basic and of XML; and marks of forums within a word."""
_JOINED_LIST = re.compile(rb"join\(\s?+[\[(][^\[\]()]{1,4000}+[\])]|\[[^\[\]]{1,4000}+\]\s?+\.join\(")
_NEXT_PIECE = re.compile(rb"([\"'])\s?+,\s{0,20}+\1")
"""A list of strings that a program puts together, and what stands between two of them."""
_ROW_OF_PDF = re.compile(rb"\[[^\[\]\n]{1,4000}+\]\s?+TJ")
_KERN = re.compile(rb"\)\s{0,3}+-?+\d{1,5}+(?:\.\d{1,5}+)?+\s{0,3}+\(")
"""What a file of PDF shows in one go, and between two pieces of that how far apart they are set."""


def without(data: bytes) -> bytes:
    """Pieces of strings without what stands between, with zeros for it."""
    if b"TJ" in data:
        data = _ROW_OF_PDF.sub(lambda row: _KERN.sub(_zeros, row[0]), data)
    if b"join(" in data:
        data = _JOINED_LIST.sub(lambda pieces: _NEXT_PIECE.sub(_zeros, pieces[0]), data)
    for sign, joints in _JOINED_BY.items():
        if sign in data:
            data = joints.sub(_zeros, data)
    return _without_signs(data)


def _zeros(found: re.Match[bytes]) -> bytes:
    return b"\0" * len(found[0])


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

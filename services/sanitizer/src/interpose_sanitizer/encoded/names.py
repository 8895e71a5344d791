"""Characters that are written by their names: entities of pages, and those that Python calls by name."""

import re
import unicodedata
from html.entities import html5

_NAMED = re.compile(rb"&[A-Za-z][A-Za-z0-9]{1,31};?")
_MANY, _RARE = 24, 100
"""So many different names are looked up one by one, and so are those of which a text has one for so many octets; fewer
are replaced all at once, each."""
_UNICODE_NAME = re.compile(rb"\\N\{([A-Z][A-Z0-9 -]{0,80}+)\}")


def without(data: bytes) -> bytes:
    """The data with what each name stands for, filled up with zeros."""
    if b"&" in data:
        data = _without_entities(data)
    return _UNICODE_NAME.sub(_named, data) if b"\\N{" in data else data


def _without_entities(data: bytes) -> bytes:
    found = _NAMED.findall(data)
    present = set(found)
    if len(present) > _MANY or len(found) * _RARE < len(data):
        return _NAMED.sub(lambda name: NAMES.get(name[0], name[0]), data) if present & NAMES.keys() else data
    for name in sorted(present & NAMES.keys(), key=len, reverse=True):
        data = data.replace(name, NAMES[name])
    return data


def _names() -> dict[bytes, bytes]:
    """Each name as it stands in a text, and what it stands for, filled up with zeros."""
    signs = ((f"&{name}".encode(), sign.encode()) for name, sign in html5.items())
    return {name: sign.ljust(len(name), b"\0") for name, sign in signs if len(sign) <= len(name)}


NAMES = _names()


def _named(found: re.Match[bytes]) -> bytes:
    """The character that Python calls so, filled up with zeros."""
    try:
        return unicodedata.lookup(found[1].decode()).encode().ljust(len(found[0]), b"\0")
    except KeyError:
        return found[0]

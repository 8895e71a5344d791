"""Addresses that an attack has filled in: "swap DATA for the subject lines", and below it a picture with `?d=DATA`."""

import re
from collections.abc import Sequence
from itertools import chain

from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Family, Hit, Span

FAMILY, RULE_ID = Family.EXFILTRATION, "address-to-be-filled-in"
"""What its findings are called."""
_PLACE = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{2,40}+(?![A-Za-z0-9_])")
_ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]{}`]{4,2000}+")
_VALUE = re.compile(
    r"=([A-Z][A-Z0-9_]{2,40}+)(?=[&#]|$)"
    r"|(?<!/)/([A-Z][A-Z0-9_]{2,40}+)(?=(?:/[^/?#]{0,80})?\.(?:gif|png|jpe?g|svg|webp)(?:[?#]|$))"
)
"""What stands as a value in an address; in its path only of a picture, for many files have names in capitals."""


def search(text: str, attacks: Sequence[Span]) -> list[Hit]:
    """The addresses outside of some attacks that hold a value which an attack calls by its name. Linear."""
    named = {found[0] for span in attacks for found in _PLACE.finditer(text, *span)}
    if not named:
        return []
    taken = covered(len(text), attacks)
    return [
        (found.span(), FAMILY, RULE_ID)
        for found in _ADDRESS.finditer(text)
        if taken[found.start()] == taken[found.end()] and not named.isdisjoint(chain(*_VALUE.findall(found[0])))
    ]

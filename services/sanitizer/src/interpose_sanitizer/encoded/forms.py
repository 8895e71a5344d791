"""How single characters are escaped: percent signs, entities, backslashes, quoted-printable, code points.

A form is resolved in place: the octets of what it stands for take the beginning of where it stood, zeros the rest. So
all places stay until everything is resolved, and no escape is looked at by itself.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from interpose_sanitizer.encoded import joints, names
from interpose_sanitizer.encoded.rows import Mask, dilated, eroded
from interpose_sanitizer.encoded.source import Indexes, Octets, octets_of

_NONE = 0xFF
_BEHIND = 16
"""Zeros behind the data, so that every form may be looked at to its end."""
_DIGITS = octets_of(
    bytes(int(chr(octet), 16) if chr(octet) in "0123456789abcdefABCDEF" else _NONE for octet in range(256))
)


@dataclass(frozen=True, slots=True)
class Form:
    """A prefix and then `least` to `most` digits of a base. `closing` may stand behind them, and belongs to it.

    `is_octet`: the number is an octet of UTF-8, not a character.
    """

    prefix: bytes
    base: int
    least: int
    most: int
    closing: bytes = b""
    is_octet: bool = False


FORMS = (
    Form(b"%", 16, 2, 2, is_octet=True),
    Form(b"%u", 16, 4, 4),
    Form(b"&#", 10, 1, 10, b";"),
    Form(b"&#x", 16, 1, 8, b";"),
    Form(b"&#X", 16, 1, 8, b";"),
    Form(b"\\x", 16, 2, 2, is_octet=True),
    Form(b"\\x{", 16, 1, 6, b"}"),
    Form(b"\\u", 16, 4, 4),
    Form(b"\\u{", 16, 1, 6, b"}"),
    Form(b"\\U", 16, 8, 8),
    Form(b"\\", 8, 3, 3, is_octet=True),
    Form(b"\\0", 8, 3, 3, is_octet=True),
    Form(b"U+", 16, 4, 6),
)
_IS_TEXT = np.array([octet >= 0x20 or octet in b"\t\n\r" for octet in range(256)])
_FEW, _ROW, _NEAR = 4, 3, 40
"""Fewer signs of quoted-printable without a soft line break are something else, `a=20&b=30`; so is one that stands by
itself, or beside a `=` that is none: quoted-printable writes every one of them as `=3D`."""

_DIGITS_64 = np.array([octet < 0x80 and (chr(octet).isalnum() or octet in b"+/_-") for octet in range(256)])
_PADDED = 16
"""Behind so many digits of base64 a sign at the end of a line pads them."""


_MOST_BACKSLASHES = 31
"""Before one that is meant, in JSON in JSON in JSON."""
_OF_STYLES = re.compile(rb"(?:\\00[0-9a-fA-F]{4}\s?+){4,}+")
"""Characters as style sheets write them: fewer could be octal numbers."""
_FEWEST_PLUSES = 3
_SPOKEN = rb"[A-Za-z\x80-\xff',.:!?-]{1,24}+"
_PLUSES = re.compile(
    rb"(?<=[?&=\s\"'(:>])%b(?:\+%b){%d}(?:\+[^\s&#=\"'<>`+]{0,40}+){0,200}+" % (_SPOKEN, _SPOKEN, _FEWEST_PLUSES)
)
"""Words with plus signs for spaces, as in the values of an address. In base64 so many letters stand between few."""


class _Numbers(NamedTuple):
    """Where a form stands, the number at each place, and how many octets it takes."""

    places: Indexes
    values: Indexes
    lengths: Indexes


def resolved(data: bytes) -> bytes:
    """The data with every escape that is in it resolved once, as long as before, with zeros in it."""
    data = names.without(data)
    if b"\\00" in data:
        data = _OF_STYLES.sub(_styled, data)
    data = joints.without(_without_pluses(data))
    forms = [form for form in FORMS if form.prefix[:1] in data]
    if b"=" in data:
        joined = _without_soft_breaks(data)
        data = _without_equals(joined, is_mail=joined != data)
    if not forms:
        return data
    octets = np.concatenate((octets_of(data), np.zeros(_BEHIND, np.uint8)))
    begins = {sign: np.flatnonzero(octets == sign) for sign in {form.prefix[0] for form in forms}}
    numbers = [(form, _numbers(octets, begins[form.prefix[0]], form)) for form in forms]
    numbers = [(form, some) for form, some in numbers if len(some.places)]
    if not numbers:
        return data
    out = octets.copy()
    for form, some in numbers:
        _resolve(octets, out, form, some)
    _join_surrogates(out)
    return out[: len(data)].tobytes()


def _styled(found: re.Match[bytes]) -> bytes:
    signs = (chr(int(digits, 16)).encode("utf-8", "ignore") for digits in found[0].replace(b"\\", b" ").split())
    return b"".join(signs).ljust(len(found[0]), b"\0")


def _without_pluses(data: bytes) -> bytes:
    if data.count(b"+") < _FEWEST_PLUSES:
        return data
    return _PLUSES.sub(lambda found: found[0].replace(b"+", b" "), data)


def _without_soft_breaks(data: bytes) -> bytes:
    """Without the ends of lines that quoted-printable puts into words."""
    octets = np.concatenate((np.zeros(_PADDED, np.uint8), octets_of(data), np.zeros(2, np.uint8)))
    places = np.flatnonzero(octets[:-2] == ord("="))
    behind = octets[places + 1]
    places = places[(behind == ord("\n")) | ((behind == ord("\r")) & (octets[places + 2] == ord("\n")))]
    if len(places) == 0:
        return data
    is_padding = (octets[places - 1] == ord("=")) | (octets[places - 1] <= ord(" "))
    rows = np.ones(len(places), np.bool_)
    for index in range(1, _PADDED + 1):
        rows &= _DIGITS_64[octets[places - index]]
    places = places[~(is_padding | rows)]
    returns = places[octets[places + 1] == ord("\r")]
    octets[places], octets[places + 1], octets[returns + 2] = 0, 0, 0
    return octets[_PADDED:-2].tobytes()


def _without_equals(data: bytes, *, is_mail: bool) -> bytes:
    """With quoted-printable resolved, of which a mail is full."""
    octets = np.concatenate((octets_of(data), np.zeros(_BEHIND, np.uint8)))
    equals = np.flatnonzero(octets == ord("="))
    high, low = _DIGITS[octets[equals + 1]], _DIGITS[octets[equals + 2]]
    is_sign = (high < 16) & (low < 16) & _IS_TEXT[high << 4 | np.minimum(low, 15)]
    if not is_mail:
        is_sign &= _in_rows(equals, is_sign)
    places, values = equals[is_sign], (high << 4 | low)[is_sign]
    if len(places) < (1 if is_mail else _FEW):
        return data
    octets[places], octets[places + 1], octets[places + 2] = values, 0, 0
    return octets[: len(data)].tobytes()


def _in_rows(equals: Indexes, is_sign: Mask) -> Mask:
    """Which of them stand near each other, several in a row, with nothing between that is no sign."""
    is_linked = is_sign[:-1] & is_sign[1:] & (np.diff(equals) <= _NEAR)
    return dilated(eroded(is_linked, _ROW - 1, 1), _ROW - 1)[: len(equals)] if len(equals) >= _ROW else is_sign & False


def _resolve(octets: Octets, out: Octets, form: Form, numbers: _Numbers) -> None:
    """Put what a form stands for where it stands."""
    places, values, lengths = numbers
    if form.prefix[:1] == b"\\":
        _drop_backslashes(octets, out, places)
    for offset in range(int(lengths.max())):
        out[places[lengths > offset] + offset] = 0
    if form.is_octet:
        out[places] = values
    else:
        _write(out, places, values)


def _numbers(octets: Octets, begins: Indexes, form: Form) -> _Numbers:
    """The numbers in a form of which the first sign stands at these places."""
    places = _candidates(octets, begins, form)
    values, lengths = np.zeros(len(places), np.intp), np.zeros(len(places), np.intp)
    is_open = np.ones(len(places), np.bool_)
    for index in range(form.most if len(places) else 0):
        digit = _DIGITS[octets[places + len(form.prefix) + index]]
        is_open &= digit < form.base
        if index < form.least and not is_open.all():
            places, values, lengths, digit = places[is_open], values[is_open], lengths[is_open], digit[is_open]
            is_open = is_open[is_open]
        values = np.where(is_open, values * form.base + digit, values)
        lengths += is_open
    lengths += len(form.prefix)
    if form.closing and len(places):
        lengths += octets[places + lengths] == form.closing[0]
    return _Numbers(places, values, lengths)


def _candidates(octets: Octets, places: Indexes, form: Form) -> Indexes:
    """Where the prefix and one digit stand."""
    for offset, octet in enumerate(form.prefix[1:], 1):
        places = places[octets[places + offset] == octet]
    return places[_DIGITS[octets[places + len(form.prefix)]] < form.base]


def _drop_backslashes(octets: Octets, out: Octets, places: Indexes) -> None:
    """JSON in JSON doubles its backslashes, once for each time."""
    for _ in range(_MOST_BACKSLASHES):
        places = places[places > 0] - 1
        places = places[octets[places] == ord("\\")]
        out[places] = 0


def _write(out: Octets, places: Indexes, values: Indexes) -> None:
    """Code points as UTF-8; what is none becomes nothing. Every form is longer than what it stands for."""
    for low, high, size in ((0, 0x80, 1), (0x80, 0x800, 2), (0x800, 0x10000, 3), (0x10000, 0x110000, 4)):
        chosen = (values >= low) & (values < high)
        at, value = places[chosen], values[chosen]
        for index in range(size):
            bits = value >> 6 * (size - 1 - index)
            lead = 0 if size == 1 else 0x80 if index else 0xF0 << 4 - size & 0xFF
            out[at + index] = bits & 0x3F | lead if index else bits | lead


def _join_surrogates(out: Octets) -> None:
    """Two halves of one character, three octets each with zeros behind, as that character."""
    first = np.flatnonzero((out[:-9] == 0xED) & (out[6:-3] == 0xED))
    first = first[(out[first + 1] >= 0xA0) & (out[first + 1] < 0xB0)]
    first = first[(out[first + 7] >= 0xB0) & (out[first + 3] == 0)]
    if len(first) == 0:
        return
    high, low = ((out[first + at].astype(np.intp) & 0xF) << 6 | out[first + at + 1] & 0x3F for at in (1, 7))
    for offset in range(9):
        out[first + offset] = 0
    _write(out, first, 0x10000 + (high << 10) + low)

"""Every encoding that is looked for, as something that writes it."""

import base64
import binascii
import bz2
import codecs
import gzip
import lzma
import re
import string
import textwrap
import unicodedata
import zlib
from collections.abc import Callable
from urllib.parse import quote

from interpose_sanitizer.encoded.numerals import MORSE

Encoder = Callable[[str], str]

_58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BRAILLE = dict(zip(string.ascii_lowercase, "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", strict=True)) | {" ": "\u2800"}


def base64_of(data: bytes) -> str:
    """Without line breaks."""
    return base64.b64encode(data).decode()


def dumped(text: str, form: str, written: Callable[[bytes], str]) -> str:
    """Sixteen octets in each of some lines, with their place before them and what they say behind."""
    data = text.encode()
    rows = [(at, data[at : at + 16]) for at in range(0, len(data), 16)]
    said = [re.sub("[^!-~]", ".", row.decode("latin-1")) for _, row in rows]
    lines = (form.format(at, written(row), says) for (at, row), says in zip(rows, said, strict=True))
    return "\n".join(["", *lines, ""])


def in_pairs(data: bytes) -> str:
    """As xxd writes octets."""
    return " ".join(textwrap.wrap(data.hex(), 4))


def swapped(data: bytes) -> bytes:
    """The second of each two octets first."""
    return b"".join(data[at : at + 2][::-1] for at in range(0, len(data), 2))


def wrapped(text: str, between: str) -> str:
    """Base64 in lines of 76 with something between them."""
    return base64.encodebytes(text.encode()).decode().rstrip("\n").replace("\n", between)


def base58(text: str) -> str:
    """The octets as one number."""
    number, digits = int.from_bytes(text.encode()), ""
    while number:
        number, digit = divmod(number, 58)
        digits = _58[digit] + digits
    return digits


def morse(text: str, between: str) -> str:
    """Letters and digits only."""
    return between.join(" ".join(MORSE[sign] for sign in word if sign in MORSE) for word in text.lower().split())


def radio(text: str) -> str:
    """A word for each letter."""
    words = (
        "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec Romeo"
    )
    names = f"{words} Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu".split()
    letters = ([sign for sign in word.lower() if sign.isalpha()] for word in text.split())
    return " / ".join(" ".join(names[ord(letter) - ord("a")] for letter in word) for word in letters)


def german(text: str) -> str:
    """A name for each letter."""
    first = "Anton Berta Cäsar Dora Emil Friedrich Gustav Heinrich Ida Julius Kaufmann Ludwig Martha Nordpol"
    names = (
        f"{first} Otto Paula Quelle Richard Samuel Theodor Ulrich Viktor Wilhelm Xanthippe Ypsilon Zacharias".split()
    )
    letters = ([sign for sign in word.lower() if sign.isalpha()] for word in text.split())
    return " / ".join(" ".join(names[ord(letter) - ord("a")] for letter in word) for word in letters)


def uuencoded(text: str) -> str:
    """A file of one text."""
    data = text.encode()
    lines = (binascii.b2a_uu(data[start : start + 45]).decode() for start in range(0, len(data), 45))
    return "begin 644 note.txt\n" + "".join(lines) + "`\nend\n"


def shifted(text: str, shift: int) -> str:
    """Every letter so many further on in the alphabet."""
    alphabet = string.ascii_lowercase
    moved = alphabet[shift:] + alphabet[:shift]
    return text.translate(str.maketrans(alphabet + alphabet.upper(), moved + moved.upper()))


def mirrored(text: str) -> str:
    """Atbash."""
    alphabet = string.ascii_lowercase
    return text.translate(str.maketrans(alphabet + alphabet.upper(), alphabet[::-1] + alphabet.upper()[::-1]))


def each(form: str, *, octets: bool = False, between: str = "") -> Encoder:
    """An encoder that writes every character, or octet, in a form."""
    return lambda text: between.join(form.format(number) for number in (text.encode() if octets else map(ord, text)))


ANY_SCRIPT: dict[str, Encoder] = {
    "base64": lambda text: base64_of(text.encode()),
    "base64 without padding": lambda text: base64_of(text.encode()).rstrip("="),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "base64 behind a path": lambda text: "/files/x/" + base64_of(text.encode()),
    "base64 in lines": lambda text: wrapped(text, "\n"),
    "base64 in indented lines": lambda text: wrapped(text, "\r\n      "),
    "base64 in a quoted mail": lambda text: wrapped(text, "\n> "),
    "base64 in JSON": lambda text: '{"data": "' + wrapped(text, "\\n") + '"}',
    "base64 in strings": lambda text: '"' + wrapped(text, '"\n  "') + '"',
    "base64 in groups": lambda text: " ".join(textwrap.wrap(base64_of(text.encode()), 8)),
    "base64 of UTF-16": lambda text: base64_of(text.encode("utf-16-le")),
    "base64 of UTF-16, big end first": lambda text: base64_of(text.encode("utf-16-be")),
    "base64 backwards": lambda text: base64_of(text.encode())[::-1],
    "base64 twice": lambda text: base64_of(base64_of(text.encode()).encode()),
    "base64 three times": lambda text: base64_of(base64_of(base64_of(text.encode()).encode()).encode()),
    "base64 of UTF-16 with a mark": lambda text: base64_of(text.encode("utf-16")),
    "base64 of UTF-32": lambda text: base64_of(text.encode("utf-32-le")),
    "base64 of UTF-32, big end first": lambda text: base64_of(text.encode("utf-32-be")),
    "base64 of deflate": lambda text: base64_of(zlib.compress(text.encode(), wbits=-15)),
    "hexadecimal backwards": lambda text: text.encode().hex()[::-1],
    "base32 for sorting": lambda text: base64.b32hexencode(text.encode()).decode(),
    "base64 of gzip": lambda text: base64_of(gzip.compress(text.encode(), mtime=0)),
    "base64 of zlib": lambda text: base64_of(zlib.compress(text.encode())),
    "hexadecimal of gzip": lambda text: gzip.compress(text.encode(), mtime=0).hex(),
    "base64 of bzip2": lambda text: base64_of(bz2.compress(text.encode())),
    "hexadecimal of xz": lambda text: lzma.compress(text.encode(), preset=9).hex(),
    "base32 of gzip": lambda text: base64.b32encode(gzip.compress(text.encode(), mtime=0)).decode(),
    "base85 of zlib": lambda text: base64.b85encode(zlib.compress(text.encode())).decode(),
    "base85 of bzip2": lambda text: base64.b85encode(bz2.compress(text.encode())).decode(),
    "Ascii85 of xz": lambda text: base64.a85encode(lzma.compress(text.encode()), adobe=True).decode(),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "base32 in small letters": lambda text: base64.b32encode(text.encode()).decode().lower(),
    "base58": base58,
    "base85": lambda text: base64.b85encode(text.encode()).decode(),
    "Ascii85": lambda text: base64.a85encode(text.encode(), adobe=True).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "hexadecimal in capitals": lambda text: text.encode().hex().upper(),
    "hexadecimal with spaces": lambda text: text.encode().hex(" "),
    "hexadecimal with colons": lambda text: text.encode().hex(":"),
    "hexadecimal numbers": each("0x{:02x}", octets=True, between=", "),
    "base64 of hexadecimal": lambda text: base64_of(text.encode().hex().encode()),
    "percent signs": quote,
    "percent signs everywhere": each("%{:02x}", octets=True),
    "percent signs twice": lambda text: quote(quote(text)),
    "decimal entities": each("&#{};"),
    "hexadecimal entities": each("&#x{:x};"),
    "long entities without end": each("&#{:07}"),
    "entities with many zeros": each("&#x{:08x};"),
    "escaped entities": each("&amp;#{};"),
    "backslash u behind fifteen more": lambda text: "".join("\\" * 15 + f"\\u{ord(sign):04x}" for sign in text),
    "characters of a style sheet": each("\\{:06x}"),
    "calls of a database": lambda text: ",".join(f"CHAR({ord(sign)})" for sign in text),
    "calls of a spreadsheet": lambda text: "&".join(f"UNICHAR({ord(sign)})" for sign in text),
    "backslash u": lambda text: "".join(f"\\u{ord(sign):04x}" for sign in text),
    "backslash u in JSON in JSON": lambda text: "".join(f"\\\\u{ord(sign):04x}" for sign in text),
    "backslash u in braces": each("\\u{{{:x}}}"),
    "backslash x": each("\\x{:02x}", octets=True),
    "backslash U": each("\\U{:08x}"),
    "a dump of xxd": lambda text: dumped(text, "{:08x}: {}  {}", in_pairs),
    "a dump of hexdump": lambda text: dumped(text, "{:08x}  {:<48}  |{}|", lambda some: some.hex(" ")),
    "a dump of pairs": lambda text: dumped(text, "{:07x} {}", lambda some: in_pairs(swapped(some))),
    "a dump of od": lambda text: dumped(text, "{:07o} {}", lambda some: " ".join(f"{one:03o}" for one in some)),
    "octal escapes": each("\\{:03o}", octets=True),
    "quoted-printable": each("={:02X}", octets=True),
    "a mail header in base64": lambda text: f"=?utf-8?B?{base64_of(text.encode())}?=",
    "a mail header in letters": lambda text: f"=?utf-8?q?{each('={:02X}', octets=True)(text).replace('=20', '_')}?=",
    "uuencode": uuencoded,
    "binary": each("{:08b}", octets=True, between=" "),
    "binary in one row": each("{:08b}", octets=True),
    "decimal code points": each("{}", between=" "),
    "decimal code points with commas": each("{}", between=", "),
    "decimal code points with dots": each("{}", between="."),
    "decimal octets of three digits": each("{:03}", octets=True),
    "calls of a function": lambda text: "+".join(f"chr({ord(sign)})" for sign in text),
    "a list that is joined": lambda text: f'"".join({[text[at : at + 4] for at in range(0, len(text), 4)]})',
    "digits of which each letter was turned": lambda text: f"rot13 {codecs.encode(base64_of(text.encode()), 'rot13')}",
    "binary numbers": each("0b{:08b}", octets=True, between=" "),
    "decimal octets": each("{}", octets=True, between=" "),
    "backwards": lambda text: text[::-1],
}
"""For payloads in any script."""

LATIN_ONLY: dict[str, Encoder] = {
    "named entities": lambda text: "".join(f"&{sign}fr;" if sign.islower() else sign for sign in text),
    "spaces as entities": lambda text: text.replace(" ", "&nbsp;"),
    "one entity": lambda text: text.replace("o", "&#111;", 1).replace("e", "&#x65;", 1),
    "letters in halves": lambda text: "".join(
        f"\\ud835\\u{0xDC1A + ord(sign) - ord('a'):04x}" if sign.islower() else sign for sign in text
    ),
    "strings added up": lambda text: '"' + '" + "'.join(textwrap.wrap(text, 5, drop_whitespace=False)) + '"',
    "strings of SQL": lambda text: "'" + "' || '".join(textwrap.wrap(text, 5, drop_whitespace=False)) + "'",
    "strings of Basic": lambda text: '"' + '" & "'.join(textwrap.wrap(text, 5, drop_whitespace=False)) + '"',
    "a line of PDF": lambda text: "[(" + ") -20 (".join(textwrap.wrap(text, 2, drop_whitespace=False)) + ")] TJ",
    "names of characters": lambda text: "".join(f"\\N{{{unicodedata.name(sign)}}}" for sign in text),
    "German spelling": german,
    "soft line breaks": lambda text: text.replace("e", "e=\n"),
    "octal numbers": each("0o{:o}", between=", "),
    "radio alphabet": radio,
    "radio alphabet with breaks": lambda text: radio(text).replace(" / ", ", break, "),
    "radio alphabet with commas": lambda text: radio(text).replace(" / ", ". ").replace(" ", ", "),
    "words in base64": lambda text: " ".join(base64_of(word.encode()) for word in text.split()),
    "rot47": lambda text: text.translate({number: 33 + (number + 14) % 94 for number in range(33, 127)}),
    "octal code points": each("{:o}", between=" "),
    "binary of seven digits": each("{:07b}", between=" "),
    "Morse": lambda text: morse(text, " / "),
    "Morse with wide gaps": lambda text: morse(text, "   "),
    "Morse in dots and dashes": lambda text: morse(text, " / ").replace(".", "\u00b7").replace("-", "\u2013"),
    "Braille": lambda text: "".join(_BRAILLE.get(sign, "") for sign in text.lower()),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "Atbash": mirrored,
    "words backwards": lambda text: " ".join(word[::-1] for word in text.split(" ")),
    "rot13 in base64": lambda text: base64_of(codecs.encode(text, "rot13").encode()),
    **{f"shifted by {shift}": lambda text, shift=shift: shifted(text, shift) for shift in range(1, 26)},
}
"""For payloads in ASCII."""

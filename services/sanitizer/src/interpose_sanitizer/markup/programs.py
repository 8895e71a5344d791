"""Addresses that are programs, and code that sends what its reader holds to somebody else.

A page is full of code, and to an agent that reads pages it is content. What goes is what no page needs: see ADR-0025.
"""

import re
from base64 import b64decode
from urllib.parse import unquote

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.markup import reaching
from interpose_sanitizer.markup.names import ATTENDED
from interpose_sanitizer.markup.tame import DANGER, Calls, is_tame
from interpose_sanitizer.markup.words import decoded

BEGINS = frozenset("jJvVlLdD&%\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff" + "".join(map(chr, range(33))))
"""How an address that is a program may begin."""
_CODED = re.compile(r"[:&%]")
_BLANKS = re.compile(r"[\x00-\x20\xad\u200b-\u200f\u2060\ufeff]|\\[tnr]")
"""What browsers read over, also as JSON escapes it."""
_START = re.compile(r"(javascript|vbscript|livescript|data):", re.IGNORECASE)
_PAGE = re.compile(r"(text/html|application/xhtml|text/xml|application/xml|image/svg|text/javascript|text/vbscript)")
_ACTIVE = re.compile(r"<script|<iframe|\bon[a-z]{3,20}\s{0,4}=|javascript:|<meta|<form|<foreignobject", re.IGNORECASE)
_ACTIVE_PICTURE = re.compile(r"<script|\bon[a-z]{3,20}\s{0,4}=|javascript:", re.IGNORECASE)

_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/]")


def is_program(address: str, opens_data: bool = True, calls: Calls = Calls.OWN) -> bool:
    """Whether following an address runs a program that a page does not need, however its scheme is written.

    `opens_data` is false where what the address holds is only shown, as an image is; `calls` tells which functions of
    its page an address may call.
    """
    if address[:1] not in BEGINS or not _CODED.search(address, 0, 4_000):
        return False
    begun = _BLANKS.sub("", decoded(address[:4_000]))
    scheme = _START.match(begun)
    if scheme is None and "%" in begun[:80]:
        begun = _BLANKS.sub("", unquote(begun))
        scheme = _START.match(begun)
    if scheme is None:
        return False
    plain = decoded(address[:4_000])
    code = (plain if ":" in plain else unquote(plain)).partition(":")[2]
    if scheme[1].lower() == "data":
        return _is_active_data(begun[scheme.end() :], code, opens_data)
    if scheme[1].lower() != "javascript":
        return True
    return not is_tame(unquote(code).replace("\\", ""), calls)


def _is_active_data(rest: str, whole: str, is_opened: bool) -> bool:
    found, body = _PAGE.match(rest.partition(",")[0].lower()), whole.partition(",")[2]
    if found is None or not body:
        return False
    if found[1] in {"text/html", "text/vbscript", "application/xhtml"}:
        return True
    active = _ACTIVE if is_opened else _ACTIVE_PICTURE
    return found[1] != "text/javascript" and active.search(unquote(_unpacked(rest, body))) is not None


def _unpacked(rest: str, body: str) -> str:
    if ";base64" not in rest.partition(",")[0].lower():
        return body
    packed = _NO_BASE64.sub("", body)
    return b64decode(packed[: len(packed) // 4 * 4]).decode("utf-8", "replace")


_UNPACKS = re.compile(r"\b(?:eval|atob|Function|execScript)\s{0,4}\(")
_STYLED = re2.compile(
    r"(?i)@import[^;]{0,20}(?:javascript|vbscript):|expression\s*\([^;]{0,400}(?:alert|cookie|location|eval|fetch|document\.write)"
    r"|(?:behavior|-moz-binding)\s*:\s*url\(\s*[\"']?(?:https?:|//|javascript:|data:)"
)


def runs_in_style(css: str) -> bool:
    """Whether a style runs a program, as old browsers let it."""
    return _STYLED.search(css) is not None


def is_armed(handler: str, code: str) -> bool:
    """Whether what an `on…` attribute holds attacks: by itself, without anybody's doing, or by sending things away."""
    plain = decoded(code)
    if reaching.sends_away(plain) or reaching.sends_form(plain) or _UNPACKS.search(plain):
        return True
    return handler not in ATTENDED and (DANGER.search(plain) is not None or reaching.moves_away(plain))

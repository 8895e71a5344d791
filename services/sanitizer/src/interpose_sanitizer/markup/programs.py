"""Addresses that are programs, and code that sends what its reader holds to somebody else.

A page is full of code, and to an agent that reads pages it is content. What goes is what no page needs: see ADR-0025.
"""

import re
from base64 import b64decode
from urllib.parse import unquote

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.markup.names import ATTENDED
from interpose_sanitizer.markup.words import decoded

BEGINS = frozenset("jJvVlLdD&%\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff" + "".join(map(chr, range(33))))
"""How an address that is a program may begin."""
_CODED = re.compile(r"[:&%]")
_BLANKS = re.compile(r"[\x00-\x20\xad\u200b-\u200f\u2060\ufeff]")
_START = re.compile(r"(javascript|vbscript|livescript|data):", re.IGNORECASE)
_NO_OP = re.compile(
    r"(?:void|false|true|null|undefined|history\.|window\.(?:print|close|history)|print\(|self\.close|//|#)"
)
_CALL = re2.compile(
    r"(?:return )?[\w$.]+\((?:[\w$.\s,#/:?&=-]|'[^'<>]*'|\"[^\"<>]*\")*\)(?:;?(?:return (?:false|true))?;?)?"
)
_DANGER = re2.compile(
    r"\b(?:alert|confirm|prompt|eval|fetch|Function|setTimeout|setInterval|import|atob|unescape|fromCharCode|"
    r"sendBeacon|XMLHttpRequest|execScript|require)\b|document\.(?:cookie|write|domain)|localStorage|sessionStorage|"
    r"innerHTML|\.cookie"
)
_PAGE = re.compile(r"(text/html|application/xhtml|text/xml|application/xml|image/svg|text/javascript|text/vbscript)")
_ACTIVE = re.compile(r"<script|<iframe|\bon[a-z]{3,20}\s{0,4}=|javascript:|<meta|<form|<foreignobject", re.IGNORECASE)

_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/]")
_AWAY = r"(?:https?:)?//[^\s'\"`]{3,}"
_HOLDS = (
    r"(?:document\s*\.\s*cookie|document\s*\[\s*.cookie|localStorage|sessionStorage|indexedDB|navigator\.credentials)"
)
_SENDS = (
    rf"(?:{_AWAY}[^;\n]{{0,200}}{_HOLDS}|{_HOLDS}[^;\n]{{0,120}}{_AWAY}|"
    rf"(?:fetch|sendBeacon|open|post|ajax|get)\s*\([^;]{{0,120}}{_AWAY}[^;]{{0,400}}"
    rf"(?:{_HOLDS}|document\.(?:body|documentElement)\.(?:inner|outer)|password))"
)
_TURNS = (
    r"\b(?:top|parent|opener)\s*\.\s*location(?:\.href)?\s*=\s*['\"`](?:https?:)?//|"
    r"postMessage\s*\([^;]{0,80}document\s*\.\s*cookie"
)
_PACKED = (
    r"\b(?:eval|Function|setTimeout|execScript)\s*\(\s*(?:window\.)?"
    r"(?:atob|unescape|decodeURIComponent|String\.fromCharCode)"
)
_AWAY_OR_PACKED = re2.compile(f"(?i){_SENDS}|{_TURNS}|{_PACKED}")


def is_program(address: str, opens_data: bool = True, may_call: bool = True) -> bool:
    """Whether following an address runs a program that a page does not need, however its scheme is written.

    `opens_data` is false where what the address holds is only shown, as an image is; `may_call` where nobody's click
    calls a function of the page.
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
        return opens_data and _is_active_data(begun[scheme.end() :], code)
    if scheme[1].lower() != "javascript":
        return True
    return not _is_tame(unquote(code).replace("\\", ""), may_call)


def _is_active_data(rest: str, whole: str) -> bool:
    found, body = _PAGE.match(rest.partition(",")[0].lower()), whole.partition(",")[2]
    if found is None or not body:
        return False
    if found[1] in {"text/html", "text/vbscript", "application/xhtml"}:
        return True
    return found[1] != "text/javascript" and _ACTIVE.search(unquote(_unpacked(rest, body))) is not None


def _unpacked(rest: str, body: str) -> str:
    if ";base64" not in rest.partition(",")[0].lower():
        return body
    packed = _NO_BASE64.sub("", body)
    return b64decode(packed[: len(packed) // 4 * 4]).decode("utf-8", "replace")


def _is_tame(code: str, may_call: bool) -> bool:
    """Nothing at all, or one call of a function of the page's own."""
    plain = code.strip().strip(";").strip()
    if _DANGER.search(plain):
        return False
    if not plain or _NO_OP.match(plain):
        return True
    return may_call and (plain.isidentifier() or _CALL.fullmatch(plain + ";") is not None)


def sends_away(code: str) -> bool:
    """Whether code gives cookies, storage or the page itself to another host, or unpacks what it runs."""
    return _AWAY_OR_PACKED.search(code) is not None


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
    return sends_away(plain) or (handler not in ATTENDED and _DANGER.search(plain) is not None)

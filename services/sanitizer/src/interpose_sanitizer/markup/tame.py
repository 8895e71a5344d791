"""What `javascript:` addresses of honest pages do: nothing, a step back, or one call of a function of their own.

Texts made of pages keep such addresses in Markdown, where nobody can call what the page defined: only calls that show
or move something are taken for those of a page there.
"""

import re
from enum import IntEnum

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.markup.addresses import HOST, is_listed


class Calls(IntEnum):
    """Which functions an address may call."""

    NONE = 0
    MOVING = 1
    """Such as show, open or turn a page."""
    OWN = 2
    """Any of its page, but for those whose name says what they are up to."""


_NOTHING = (
    r"(?:return\s+)?(?:void\b\s*\(?\s*(?:[0-9]|null|''|\"\")?\s*\)?|true|false|null|undefined|[0-9]|''|\"\"|#)"
    r"|(?:(?:window|self|parent|top|document)\.)?(?:history\.(?:back|forward|go)\(\s*-?[0-9]{0,2}\s*\)"
    r"|print\(\)|close\(\)|location\.reload\((?:true|false)?\)|scroll(?:To)?\([0-9,\s]*\))"
)
_CALL = (
    r"(?:return )?[\w$.]+\((?:[\w$.\s,#/:-]|'[^'<>]*'|\"[^\"<>]*\")*\)"
    r"|void\s*\(\s*[\w$.]+\((?:[\w$.\s,#/:-]|'[^'<>]*'|\"[^\"<>]*\")*\)\s*\)"
)
_TAME = re2.compile(
    rf"(?i)\s*//[^\n]*|\s*(?:(?:{_NOTHING})\s*;\s*)*(?:{_NOTHING}|(?P<call>{_CALL}|[\w$]+))?(?:\s*;\s*(?:{_NOTHING})?)*\s*"
)
DANGER = re2.compile(
    r"\b(?:alert|confirm|prompt|eval|fetch|Function|setTimeout|setInterval|import|atob|unescape|fromCharCode|"
    r"sendBeacon|XMLHttpRequest|execScript|require|postMessage)\b|document\.(?:cookie|write|domain)|localStorage"
    r"|sessionStorage|innerHTML|\.cookie"
)
"""What neither an address has to do nor what happens by itself."""
_TELLING = re2.compile(
    r"(?i)steal|exfil|leak|hack|pwn|phish|inject|malware|payload|keylog|sniff|(?:\b|[._$])(?:agent|assistant)\.|harvest|wipe|drain"
    r"|approve(?:all|pay|transfer)|transfer(?:all|funds|money|to)|send(?:all|to)\b|submitto|submitpay|makepay|exec\b"
)
_MOVING = re2.compile(
    r"(?i)^(?:return |void\s*\(\s*)?[\w$.]*?(?:\b|[._$])(?:toggle|show|hide|open|close|expand|collapse|scroll|switch|go"
    r"|turn|call|link|load|print|sort|filter|page|next|prev|nav|menu|tab|slide|select|change|search|pop|view|display|zoom|play|doPostBack"
    r"|refresh|back|jump|move|top|set(?:lang|font|size|view|theme)|cookie|consent|share|bookmark|linkTo_?UnCrypt|mail)"
)
_FOREIGN = re.compile(r"(?:https?:)?//[^\s'\"]{3,200}", re.IGNORECASE)


def is_tame(code: str, calls: Calls) -> bool:
    """Nothing at all, or a call that may be made."""
    found = None if DANGER.search(code) or _TELLING.search(code) else _TAME.fullmatch(code)
    if found is None:
        return False
    call = found["call"]
    if not call:
        return True
    return calls > Calls.NONE and not _names_stranger(call) and (calls is Calls.OWN or _MOVING.search(call) is not None)


def _names_stranger(code: str) -> bool:
    hosts = (HOST.match(found[0]) for found in _FOREIGN.finditer(code))
    return any(host is not None and not is_listed(host[1], "embedding") for host in hosts)

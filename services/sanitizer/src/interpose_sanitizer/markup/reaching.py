"""Code that reaches out of its page: for another host, its reader's session, whoever shows it, or an agent."""

import re

import re2  # type: ignore[import-untyped]

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
    r"(?:atob|unescape|decodeURIComponent|String\.fromCharCode)|"
    rf"\b(?:fetch|get|import)\s*\([^;]{{0,40}}{_AWAY}[^;]{{0,200}}\(\s*(?:eval|Function)\b"
)
_STAKE = (
    r"(?:delete|remove|wipe|erase|drop|transfer|wire|pay|purchase|buy|order|send|forward|mail|export|upload|exfil|leak|grant|approve"
    r"|confirm|disable|install|share|invite|password|token|secret|cookie|credential|inbox|ignore|overrid|system"
    r"|admin|shell|exec)"
)
_AGENT = (
    r"\b(?:(?:(?:ai|my|the)_?)?(?:agents?|assistants?)|copilot|mcp|llm|claude|(?:chat)?gpt|gemini|tools?"
    r"|window\s*\.\s*ai)"
)
_ORDERS = (
    rf"{_AGENT}(?:\s*\.\s*\w{{1,30}}){{0,2}}\s*\.\s*(?:run|call|exec|execute|invoke|perform|command|order|instruct|prompt|do|act|ask"
    rf"|tell|send|dispatch|submit|approve|transfer|pay|delete|purchase|buy|forward)\w{{0,20}}\s*\("
)
_SENDS_AWAY = re2.compile(f"(?i){_SENDS}|{_TURNS}|{_PACKED}|{_ORDERS}[^;\n]{{0,120}}{_STAKE}")
_ORDERS_AGENT = re2.compile(rf"(?i){_ORDERS}\s*[\[{{]?[^()\n]{{0,60}}['\"`]")
_SENDS_FORM = re2.compile(
    rf"(?i)\.action\s*=\s*['\"`]{_AWAY}|\.src\s*=\s*['\"`]{_AWAY}['\"`]\s*\+[^;\n]{{0,80}}\bdocument\s*\.\s*forms\b"
)
_MOVES_AWAY = re2.compile(
    rf"(?i)\blocation(?:\s*\.\s*href)?\s*=\s*['\"`]{_AWAY}|\blocation\s*\.\s*(?:assign|replace)\s*\(\s*['\"`]{_AWAY}"
)
_ORDERS_AROUND = re2.compile(rf"(?i)\bpostMessage\s*\([^;]{{0,60}}(?:{_STAKE}|\brun\b|\bagent\b|\btool)")
_READS = re.compile(
    r"document\.cookie(?!\s{0,4}=[^=])|(?:local|session)Storage(?!\s{0,4}\.\s{0,4}(?:setItem|removeItem|clear))"
    r"|\b(?:eval|Function|atob|sendBeacon|postMessage|fetch)\s{0,4}\(|\bXMLHttpRequest\b|\bnew\s{1,4}Image\b"
)
_OUT_OF_FRAME = re.compile(
    r"\b(?:parent|top|opener)\s{0,4}[.\[]|\b(?:alert|prompt|confirm)\s{0,4}\(|\blocation(?:\.href)?\s{0,4}=",
    re.IGNORECASE,
)


def sends_away(code: str) -> bool:
    """Whether code gives cookies, storage or the page itself away, unpacks what it runs, or has an agent act."""
    return _SENDS_AWAY.search(code) is not None


def sends_form(code: str) -> bool:
    """Whether code has a form, or what its fields hold, sent to another host."""
    return _SENDS_FORM.search(code) is not None


def moves_away(code: str) -> bool:
    """Whether code takes its reader to another host."""
    return _MOVES_AWAY.search(code) is not None


def orders_around(code: str) -> bool:
    """Whether code in a frame tells the page around it to do something."""
    return _ORDERS_AROUND.search(code) is not None


def orders_agent(code: str) -> bool:
    """Whether code calls an agent or a tool and tells it something."""
    return _ORDERS_AGENT.search(code) is not None


def reads(code: str) -> bool:
    """Whether code reads what belongs to its reader, or speaks to somebody: whoever only sets a cookie does not."""
    return _READS.search(code) is not None


def leaves_frame(code: str) -> bool:
    """Whether code in a frame turns to the page around it."""
    return _OUT_OF_FRAME.search(code) is not None or reads(code)

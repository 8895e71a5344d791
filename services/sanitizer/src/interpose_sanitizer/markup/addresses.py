"""Whether an address carries something away: a place for a model to fill in, or what does not belong to its host.

Images and whatever else is fetched without a click are judged strictly; links by what only an attack would say. What
counts is told in docs/sanitizer.md; the words are data (`addresses.toml`).
"""

import binascii
import re
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files

from interpose_sanitizer.markup.giveaways import asks_for_words
from interpose_sanitizer.markup.words import MOST_DECODED, plain_address


class Fetch(StrEnum):
    """When an address is asked for."""

    AT_ONCE = "image"
    """It is shown, or fetched ahead: whoever reads the text has asked already."""
    ON_CLICK = "link"


_PLACE = re.compile(
    r"\{{1,3}[ #]{0,2}([^{}\n\":;,]{1,120})\}|\[([A-Za-z][^\[\]\n=]{1,120})\]|<([A-Za-z][^<>\n=]{1,120})>"
    r"|%(s)(?:[&#/.]|$)|\$([A-Z][A-Z_]{2,40})|__([A-Z][A-Z_]{2,40})__"
    r"|([A-Z][A-Z_\-]{2,60}_HERE)"
    r"|<%[=-]?\s?([^%<>\n]{1,80})%>|@@([A-Za-z][\w -]{1,40})@@|%([A-Z][A-Z_]{2,40})%"
    r"|\(\(([^()\n]{2,60})\)\)|=:([a-z_]{3,40})\b"
    r"|\b(?:base64|b64|btoa|hex|(?:url|uri|b64|base64)?_?encode\w{0,16})\(([^()\n]{1,80})\)|=([A-Z]{1,40}(?:_[A-Z]{1,40}){1,6})(?=[&#]|\Z)"
    r"|((?:INSERT|PUT|PASTE|APPEND|REPLACE|FILL)[_\- +][A-Za-z_\- +]{2,80})|(YOUR[_\- +][A-Z_\- +]{2,60})"
)
_WORD = re.compile(r"[A-Z]?[a-z]{1,40}[0-9]{0,2}|[A-Z]{1,40}[0-9]{0,2}")
_PROSE = re.compile(r"(?:[^\W\d_]{2,20}[ ,.+_]{1,3}){4}[^\W\d_]{2}")
_OPAQUE = re.compile(r"[A-Za-z0-9+/_=-]{32}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){12,2000}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,4000}")
_SECRET = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{20}|gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9_]{30}|xox[abpr]-[0-9]{8}"
    r"|AKIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35})|-----BEGIN [A-Z ]{0,20}PRIVATE|(?:passwd|password|api[_-]?key)[=:]\S{4}"
    r"|\bpw=(?![0-9.]{1,6}(?:&|\Z))[^\s&]{4}"
)
_MAY_CARRY = re.compile(r"[{\[<?#$@]|__|%(?:s|[2357][0-9a-fA-F])|&(?:lt|#)|INSERT|YOUR|PASTE")
_TAME = re.compile(
    r"[hH/][\w.:/~,;@+-]{3,2000}\?(?:(?:amp;)?(?:w|h|width|height|size|q|quality|v|ver|version|fit|crop|dpr|format|fm|auto|ts?|page"
    r"|sort|lang|ref|utm_[a-z]{3,10})=(?:[0-9.,:x-]{0,20}|[a-z]{2,12})(?:&|$)){1,12}"
)
"""What most addresses of pages are: numbers and words for parameters that hold nothing else."""
HOST = re.compile(r"(?:https?:)?(?:\\/\\/|[/\\]{2})([^/?#\s\\]{1,253})", re.IGNORECASE)
"""Strings of JSON may have a backslash before each slash."""


def carries_away(address: str, fetch: Fetch) -> str | None:
    """The id of the rule by which an address carries something away; None where it does not, or stays with its host."""
    if not _MAY_CARRY.search(address, 0, MOST_DECODED) or _TAME.fullmatch(address):
        return None
    plain = plain_address(address.strip())
    host = HOST.match(plain)
    if host is None or is_listed(host[1], "drawing"):
        return None
    rest = plain[host.end() :]
    if _asks_to_fill(host[1] + rest, rest, fetch) or asks_for_words(rest, fetch is Fetch.AT_ONCE):
        return f"{fetch.value}-placeholder"
    return _carried(rest, address) if fetch is Fetch.AT_ONCE else _given_away(rest)


def is_listed(host: str, of: str) -> bool:
    """Whether a host, or the domain that it is part of, stands in a list of hosts: `drawing`, `embedding`."""
    name = host.rpartition("@")[2].partition(":")[0].lower()
    parts = name.split(".", maxsplit=20)
    return any(".".join(parts[place:]) in _known()[of] for place in range(len(parts)))


def _asks_to_fill(whole: str, rest: str, fetch: Fetch) -> bool:
    """Whether there is a place for a model to fill in, named after something of its user's."""
    words = _known()
    start = len(whole) - len(rest)
    host = start
    query = start + min((at for mark in "?#" if (at := rest.find(mark)) >= 0), default=len(rest))
    for found in _PLACE.finditer(whole):
        if (
            found.start()
            and whole[found.start() - 1] in "\\^_"
            and fetch is Fetch.AT_ONCE
            and whole[query:].count("\\")
        ):
            continue  # a formula to be drawn
        named = next(one for one in found.groups() if one)
        if _is_telling(named, words["link"]):
            return True
        if found.start() < host and not words["image"].isdisjoint(_words(named)):
            return True
        if fetch is Fetch.AT_ONCE:
            known = words["image"] | words["query"] if found.start() > query or found.start() < host else words["image"]
            if not known.isdisjoint(_words(_last(named))) or (
                _is_private(named) and not is_listed(whole[:host], "embedding")
            ):
                return True
            if found.start() > query and not words["query"].isdisjoint(_words(_parameter(whole, found.start()))):
                return True
    return False


def _is_telling(named: str, known: frozenset[str]) -> bool:
    words = _words(named)
    if not known.isdisjoint(words):
        return True
    if any(word in _firsts() and not _firsts()[word].isdisjoint(words) for word in words):
        return True
    if " " in named.strip() and not _known()["person"].isdisjoint(words):
        return True
    return len(words) > 3 and not (_known()["image"] | _known()["query"]).isdisjoint(words) and " " in named.strip()


def _is_private(named: str) -> bool:
    said = " ".join(_words(named))
    return any(words in said for words in _known()["private"])


def _last(named: str) -> str:
    """What an expression such as `post.image | safe` stands for."""
    return named.partition("|")[0].rpartition(".")[2]


def _words(named: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(named)]


def _parameter(whole: str, place: int) -> str:
    """The name of the parameter whose value stands at `place`."""
    before = whole[max(place - 80, 0) : place]
    name, equals, value = before.rpartition("=")
    return re.split(r"[?&#;/]", name)[-1] if equals and not set(value) & set("&?#;/") else ""


def _carried(rest: str, address: str) -> str | None:
    """What the query of an image holds that an image does not need."""
    known, parameters = _known(), list(_parameters(rest))
    for number, (name, value) in enumerate(parameters):
        words = _words(name)
        is_telling = not (known["image"] | known["query"]).isdisjoint(words)
        if (
            is_telling
            and value.strip(".\u2026xX") == ""
            and number == len(parameters) - 1
            and name.lower() not in known["empty"]
        ):
            return "image-unfilled"
        if is_telling and name.lower() not in known["captions"] and _PROSE.search(value):
            return "image-prose"
        if name.lower() in known["payload"] and _OPAQUE.match(value) and "://" not in value and value.count(".") != 2:
            return "image-payload"
        if (inner := _unpacked(value)) and (_PROSE.search(inner) or _SECRET.search(inner)):
            return "image-payload"
    return _given_away(rest)


def _parameters(rest: str) -> Iterator[tuple[str, str]]:
    at = min((found for mark in "?#" if (found := rest.find(mark)) >= 0), default=-1)
    if at >= 0:
        for part in re.split(r"[&;?#]", rest[at + 1 :], maxsplit=40)[:40]:
            name, equals, value = part.partition("=")
            yield (name, value.strip()) if equals else ("", name)


def _given_away(rest: str) -> str | None:
    """A secret in plain sight; signed addresses name their key and give nothing away."""
    found = _SECRET.search(rest)
    signed = ("AWSAccessKeyId", "X-Amz-Credential", "GoogleAccessId", "key=AIza")
    return "secret-in-address" if found and not any(one in rest for one in signed) else None


def _unpacked(value: str) -> str:
    """What base64 or hexadecimal says in letters; nothing where it says nothing."""
    try:
        if _HEX.fullmatch(value):
            return bytes.fromhex(value).decode()
        if _BASE64.fullmatch(value.rstrip("=")):
            packed = value.rstrip("=").replace("-", "+").replace("_", "/").encode()
            return b64decode(packed + b"=" * (-len(packed) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""  # no letters
    return ""


@cache
def _known() -> dict[str, frozenset[str]]:
    lists = tomllib.loads((files(__package__) / "addresses.toml").read_text("utf-8"))
    return {name: frozenset(words) for name, words in lists.items()}


@cache
def _firsts() -> dict[str, frozenset[str]]:
    """Of words that tell something together: what the second may be, by the first."""
    pairs = [pair.split() for pair in _known()["pairs"]]
    return {first: frozenset(second for one, second in pairs if one == first) for first, _ in pairs}

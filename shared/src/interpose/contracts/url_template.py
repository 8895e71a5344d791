"""The URL of an HTTP tool: fixed by the operator, filled from parameters that can never lead it anywhere else.

`https://api.example.com/items/{id}?as={format}` has its host in the file; each value is percent-encoded in its place.
`{url}` alone is the one other form: that parameter is the whole URL, so the call says whom it goes to.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote

from interpose.contracts.url import Origin, Url, parse_url

_HOLE = re.compile(r"\{([A-Za-z0-9_.-]{1,64})\}")
_DOTS = frozenset({".", ".."})
_SLASH = re.compile(r"[/\\]")


@dataclass(frozen=True, slots=True)
class UrlTemplate:
    """Either `whole`, the parameter that is the URL, or an origin with a path and a query to fill."""

    whole: str | None
    origin: Origin | None
    path: str = ""
    query: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ValueError with the remedy."""
        if alone := _HOLE.fullmatch(text):
            return cls(alone[1], None)
        head, slashes, rest = text.partition("://")
        authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
        if not slashes or _HOLE.search(head + authority):
            raise ValueError("a URL begins with a fixed http(s)://host, or is one {parameter} that is the whole URL")
        if "#" in rest:
            raise ValueError("a URL is sent without its fragment: take out what begins with #")
        if re.search(r"[{}]", _HOLE.sub("", text)):
            raise ValueError("a brace must enclose a parameter's name, as in {id}; percent-encode any other")
        url = parse_url(_HOLE.sub("x", text))
        path, _, query = rest[len(authority) :].partition("?")
        if _DOTS & set(path.split("/")):
            raise ValueError("a URL's path has no . or .. in it")
        return cls(None, url.origin, path or "/", query)

    @property
    def names(self) -> frozenset[str]:
        """The parameters that stand in it."""
        return frozenset({self.whole} if self.whole else _HOLE.findall(self.path + self.query))

    def fill(self, parameters: Mapping[str, Any]) -> Url:
        """The URL of one call. Raises ValueError naming the parameter that does not fit."""
        if self.origin is None:
            url = parameters.get(self.whole or "")
            if not isinstance(url, str):
                raise ValueError(f"parameter {self.whole} must be the URL, as text")
            return parse_url(url)
        path = "/".join(_fill_segment(segment, parameters) for segment in self.path.split("/"))
        query = _HOLE.sub(lambda hole: quote(scalar(hole[1], parameters), safe=""), self.query)
        return parse_url(f"{self.origin}{path}{'?' if query else ''}{query}")


def scalar(name: str, parameters: Mapping[str, Any]) -> str:
    """A parameter as it stands in a URL or a form. Raises ValueError for one that is missing or has parts."""
    return as_text(name, parameters.get(name))


def as_text(name: str, value: Any) -> str:
    """A text, a number or a truth value as text. Raises ValueError for anything else, naming it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str() | int() | float():
            return str(value)
        case None:
            raise ValueError(f"parameter {name} is missing")
        case _:
            raise ValueError(f"parameter {name} must be text, a number, true or false")


def _fill_segment(segment: str, parameters: Mapping[str, Any]) -> str:
    """Servers differ in whether `%2F` parts segments and when dots are resolved, so no reading may lead elsewhere."""
    names = _HOLE.findall(segment)
    if not names:
        return segment
    plain = _HOLE.sub(lambda hole: _present(hole[1], parameters), segment)
    if _DOTS & set(_SLASH.split(plain)):
        raise ValueError(f"parameter {names[0]} would lead to another path")
    return _HOLE.sub(lambda hole: quote(scalar(hole[1], parameters), safe=""), segment)


def _present(name: str, parameters: Mapping[str, Any]) -> str:
    value = scalar(name, parameters)
    if not value:
        raise ValueError(f"parameter {name} is empty, and would lead to another path")
    return value

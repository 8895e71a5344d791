"""A call as one HTTP request. Values of headers come from the file and the gateway's environment, never from a call."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from interpose.canonical.pointer import resolve
from interpose.contracts import digest
from interpose.contracts.http_tool import VARIABLE, HttpTool
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.contracts.run import Run
from interpose.contracts.url import Url, parse_url
from interpose.contracts.url_template import UrlTemplate, as_text
from interpose.telemetry import spans

_SENDABLE = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
_TYPES = {"json": "application/json; charset=utf-8", "form": "application/x-www-form-urlencoded"}


class NotSendable(Exception):
    """The call cannot become a request: says why, without any value of a parameter or a variable."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `secrets` are the values of variables that stand in its headers, by name."""

    method: str
    url: Url
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = b""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)


def build(run: Run, http: HttpTool, environment: Mapping[str, str]) -> Request:
    """The request that this call becomes. Raises NotSendable."""
    if http.url is None:
        raise NotSendable("its configuration says no url and none ships for it: say one")
    if http.actions is not None and fold(run.action or "") not in {fold(action) for action in http.actions}:
        raise NotSendable(f"it does {', '.join(http.actions)} only: see actions in its configuration")
    template = UrlTemplate.parse(http.url)
    secrets = _secrets(http, environment)
    try:
        url = _with_query(template.fill(run.parameters), http.query, run.parameters)
        body = _body(http, template, run.parameters)
    except ValueError as error:
        raise NotSendable(str(error)) from error
    return Request(http.method, url, _headers(http, secrets), body, secrets)


def _secrets(http: HttpTool, environment: Mapping[str, str]) -> dict[str, str]:
    names = {name for value in http.headers.values() for name in VARIABLE.findall(value)}
    for name in sorted(names):
        if not _SENDABLE.fullmatch(environment.get(name, "")):
            raise NotSendable(
                f"the gateway's environment has no {name} that a header can hold: set it and restart the gateway"
            )
    return {name: environment[name] for name in names}


def _headers(http: HttpTool, secrets: Mapping[str, str]) -> dict[str, str]:
    own = {name.lower(): VARIABLE.sub(lambda found: secrets[found[1]], value) for name, value in http.headers.items()}
    if http.body in _TYPES:
        own["content-type"] = _TYPES[http.body]
    return spans.inject(own) if http.propagate_trace else own


def _with_query(url: Url, names: list[str], parameters: JsonObject) -> Url:
    pairs = [pair for name in names if parameters.get(name) is not None for pair in _pairs(name, parameters[name])]
    if not pairs:
        return url
    return parse_url(f"{url}{'&' if '?' in url.target else '?'}{urlencode(pairs)}")


def _body(http: HttpTool, template: UrlTemplate, parameters: JsonObject) -> bytes:
    match http.body:
        case "none":
            return b""
        case "json":
            return digest.encode(_fields(http, template, parameters))
        case "form":
            fields = _fields(http, template, parameters)
            return urlencode([pair for name, value in fields.items() for pair in _pairs(name, value)]).encode()


def _fields(http: HttpTool, template: UrlTemplate, parameters: JsonObject) -> JsonObject:
    if http.body_fields is None:
        elsewhere = template.names | set(http.query)
        return {name: value for name, value in parameters.items() if name not in elsewhere}
    found = {name: resolve(parameters, pointer) for name, pointer in http.body_fields.items()}
    return {name: value for name, value in found.items() if value is not None}


def _pairs(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """A list stands there once for each of its values."""
    for each in value if isinstance(value, list) else [value]:
        yield name, as_text(name, each)

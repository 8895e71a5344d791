"""An HTTP upstream as a tool, as the file says it: which request a call becomes, and which answer is a success."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, ValidationInfo, field_validator

from interpose.contracts.limits import RESPONSE_BYTES
from interpose.contracts.model import Closed, Pointer
from interpose.contracts.url import normal_host
from interpose.contracts.url_template import UrlTemplate

MAX_CONNECT_MS = 60_000
MAX_REDIRECTS = 5

Source = Annotated[
    str, StringConstraints(pattern=r"^(status|url|contentType|body(/([^~/]|~[01])*)*|header:[A-Za-z0-9-]+)$")
]
"""A part of an answer: `body/a/b` is a JSON pointer into it, `header:etag` one header."""

VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A value from the gateway's environment in a header."""

_OURS = frozenset(
    [
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "keep-alive",
        "proxy-connection",
        "te",
        "traceparent",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ]
)
_PLACE = re.compile(r"(?P<star>\*\.)?(?P<host>\[[^\]]*\]|[^:]*)(:(?P<port>[0-9]{1,5}))?")


def _template(text: str) -> str:
    UrlTemplate.parse(text)
    return text


def _header_name(name: str) -> str:
    if name.lower() in _OURS:
        raise ValueError(f"the gateway itself writes {name}: take it out")
    return name


def _header_value(value: str) -> str:
    if "${" in VARIABLE.sub("", value):
        raise ValueError("${ begins the name of a variable, as in ${API_KEY}: close it with }")
    for name in VARIABLE.findall(value):
        if name.upper().startswith("INTERPOSE_"):
            raise ValueError(f"{name} is a setting of Interpose itself and is not handed on: use another variable")
    return value


def _allowed(place: str) -> str:
    split_place(place)
    return place


def split_place(place: str) -> tuple[str, int | None]:
    """A host, or a dot and a suffix, and the port if one is named. Raises ValueError."""
    found = _PLACE.fullmatch(place)
    if found is None or (found["port"] is not None and not 1 <= int(found["port"]) <= 65535):
        raise ValueError("a place is a host, host:port, [IPv6]:port or *.suffix")
    port = None if found["port"] is None else int(found["port"])
    host = normal_host(found["host"].removeprefix("[").removesuffix("]"))
    return (f".{host}" if found["star"] else host), port


Template = Annotated[str, AfterValidator(_template)]
HeaderName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$"), AfterValidator(_header_name)
]
HeaderValue = Annotated[
    str, StringConstraints(pattern=r"^[\x21-\x7e]+( +[\x21-\x7e]+)*$", max_length=8192), AfterValidator(_header_value)
]
AllowedPlace = Annotated[str, AfterValidator(_allowed)]
Statuses = Annotated[str, StringConstraints(pattern=r"^[2-5]xx$|^[2-5][0-9]{2}$")]
MediaType = Annotated[str, StringConstraints(pattern=r"^[a-z0-9.+-]+/(\*|[a-z0-9.+-]+)$")]


class HttpAnswer(Closed):
    """How the upstream's answer becomes the tool's response."""

    success: list[Statuses] = Field(
        default=["2xx"], min_length=1, description="The statuses that are a success. Any other is an error of the tool."
    )
    ok_pointer: Pointer | None = Field(
        default=None,
        alias="okPointer",
        description="A JSON pointer into the body where `true` must stand, for an API that answers 200 and"
        ' `{"ok": false}`.',
    )
    body: Literal["auto", "json", "text", "none"] = Field(
        default="auto", description="How the body is read. `auto`: JSON where its type says so, else text."
    )
    content_types: list[MediaType] | None = Field(
        default=None,
        alias="contentTypes",
        description="The types that are read, as in `text/*`. Left out: everything that is text, JSON or XML.",
    )
    max_bytes: int = Field(
        default=RESPONSE_BYTES,
        alias="maxBytes",
        ge=1,
        le=RESPONSE_BYTES,
        description="The most bytes of a body that are read. One with more is an error, and the rest is not read.",
    )
    fields: dict[str, Source] | None = Field(
        default=None,
        min_length=1,
        description="The response, field by field: `status`, `url` (after redirects), `contentType`, `header:NAME`,"
        " `body`, or `body/…` with a JSON pointer into it. Left out: the body is the response.",
    )

    # Rules over two fields stand at the later one, so that they are told beside whatever else is wrong.
    @field_validator("body")
    @classmethod
    def _can_be_asked(cls, body: str, info: ValidationInfo) -> str:
        if body in ("text", "none") and info.data.get("ok_pointer") is not None:
            raise ValueError(f"okPointer asks for JSON, and a body that is {body} has none: say json, or auto")
        return body

    @field_validator("fields")
    @classmethod
    def _can_be_pointed_into(cls, fields: dict[str, str] | None, info: ValidationInfo) -> dict[str, str] | None:
        pointing = [source for source in (fields or {}).values() if source.startswith("body/")]
        if pointing and info.data.get("body") in ("text", "none"):
            raise ValueError(f"{pointing[0]} points into JSON: say body json, or auto")
        return fields


class HttpTool(Closed):
    """An HTTP upstream. A parameter can never change its host, unless `url` is one parameter that is the whole URL."""

    url: Template | None = Field(
        default=None,
        description="Where the request goes. `{name}` in the path or the query is filled with that parameter,"
        " percent-encoded; `{url}` alone is the whole URL. Left out: everything is as shipped for this tool.",
    )
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = Field(
        default="GET", description="The method of the request."
    )
    actions: list[str] | None = Field(
        default=None,
        min_length=1,
        description="The actions that this upstream does. A call of another, or of none, is not started.",
    )
    headers: dict[HeaderName, HeaderValue] = Field(
        default_factory=dict,
        description="Headers of the request. `${NAME}` is that variable of the gateway's environment.",
    )
    query: list[str] = Field(
        default_factory=list, description="Parameters that are sent in the query under their own names, if present."
    )
    body: Literal["none", "json", "form"] = Field(
        default="none",
        description="What the request's body is: nothing, JSON, or a form. By default of all parameters that stand"
        " neither in `url` nor in `query`.",
    )
    body_fields: dict[str, Pointer] | None = Field(
        default=None,
        alias="bodyFields",
        description="The body, field by field, each a JSON pointer (RFC 6901) into the parameters; what is not there"
        " is left out.",
    )
    response: HttpAnswer = Field(default_factory=HttpAnswer, description="How the answer becomes the tool's response.")
    redirects: int = Field(
        default=MAX_REDIRECTS,
        ge=0,
        le=MAX_REDIRECTS,
        description="How many redirects of a GET or HEAD are followed. Those of other methods never are.",
    )
    allow_hosts: list[AllowedPlace] = Field(
        default_factory=list,
        alias="allowHosts",
        description="Hosts that a call or a redirect may lead to although their addresses are private: `host`,"
        " `host:port` or `*.suffix`. All others must have public addresses.",
    )
    connect_timeout: int = Field(
        default=5_000,
        alias="connectTimeout",
        ge=1,
        le=MAX_CONNECT_MS,
        description="How long, in ms, resolving and connecting may take, within the tool's own `timeout`.",
    )
    propagate_trace: bool = Field(
        default=False,
        alias="propagateTrace",
        description="Whether `traceparent` is sent: an upstream is somebody else.",
    )

    @field_validator("headers")
    @classmethod
    def _has_each_header_once(cls, headers: dict[str, str]) -> dict[str, str]:
        if len({name.lower() for name in headers}) != len(headers):
            raise ValueError("two headers differ only in case: keep one")
        return headers

    @field_validator("body")
    @classmethod
    def _fits_the_method(cls, body: str, info: ValidationInfo) -> str:
        if body != "none" and info.data.get("method") in ("GET", "HEAD"):
            raise ValueError(f"a {info.data['method']} has no body: use query, or another method")
        return body

    @field_validator("body_fields")
    @classmethod
    def _has_a_body(cls, fields: dict[str, str] | None, info: ValidationInfo) -> dict[str, str] | None:
        if fields is not None and info.data.get("body") == "none":
            raise ValueError("a request without a body has no fields in it: say body json or form")
        return fields

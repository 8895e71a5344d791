"""URLs with one reading: what is checked is what is connected to. Pure; nothing is resolved here.

Stricter than a browser: no user, no control characters, no spelling of an address but its usual one.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from urllib.parse import quote, urlsplit

MAX_CHARACTERS = 8192
PORTS = {"http": 80, "https": 443}

_UNFIT = re.compile(r"[\x00-\x20\x7f\\]")
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_KEPT = "!$&'()*+,;=:@/?%~"
"""What stands in a path or a query as it is (RFC 3986); `%` because the caller's own encoding is kept."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Whom a request goes to. `host` is lower case ASCII: a name without its last dot, or an address."""

    scheme: str
    host: str
    port: int

    @property
    def place(self) -> str:
        """`host:port`, an IPv6 address in brackets."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def authority(self) -> str:
        """As in a `Host` header: the port stands there unless it is the scheme's own."""
        return self.place if PORTS[self.scheme] != self.port else self.place.rpartition(":")[0]

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}"


@dataclass(frozen=True, slots=True)
class Url:
    """An origin, and the path with the query as they are sent."""

    origin: Origin
    target: str

    def __str__(self) -> str:
        return f"{self.origin}{self.target}"


def parse_url(text: str) -> Url:
    """Read an http or https URL; a fragment is dropped. Raises ValueError with a sentence that does not repeat it."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"the URL has more than {MAX_CHARACTERS} characters")
    if _UNFIT.search(text):
        raise ValueError("the URL holds a space, a control character or a backslash: percent-encode it")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ValueError("the URL cannot be read: its host or port is malformed") from error
    if parts.scheme not in PORTS:
        raise ValueError("the URL must begin with http:// or https://")
    if "@" in parts.netloc:
        raise ValueError("the URL names a user: take it out")
    if port == 0:
        raise ValueError("the URL names port 0")
    query = f"?{quote(parts.query, safe=_KEPT)}" if parts.query else ""
    origin = Origin(parts.scheme, normal_host(parts.hostname or ""), port or PORTS[parts.scheme])
    return Url(origin, (quote(parts.path, safe=_KEPT) or "/") + query)


def normal_host(text: str) -> str:
    """A host in the one spelling that hosts are compared in. Raises ValueError."""
    try:
        address = ip_address(text)
    except ValueError:
        return _normal_name(text)
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        raise ValueError("the host is an address with a zone: leave the zone out")
    return str(address)


def is_loopback(host: str) -> bool:
    """Whether whoever listens on that address, or on `localhost`, is reached from this machine only."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _normal_name(text: str) -> str:
    try:
        name = text.removesuffix(".").encode("idna").decode().lower()
    except UnicodeError as error:
        raise ValueError("the host is no name that exists in the DNS") from error
    if not _NAME.fullmatch(name) or ".." in name or len(name) > 253:
        raise ValueError("the host is missing or is no name")
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        raise ValueError("the host is an address in an unusual spelling: write four decimal numbers")
    return name

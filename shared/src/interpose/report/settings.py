"""What a gate is configured with: what its adapter hands over, else the environment, else the defaults.

Nothing is silently replaced by a default: everything that is wrong is named, and then the gate blocks.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict
from urllib.parse import urlsplit

from interpose.report.client import Endpoint
from interpose.report.evidence import Rule, read_rules

URL = "http://127.0.0.1:8600"
EVALUATE_TIMEOUT_MS, REPORT_TIMEOUT_MS = 2_000, 5_000
LONGEST_TIMEOUT_MS = 600_000
ENVIRONMENT = {
    "token": "INTERPOSE_TOKEN",
    "url": "INTERPOSE_GATEWAY_URL",
    "folder": "INTERPOSE_REPORT_FOLDER",
    "evaluate_timeout_ms": "INTERPOSE_EVALUATE_TIMEOUT_MS",
    "report_timeout_ms": "INTERPOSE_REPORT_TIMEOUT_MS",
}
_ORIGIN = re.compile(r"[a-z0-9_-]{1,64}")
_TOKEN = re.compile(r"[\x21-\x7e]+")


class Options(TypedDict, total=False):
    """What an adapter may hand over. `evidence` is a list as in docs/report.md.

    `claims` says where reservations lie: `folder` (default) also finds them from another process, `memory` is for an
    agent whose calls begin and end in one. `delivery` says who sends again what could not be sent: a thread in the
    `background` (default), or only whoever calls `Gate.drain`, for a process that ends at once.
    """

    token: str
    url: str
    folder: str | Path
    evaluate_timeout_ms: int
    report_timeout_ms: int
    adapter_version: str
    agent_id: str
    evidence: object
    claims: Literal["folder", "memory"]
    delivery: Literal["background", "drain"]


class Settings(NamedTuple):
    """A configuration that can be used."""

    origin: str
    token: str
    endpoint: Endpoint
    folder: Path
    evaluate_timeout_ms: int
    report_timeout_ms: int
    adapter_version: str | None
    agent_id: str | None
    evidence: tuple[Rule, ...]
    claims: str
    delivery: str


def read(origin: object, options: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[Settings | None, list[str]]:
    """The settings, or everything that is wrong."""
    faults = [f"{name}: no such option" for name in options if name not in Options.__annotations__]
    given: dict[str, Any] = {name: environ[variable] for name, variable in ENVIRONMENT.items() if environ.get(variable)}
    given |= {name: option for name, option in options.items() if option is not None}

    def value(name: str, reader: Callable[[Any], Any], default: object = None) -> Any:
        try:
            return reader(given.get(name, default))
        except ValueError as error:
            faults.append(f"{name} ({ENVIRONMENT[name]}): {error}" if name in ENVIRONMENT else f"{name}: {error}")
            return None

    rules, wrong = read_rules(given.get("evidence", ()))
    faults += wrong
    settings = Settings(
        origin=value("origin", lambda _: read_origin(origin)),
        token=value("token", read_token),
        endpoint=value("url", read_url, URL),
        folder=value("folder", lambda folder: read_folder(folder, environ)),
        evaluate_timeout_ms=value("evaluate_timeout_ms", read_timeout, EVALUATE_TIMEOUT_MS),
        report_timeout_ms=value("report_timeout_ms", read_timeout, REPORT_TIMEOUT_MS),
        adapter_version=value("adapter_version", lambda text: read_text(text, 64)),
        agent_id=value("agent_id", lambda text: read_text(text, 128)),
        evidence=rules,
        claims=value("claims", lambda word: read_word(word, ("folder", "memory")), "folder"),
        delivery=value("delivery", lambda word: read_word(word, ("background", "drain")), "background"),
    )
    return (None if faults else settings), faults


def read_origin(given: object) -> str:
    """The name of the adapter."""
    if not isinstance(given, str) or not _ORIGIN.fullmatch(given):
        raise ValueError(f"must be 1 to 64 of a to z, 0 to 9, _ and -, not {given!r:.80}")
    return given


def read_token(given: object) -> str:
    """The token. It is never repeated in a fault."""
    if not given:
        raise ValueError("is empty; `interpose clients add` makes one")
    if not isinstance(given, str) or not _TOKEN.fullmatch(given):
        raise ValueError("must be printable ASCII without spaces")
    return given


def read_url(given: object) -> Endpoint:
    """The gateway's base URL."""
    try:
        where = urlsplit(given if isinstance(given, str) else "")
        port = where.port
    except ValueError as error:
        raise ValueError(f"{given!r:.80} is no URL: {error}") from error
    plain = where.username is None and not where.query and not where.fragment
    if where.scheme not in ("http", "https") or not where.hostname or port == 0 or not plain:
        raise ValueError(f"{given!r:.80} is no URL of a gateway; it looks like {URL}")
    return Endpoint(where.hostname, port, where.path.rstrip("/"), where.scheme == "https")


def read_timeout(given: object) -> int:
    """A time in ms; the environment has it as digits."""
    if isinstance(given, str) and given.isascii() and given.isdigit():
        given = int(given[:10])
    if type(given) is not int or not 1 <= given <= LONGEST_TIMEOUT_MS:
        raise ValueError(f"must be a whole number of ms from 1 to {LONGEST_TIMEOUT_MS}")
    return given


def read_folder(given: object, environ: Mapping[str, str]) -> Path:
    """Where reservations and the outbox lie: by default in the user's folder for the state of programs."""
    if isinstance(given, (str, Path)) and given != "":
        return Path(given)
    if given is not None:
        raise ValueError("must be a path")
    home = environ.get("XDG_STATE_HOME") or (f"{environ['HOME']}/.local/state" if environ.get("HOME") else "")
    if not home:
        raise ValueError("must be given where neither HOME nor XDG_STATE_HOME is set")
    return Path(home) / "interpose" / "report"


def read_text(given: object, most: int) -> str | None:
    """A text that may be left out."""
    if given is None or (isinstance(given, str) and len(given) <= most):
        return given or None
    raise ValueError(f"must be text of at most {most} characters")


def read_word(given: object, words: tuple[str, ...]) -> str:
    """One of these words."""
    if isinstance(given, str) and given in words:
        return given
    raise ValueError(f"must be one of {', '.join(words)}")

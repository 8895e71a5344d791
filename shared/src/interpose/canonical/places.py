"""Paths and addresses in one spelling, so that a rule compares what is meant. Nothing is looked up on any disk."""

import ntpath
import posixpath
import re
from urllib.parse import urlsplit

from interpose.contracts.canonical import Operation, Target

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_URL = re.compile(r"https?://[^\s<>\"'`\\^{}|]+", re.IGNORECASE)
_TRAILING = ".,;:!?)]"
MOST_URLS = 100


def resolve(path: str, cwd: str | None = None) -> str:
    """`..`, `.` and repeated slashes are gone, and a relative path begins at `cwd` where that is known.

    `~` stays: whose home it is stands nowhere in a call. A path that leads above what is known keeps its `..`.
    """
    if _WINDOWS.match(path) or (cwd is not None and _WINDOWS.match(cwd) and not path.startswith(("/", "~"))):
        return ntpath.normpath(ntpath.join(cwd or "", path))
    home, _, rest = path.partition("/")
    if home.startswith("~"):
        below = posixpath.normpath(rest) if rest else "."
        return home if below == "." else f"{home}/{below.lstrip('/')}"
    if cwd is not None and not path.startswith("/"):
        if cwd.startswith("~"):
            return resolve(f"{cwd}/{path}")
        path = posixpath.join(cwd, path)
    found = posixpath.normpath(path)
    # POSIX lets two leading slashes mean something else; no platform does.
    return f"/{found.lstrip('/')}" if found.startswith("//") else found


def is_relative(path: str) -> bool:
    """Whether it depends on where the call stands."""
    return not (path.startswith(("/", "~")) or _WINDOWS.match(path))


def connection(url: str) -> Target:
    """The address that a URL leads to; `host` in lower case, None where there is none."""
    try:
        host = urlsplit(url if "://" in url else f"http://{url}").hostname
    except ValueError:
        host = None
    return Target(operation=Operation.CONNECT, url=url, host=host)


def urls_in(text: str) -> list[str]:
    """The addresses that a text names."""
    return [match.rstrip(_TRAILING) for match in _URL.findall(text)[:MOST_URLS]]

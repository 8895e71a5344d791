"""The state folder: who can read the keys in it, and how much room it has."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from interpose.contracts.clients import Scope
from interpose.contracts.limits import MIB
from interpose.doctor.finding import Finding, bad, note, ok
from interpose.embedded.files import FILE_MODE, FOLDER_MODE, check_private
from interpose.embedded.home import Home
from interpose.embedded.tokens import read_clients
from interpose.errors import ConfigurationError
from interpose.registry.changes import user

LEAST_FREE_BYTES = 1024 * MIB
"""Below this a busy day may fill the disk; a full one refuses every call."""


def check_folder(home: Home) -> Iterator[Finding]:
    """Whether secrets are their owner's alone, and who that is."""
    if not home.root.is_dir():
        yield note("state folder", f"{home.root} does not exist", "start with `interpose up`, or name it with --home")
        return
    open_ones = [trouble for path in _secrets(home) if (trouble := _trouble(path)) is not None]
    for trouble in open_ones:
        yield bad("state folder", *trouble)
    if not open_ones:
        yield ok("state folder", f"{home.root} is its owner's alone")
    yield from check_clients(home)
    yield note(
        "keys",
        f"every program of user {user()} can read the keys and change the rules, an agent too",
        "run agents as another user, in a container or on another machine (docs/security.md)",
    )
    yield check_room(home.root, shutil.disk_usage(home.root).free)


def check_clients(home: Home) -> Iterator[Finding]:
    """Whether nobody else has a token that opens a person's decisions."""
    try:
        clients = read_clients(home).clients
    except ConfigurationError as error:
        yield bad("clients", str(error), "mend it: while it is damaged nobody may call")
        return
    operators = [name for name, entry in clients.items() if entry.covers(Scope.OPERATE)]
    open_ones = [name for name in operators if home.token(name).exists() and _trouble(home.token(name)) is not None]
    for name in open_ones:
        said = f"others can read {home.token(name)}, and with scope operate it opens a person's decisions"
        yield bad("clients", said, f"close it, then `interpose clients rotate {name}`: it may be known already")
    if not open_ones:
        yield ok("clients", f"{len(clients)} may call; scope operate: {', '.join(operators) or 'nobody'}")


def check_room(root: Path, free_bytes: int) -> Finding:
    """Whether the disk has room for records; `free_bytes` is what it says of itself."""
    said = f"{free_bytes // MIB} MiB are free for records below {root}"
    if free_bytes >= LEAST_FREE_BYTES:
        return ok("room", said)
    return bad("room", said, "make room: a call that cannot be recorded is refused (503, record-impossible)")


def _secrets(home: Home) -> list[Path]:
    files = [path for folder in (home.keys, home.tokens) if folder.is_dir() for path in sorted(folder.iterdir())]
    folders = [home.root, home.keys, home.tokens, home.jetstream]
    return [path for path in [*folders, home.clients, home.broker_config, *files] if path.exists()]


def _trouble(path: Path) -> tuple[str, str] | None:
    mode = FOLDER_MODE if path.is_dir() else FILE_MODE
    try:
        check_private(path, mode)
    except ConfigurationError as error:
        return "; ".join(str(fault) for fault in error.faults) or str(error), error.message
    return None

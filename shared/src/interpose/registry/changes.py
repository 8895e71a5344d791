"""From the document that stands to the next one. Pure: time and names come from outside, writing is the store's.

A hook's name belongs to one owner. A worker only ever adds under a free name; a file claims its names; a person with
the operator's key may change everything.
"""

import getpass
import os
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from interpose.contracts.config import Configuration, Frame
from interpose.contracts.registry import SCHEMA, Applied, Document, Entry, Manifest, Owner
from interpose.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Changed:
    """The next document, and what a person should be told about it."""

    document: Document
    notes: tuple[str, ...] = ()


def somebody() -> str:
    """Who is at work here, as it stands on the record: `user@host`."""
    return f"{user()}@{socket.gethostname()}"


def user() -> str:
    """The user's name; one without an entry in the list of users, as in a container, is called by its number."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # Python 3.13 made it an OSError
        return f"uid-{os.getuid()}"


def now(by: str, what: str) -> Applied:
    """Applied now."""
    return Applied(at=datetime.now(UTC), by=by, what=what)


def with_file(before: Document | None, configuration: Configuration, source: str, applied: Applied) -> Changed:
    """The file's hooks and settings in the place of the last file's; a hook that was disabled stays so."""
    off = {entry.hook.name for entry in _entries(before) if not entry.enabled}
    own = [
        Entry(key=key, hook=hook, owner=Owner.FILE, source=source, **({"enabled": False} if hook.name in off else {}))
        for key, hooks in configuration.hooks.items()
        for hook in hooks
    ]
    claimed = {entry.hook.name for entry in own}
    others = [entry for entry in _entries(before) if entry.owner is not Owner.FILE]
    kept = [entry for entry in others if entry.hook.name not in claimed]
    notes = [f"{name} stays disabled: `interpose hooks enable {name}`" for name in sorted(off & claimed)]
    taken = {entry.hook.name: entry for entry in others if entry.hook.name in claimed}
    notes += [f"{name} was the {entry.owner}'s ({entry.source}) and is the file's now" for name, entry in taken.items()]
    frame = {
        name: getattr(configuration, name) for name in Frame.model_fields if name in configuration.model_fields_set
    }
    return Changed(_document([*own, *kept], frame, applied), tuple(notes))


def with_manifest(before: Document, manifest: Manifest, added_by: Entry, applied: Applied) -> Document:
    """The hook of a manifest behind all others; `added_by` says whose it is. Raises ConfigurationError: not free."""
    if taken := before.of(manifest.name):
        raise ConfigurationError(
            f"{manifest.name} is already a hook, the {taken[0].owner}'s ({taken[0].source}): choose another name, or"
            f" take that one out with `interpose hooks remove {manifest.name}`"
        )
    added = [added_by.model_copy(update={"key": key}) for key in manifest.keys]
    return _document([*before.entries, *added], before.frame, applied)


def entry_of(manifest: Manifest, owner: Owner, source: str, *, temporary: bool = False) -> Entry:
    """The entry of a manifest under its first key."""
    more = {"temporary": True} if temporary else {}
    return Entry(key=manifest.keys[0], hook=manifest.hook, owner=owner, source=source, **more)


def without(before: Document, name: str, applied: Applied) -> Document:
    """Every entry of that hook taken out. Raises ConfigurationError where there is none."""
    require(before, name)
    return _document([entry for entry in before.entries if entry.hook.name != name], before.frame, applied)


def switched(before: Document, name: str, applied: Applied, *, enabled: bool) -> Document:
    """That hook in force, or not. Raises ConfigurationError where there is none."""
    require(before, name)
    entries = [
        entry.model_copy(update={"enabled": enabled}) if entry.hook.name == name else entry for entry in before.entries
    ]
    return _document(entries, before.frame, applied)


def again(past: Document, applied: Applied) -> Document:
    """An older document once more."""
    return past.model_copy(update={"applied": applied})


def _entries(document: Document | None) -> Iterable[Entry]:
    return () if document is None else document.entries


def require(document: Document, name: str) -> None:
    """Raises ConfigurationError, which names those that there are, where the registry holds no such hook."""
    if not document.of(name):
        known = ", ".join(dict.fromkeys(entry.hook.name for entry in document.entries))
        raise ConfigurationError(f"there is no hook {name} in the registry; there are: {known or 'none'}")


def _document(entries: Iterable[Entry], frame: Mapping[str, Any], applied: Applied) -> Document:
    return Document(document_schema=SCHEMA, entries=list(entries), applied=applied, **frame)

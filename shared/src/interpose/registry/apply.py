"""A configuration file into the registry: the operator process, `interpose hooks apply` and tests do it in this way."""

from dataclasses import dataclass

from interpose.config.load import Loaded
from interpose.contracts.registry import Document
from interpose.errors import InvalidInput, NoRegistry
from interpose.registry.changes import Changed, now, with_file
from interpose.registry.store import Store
from interpose.registry.version import Version


@dataclass(frozen=True, slots=True)
class Put:
    """What is in force now. `is_new` is False where the same rules were in force already: nothing was written then."""

    revision: int
    document: Document
    notes: tuple[str, ...]
    is_new: bool


async def apply_file(store: Store, loaded: Loaded, by: str) -> Put:
    """Put a loaded file in force, again where somebody else was faster.

    Raises InvalidInput for what nobody could use, RegistryConflict, BusUnavailable.
    """
    seen: list[tuple[Version, Changed]] = []

    def change(version: Version) -> Document | None:
        changed = next_of(version, loaded, by)
        seen.append((version, changed))
        return None if is_same(version, changed.document) else changed.document

    put = await store.change(change)
    version, changed = seen[-1]
    if put is None:
        return Put(version.revision, changed.document, changed.notes, is_new=False)
    return Put(*put, changed.notes, is_new=True)


def next_of(version: Version, loaded: Loaded, by: str) -> Changed:
    """What applying this file to that version would put in force."""
    applied = now(by, f"apply {loaded.path}")
    return with_file(standing(version), loaded.configuration, str(loaded.path), applied)


def standing(version: Version) -> Document | None:
    """The document that stands; None where there is none, or one that nobody can use and that is to be replaced."""
    try:
        return version.document()
    except (NoRegistry, InvalidInput):
        return None


def is_same(version: Version, document: Document) -> bool:
    """Whether that version says the same, whoever applied it."""
    before = standing(version)
    return before is not None and before.digest == document.digest

"""Workers that register themselves: a manifest in a worker's `$SRV.INFO` adds its hook under a free name.

It only ever adds. Who answers `$SRV.INFO` is not proven by NATS, so what stands in the registry already, also a hook
of another worker or of the same, is never altered by a manifest (docs/adr/0009-registry.md).
"""

import json
from dataclasses import dataclass, field

from pydantic import ValidationError

from interpose.bus import presence
from interpose.bus.presence import Present
from interpose.contracts.faults import faults_of
from interpose.contracts.limits import FIELD_BYTES
from interpose.contracts.registry import Document, Entry, Manifest, Owner
from interpose.contracts.strict import parse_object
from interpose.embedded.events import Event, EventKind, Report
from interpose.errors import ConfigurationError, InvalidInput, RegistryConflict
from interpose.registry.apply import standing
from interpose.registry.changes import entry_of, now, with_manifest
from interpose.registry.store import Store
from interpose.registry.version import Version

NAME = "registry"
MANIFEST = "manifest"


@dataclass(slots=True)
class Registration:
    """Looks at who is present. What it does not register it tells once."""

    store: Store
    report: Report
    _told: set[str] = field(default_factory=set)

    async def look(self) -> None:
        """Register what is new. Raises BusUnavailable."""
        announced = [each for each in await presence.info(self.store.client) if MANIFEST in each.metadata]
        document = standing(await self.store.read()) if announced else None
        for each in announced if document is not None else ():
            await self._consider(each)

    async def _consider(self, worker: Present) -> None:
        try:
            manifest = read_manifest(worker)
            put = await self.store.change(lambda version: self._next(version, manifest, worker))
        except (InvalidInput, ConfigurationError, RegistryConflict) as error:
            self._tell(EventKind.WARNING, f"{worker.instance} announces what is not registered: {error}")
            return
        if put is not None:
            self._tell(
                EventKind.NOTE,
                f"revision {put[0]} adds {manifest.name} for {', '.join(manifest.keys)}, as"
                f" {worker.instance} announces it; `interpose hooks remove {manifest.name}` takes it out",
            )

    def _next(self, version: Version, manifest: Manifest, worker: Present) -> Document | None:
        document = standing(version)
        # Without a document every call is refused, and no worker may open that door.
        if document is None:
            return None
        if document.registration != "open":
            self._tell(
                EventKind.NOTE,
                f"{manifest.name} of {worker.instance} is not registered: registration is"
                f" {document.registration}, so write it into the configuration",
            )
            return None
        if taken := document.of(manifest.name):
            self._explain(taken, manifest, worker)
            return None
        entry = entry_of(manifest, Owner.WORKER, worker.instance)
        return with_manifest(document, manifest, entry, now(f"worker {worker.instance}", f"register {manifest.name}"))

    def _explain(self, taken: list[Entry], manifest: Manifest, worker: Present) -> None:
        """Silence where it says the same; the registry's word counts, and is told, where it differs."""
        first = taken[0]
        if first.hook == manifest.hook and [entry.key for entry in taken] == manifest.keys:
            return
        how = (
            "" if first.owner is not Owner.WORKER else f", or `interpose hooks remove {manifest.name}` to have it anew"
        )
        self._tell(
            EventKind.NOTE,
            f"{manifest.name} of {worker.instance} announces other settings than the {first.owner}"
            f" gave it ({first.source}): those of the {first.owner} count{how}",
        )

    def _tell(self, kind: EventKind, message: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self.report(Event(kind, NAME, message))


def read_manifest(worker: Present) -> Manifest:
    """What the worker announces. Raises InvalidInput with every fault."""
    what = f"the manifest of {worker.instance}"
    value = parse_object(worker.metadata[MANIFEST].encode(), limit=FIELD_BYTES, what=what)
    try:
        manifest = Manifest.model_validate(value, by_name=False)
    except ValidationError as error:
        raise InvalidInput(f"{what} is not acceptable", faults_of(error, model=Manifest)) from error
    if manifest.service != worker.name:
        raise InvalidInput(f"{what} is for service {json.dumps(manifest.service)}, and it serves {worker.name}")
    return manifest

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
NOTHING_IN_FORCE = "no hook is in force: there are no rules, so every call is refused"


@dataclass(slots=True)
class Registration:
    """Looks at who is present. What it does not register it tells once, and its worker as long as it is so."""

    store: Store
    report: Report
    _told: set[str] = field(default_factory=set)
    _troubled: set[str] = field(default_factory=set)
    """Workers that were told that their hook is not in force."""

    async def look(self) -> None:
        """Register what is new. Raises BusUnavailable."""
        announced = [each for each in await presence.info(self.store.client) if MANIFEST in each.metadata]
        document = standing(await self.store.read()) if announced else None
        for each in announced:
            trouble = NOTHING_IN_FORCE if document is None else await self._consider(each)
            await self._answer(each, trouble)

    async def _consider(self, worker: Present) -> str:
        """Register it where that may be. Returns why it is not in force as it announces itself; nothing where it is."""
        verdict = _Verdict()
        try:
            manifest = read_manifest(worker)
            put = await self.store.change(lambda version: _next(version, manifest, worker, verdict))
        except (InvalidInput, ConfigurationError, RegistryConflict) as error:
            self._tell(EventKind.WARNING, f"{worker.instance} announces what is not registered: {error}")
            return f"what is announced here is NOT in force: {error}"
        if put is not None:
            self._tell(
                EventKind.NOTE,
                f"revision {put[0]} adds {manifest.name} for {', '.join(manifest.keys)}, as"
                f" {worker.instance} announces it; `interpose hooks remove {manifest.name}` takes it out",
            )
        if verdict.note:
            self._tell(EventKind.NOTE, verdict.note)
        return verdict.trouble

    async def _answer(self, worker: Present, trouble: str) -> None:
        if trouble:
            self._troubled.add(worker.id)
            await presence.tell(self.store.client, worker, trouble)
        elif worker.id in self._troubled:
            self._troubled.discard(worker.id)
            await presence.tell(self.store.client, worker, f"hook {worker.name} is in force as it is announced here")

    def _tell(self, kind: EventKind, message: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self.report(Event(kind, NAME, message))


@dataclass(slots=True)
class _Verdict:
    """What is told of a worker whose hook is not registered now: a note for people, and the reason for the worker."""

    note: str = ""
    trouble: str = ""


def _next(version: Version, manifest: Manifest, worker: Present, verdict: _Verdict) -> Document | None:
    document, name = standing(version), manifest.name
    verdict.note = verdict.trouble = ""
    # Without a document every call is refused, and no worker may open that door.
    if document is None:
        verdict.trouble = NOTHING_IN_FORCE
        return None
    if taken := document.of(name):
        verdict.note, verdict.trouble = _compare(taken, manifest, worker)
        return None
    if document.registration != "open":
        closed = f"registration is {document.registration}"
        verdict.note = f"{name} of {worker.instance} is not registered: {closed}, so write it into the configuration"
        verdict.trouble = (
            f"hook {name} is NOT in force: {closed}, so no worker brings a hook in; write it into the configuration"
            " and apply that"
        )
        return None
    entry = entry_of(manifest, Owner.WORKER, worker.instance)
    return with_manifest(document, manifest, entry, now(f"worker {worker.instance}", f"register {name}"))


def _compare(taken: list[Entry], manifest: Manifest, worker: Present) -> tuple[str, str]:
    """Silence where it says the same; the registry's word counts, and is told, where it differs."""
    first, name = taken[0], manifest.name
    if not first.enabled:
        return "", f"hook {name} is NOT in force: it is disabled; `interpose hooks enable {name}` ends that"
    if first.hook == manifest.hook and [entry.key for entry in taken] == manifest.keys:
        return "", ""
    how = "" if first.owner is not Owner.WORKER else f", or `interpose hooks remove {name}` to have it anew"
    return (
        f"{name} of {worker.instance} announces other settings than the {first.owner}"
        f" gave it ({first.source}): those of the {first.owner} count{how}",
        f"hook {name} is not in force as it is announced here: the {first.owner} ({first.source}) gave it other keys or"
        f" settings, and those count; `interpose hooks show {name}` tells them{how}",
    )


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

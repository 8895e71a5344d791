"""What was in force before: the last 64 revisions from the bucket, and further back what the records hold.

Each applied document is a record. Where a crash came between the two, the operator makes the missing one up when it
starts: a record of the registry is made of the document and its revision alone.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import RawStreamMsg
from nats.js.errors import NotFoundError

from interpose.bus import subjects
from interpose.contracts.limits import MIB
from interpose.contracts.registry import Document, RegistryRecord
from interpose.contracts.strict import read_model
from interpose.errors import BusUnavailable, InvalidInput
from interpose.registry.store import Store
from interpose.registry.version import read_document

RECORD_BYTES = 8 * MIB


@dataclass(frozen=True, slots=True)
class Past:
    """One applied document. `is_recorded`: it is on the record, so it outlives the bucket's history."""

    revision: int
    document: Document
    is_recorded: bool

    @property
    def same(self) -> tuple[int, str, str]:
        """Tells it from every other, also where a bucket that was made anew counts from 1 again."""
        return self.revision, self.document.digest, self.document.applied.at.isoformat()


async def read_history(client: Client) -> list[Past]:
    """Every applied document that is still known, oldest first. Raises BusUnavailable."""
    try:
        recorded = [past async for past in _recorded(client)]
        known = {past.same for past in recorded}
        kept = [past async for past in _kept(client)]
    except (NatsError, OSError) as error:
        raise BusUnavailable(f"the registry's history cannot be read: {error or type(error).__name__}") from error
    return [*recorded, *(past for past in kept if past.same not in known)]


async def complete_records(client: Client) -> list[int]:
    """Put on record what the bucket holds and no record tells; returns the revisions. Raises BusUnavailable."""
    missing = [past for past in await read_history(client) if not past.is_recorded]
    for past in missing:
        await Store(client).record(past.revision, past.document)
    return [past.revision for past in missing]


async def _recorded(client: Client) -> AsyncIterator[Past]:
    sequence = 1
    while (message := await _next(client, sequence)) is not None:
        sequence = (message.seq or sequence) + 1
        try:
            told = read_model(RegistryRecord, message.data or b"", limit=RECORD_BYTES, what="the record")
        except InvalidInput:
            continue  # of another version; it stays on the record, and nobody could apply it here
        yield Past(told.revision, told.document, is_recorded=True)


async def _next(client: Client, sequence: int) -> RawStreamMsg | None:
    stream, subject = subjects.RECORDS_STREAM, subjects.REGISTRY_RECORDS
    try:
        return await client.jetstream().get_msg(stream, seq=sequence, subject=subject, next=True)
    except NotFoundError:
        return None


async def _kept(client: Client) -> AsyncIterator[Past]:
    try:
        state = (await client.jetstream().stream_info(subjects.REGISTRY_STREAM)).state
    except NotFoundError:
        return
    store = Store(client)
    for revision in range(max(1, state.first_seq), state.last_seq + 1):
        version = await store.read_at(revision)
        try:
            document = read_document(version.data)[0] if version.data is not None else None
        except InvalidInput:
            continue  # somebody wrote past us: it never was in force
        if document is not None:
            yield Past(version.revision, document, is_recorded=False)

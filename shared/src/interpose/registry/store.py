"""The operator's hand on the registry: read the leader, write by compare-and-set, put it on record.

Nothing is written that could not be read back, so a document in the bucket is a good one unless somebody went past us.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

import orjson
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import APIError, NoStreamResponseError

from interpose.bus import headers, subjects
from interpose.contracts.digest import digest_bytes
from interpose.contracts.registry import Document, RegistryRecord
from interpose.errors import BusUnavailable, RegistryConflict
from interpose.registry.version import REQUEST, Version, read_answer, read_document

READ_S = 5.0
CHANGED_MEANWHILE = 10071
"""The broker's code for a last sequence that is not the expected one."""
TRIES = 5

Change = Callable[[Version], Document | None]
"""From what stands to what shall stand; None to leave it. It may be asked again when somebody else was faster."""


@dataclass(frozen=True, slots=True)
class Store:
    """The registry over one connection of the operator. Safe for several at once: compare-and-set decides."""

    client: Client

    async def read(self) -> Version:
        """What stands now, by the leader. Raises BusUnavailable."""
        return await self._get(REQUEST)

    async def read_at(self, revision: int) -> Version:
        """One revision of the bucket; its number is 0 where the bucket does not hold it any more."""
        return await self._get(json.dumps({"seq": revision}).encode())

    async def put(self, document: Document, after: int) -> int:
        """Put it in force where `after` is still the latest revision; returns the new one, on record.

        Raises InvalidInput for a document that nobody could use, RegistryConflict, BusUnavailable.
        """
        data = orjson.dumps(document.to_wire())
        read_document(data)
        revision = await self._write(data, after)
        await self.record(revision, document)
        return revision

    async def change(self, change: Change) -> tuple[int, Document] | None:
        """Read, change and put, again while somebody else is faster. None where the change wants none.

        Raises what `put` and the change raise; RegistryConflict after as many tries as anybody needs.
        """
        for attempt in range(1, TRIES + 1):
            version = await self.read()
            document = change(version)
            if document is None:
                return None
            try:
                return await self.put(document, version.revision), document
            except RegistryConflict:
                if attempt == TRIES:
                    raise
        raise AssertionError("every try returns or raises")

    async def record(self, revision: int, document: Document) -> None:
        """Put an applied document on record; once, however often it is called. Raises BusUnavailable."""
        body = orjson.dumps(RegistryRecord.of(revision, document).to_wire())
        once = {
            headers.MESSAGE_ID: f"registry.{revision}.{digest_bytes(body)[-16:]}",
            headers.EXPECTED_STREAM: subjects.RECORDS_STREAM,
        }
        try:
            await self.client.jetstream().publish(subjects.REGISTRY_RECORDS, body, headers=once)
        except (NatsError, OSError) as error:
            raise BusUnavailable(
                f"revision {revision} is in force and not on record yet ({_said(error)}): "
                "`interpose up` or `interpose operate` puts it there when it starts"
            ) from error

    async def _get(self, request: bytes) -> Version:
        try:
            return read_answer((await self.client.request(subjects.REGISTRY_READ, request, timeout=READ_S)).data)
        except (NatsError, OSError) as error:
            raise BusUnavailable(f"the registry cannot be read: {_said(error)}; see `interpose status`") from error

    async def _write(self, data: bytes, after: int) -> int:
        expected = {headers.EXPECTED_LAST: str(after), headers.EXPECTED_STREAM: subjects.REGISTRY_STREAM}
        try:
            ack = await self.client.jetstream().publish(subjects.REGISTRY_KEY, data, headers=expected)
        except APIError as error:
            raise _refused(error, after) from error
        except NoStreamResponseError as error:
            raise BusUnavailable(
                f"there is no bucket {subjects.REGISTRY_BUCKET}: `interpose up` or `interpose operate` makes it"
            ) from error
        except (NatsError, OSError) as error:
            return await self._written(data, after, error)
        return int(ack.seq)

    async def _written(self, data: bytes, after: int, error: Exception) -> int:
        """Nobody confirmed the write: what stands now tells."""
        version = await self.read()
        if version.data == data and version.revision > after:
            return version.revision
        raise BusUnavailable(f"the registry was not written: {_said(error)}; see `interpose status`") from error


def _refused(error: APIError, after: int) -> Exception:
    if error.err_code == CHANGED_MEANWHILE:
        return RegistryConflict(f"somebody changed the registry since revision {after}; look at it, then apply again")
    return BusUnavailable(f"the broker does not write the registry: {error}")


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__

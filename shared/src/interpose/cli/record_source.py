"""Where `interpose records` looks: the audit store where there is one, else the stream itself."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpose.embedded.home import Home
    from interpose.records.reader import Reader

LOOK_MS = 500
"""How long to look for the broker only to say how far behind the store is."""


class Source(StrEnum):
    """`auto` takes the store where it can be read, else the stream."""

    AUTO = "auto"
    STORE = "store"
    STREAM = "stream"


@contextmanager
def opened(home: "Home", source: Source) -> Iterator[tuple["Reader", Source]]:
    """What is to be asked, and which of the two it is. Where the store is behind the stream, that is said.

    Raises StoreUnavailable, ConfigurationError, NotRunning, BusUnavailable.
    """
    import asyncio

    from interpose.embedded.audit import store_path
    from interpose.errors import StoreUnavailable
    from interpose.records.reader import Reader

    reader: Reader | None = None
    if source is not Source.STREAM:
        try:
            reader = Reader.open(store_path(home))
        except StoreUnavailable:
            if source is Source.STORE:
                raise
    found = Source.STREAM if reader is None else Source.STORE
    if reader is None:
        reader = asyncio.run(_copied(home))
    else:
        asyncio.run(_tell_behind(home, reader))
    try:
        yield reader, found
    finally:
        reader.close()


async def _copied(home: "Home") -> "Reader":
    """The stream as a store for this command: one meaning of each filter, wherever the records stand."""
    from nats.errors import Error as NatsError

    from interpose.embedded import operator
    from interpose.embedded.reading import read_past
    from interpose.errors import BusUnavailable
    from interpose.records.reader import Reader
    from interpose.records.store import Store

    store, client = Store.temporary(), await operator.connect(home)
    try:
        async for piece in read_past(client):
            store.add(piece)
    except NatsError as error:
        raise BusUnavailable(f"the stream of records cannot be read: {error}; see `interpose status`") from error
    finally:
        await client.close()
    return Reader.of(store)


async def _tell_behind(home: "Home", reader: "Reader") -> None:
    """On standard error, so that what is asked for stays alone. Without a broker there is nothing to compare with."""
    from nats.errors import Error as NatsError

    from interpose.embedded import operator
    from interpose.embedded.reading import last_sequence
    from interpose.errors import BusUnavailable, NotRunning

    try:
        client = await operator.connect(home, LOOK_MS)
    except (BusUnavailable, NotRunning):
        return
    try:
        stream, store = await last_sequence(client), reader.through()
    except NatsError:
        return
    finally:
        await client.close()
    if stream > store:
        said = f"the audit store holds records up to {store}, the stream up to {stream}: --source stream shows them all"
        print(f"interpose: {said}", file=sys.stderr)

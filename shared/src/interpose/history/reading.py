"""From an entry of a log to what stands in it."""

from collections.abc import Iterator

from interpose.history.entries import Call, Damage, Entry, Result, State
from interpose.history.formats import Format
from interpose.history.json_line import read_object


def parts(form: Format, entry: Entry, state: State) -> Iterator[Call | Result | Damage]:
    """The calls and results of an entry, and what of it cannot be read. An empty line is nothing."""
    if isinstance(entry.data, Damage):
        yield entry.data
        return
    if not entry.data.strip():
        return
    record = read_object(entry.data)
    if isinstance(record, Damage):
        yield record
        return
    yield from form.read(record, state)

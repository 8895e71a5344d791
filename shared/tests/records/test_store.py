"""Writing the store: each record once, byte for byte, whatever it is made of."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.errors import StoreUnavailable
from interpose.records.store import Store
from interpose.records.stored import Stored

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ("at", "call_id", "phase", "tool", "context", "hooks", "hook", "revision", "decision", "code", "kind", "note")


def rows(store: Store, what: str) -> list[Any]:
    return store.connection.execute(f"SELECT {what} FROM records ORDER BY era, sequence").fetchall()  # noqa: S608


def test_what_was_delivered_twice_is_stored_once(store: Store, make: Any) -> None:
    """The same number at the same time is the same record, in one batch and in the next."""
    store.add([make(1), make(2), make(1)])
    added = store.add([make(2), make(3)])

    assert (1, 1, []) == (added.new, added.repeated, added.notes)
    assert [(1,), (2,), (3,)] == rows(store, "sequence")


def test_the_same_record_under_another_number_is_stored_once(store: Store, make: Any) -> None:
    """A message id comes again, with the same bytes, when its window on the broker is over."""
    store.add([make(1, {"a": 1}, message_id="x")])
    added = store.add([make(2, {"a": 1}, message_id="x"), make(3, {"a": 1}, message_id=None)])

    assert (1, 1) == (added.new, added.repeated)
    assert [(1,), (3,)] == rows(store, "sequence")


def test_other_bytes_under_a_known_message_id_are_kept_and_told(store: Store, make: Any) -> None:
    """They are evidence: nothing is dropped that is not the same."""
    store.add([make(1, {"a": 1}, message_id="x")])
    added = store.add([make(2, {"a": 2}, message_id="x")])

    assert (1, 0, 1) == (added.new, added.repeated, len(added.notes))
    assert [(None,), ("another record stands under the same message id",)] == rows(store, "note")


def test_a_stream_that_began_anew_loses_nothing(store: Store, make: Any) -> None:
    """The same numbers at other times are other records, of another era; the order stays that of the streams."""
    store.add([make(1), make(2), make(3)])
    fresh = [make(n, {"again": n}, stored_ns=n + 10**15, message_id=f"new-{n}") for n in (1, 2)]

    added = store.add([*fresh, fresh[0]])

    assert (2, 1, 1) == (added.new, added.repeated, len(added.notes))
    assert [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)] == rows(store, "era, sequence")
    assert 2 == store.through()


def test_a_batch_is_stored_whole_or_not_at_all(store: Store, make: Any) -> None:
    """A full disk in the middle leaves what was there, and the same batch goes in when there is room again."""
    store.add([make(1)])
    (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    batch = [make(2), make(3, {"text": "x" * 100_000})]

    with pytest.raises(StoreUnavailable, match="full"):
        store.add(batch)
    before = rows(store, "sequence")
    store.connection.execute("PRAGMA max_page_count = 100000")
    store.add(batch)

    assert [(1,)] == before
    assert [(1,), (2,), (3,)] == rows(store, "sequence")


def test_a_locked_store_says_so(store: Store, path: Path, make: Any) -> None:
    """Another process that holds it makes the write fail, and nothing of it is stored."""
    store.connection.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreUnavailable, match="locked"):
        store.add([make(1)])
    other.close()

    assert 1 == store.add([make(1)]).new


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b'"\\ud800"', b"[" * 5000, b'{"a": 1} x'])
def test_bytes_that_are_no_json_are_stored_as_they_are(store: Store, make: Any, data: bytes) -> None:
    """With a note, under their number, and the batch goes on."""
    added = store.add([make(1, data), make(2)])

    [(stored, note), _] = rows(store, "data, note")
    assert (data, 2, 1) == (stored, added.new, len(added.notes))
    assert "no JSON" in note


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("tool.record.before.message", "call"),
        ("tool.record.after.x0", "call"),
        ("tool.record.registry", "registry"),
        ("tool.record.shadow.message", "shadow"),
        ("tool.record.what-may-come.a.b", "what-may-come"),
    ],
)
def test_every_kind_of_record_has_its_name(store: Store, make: Any, subject: str, kind: str) -> None:
    """Also kinds that this version has never heard of."""
    store.add([make(1, {"by": "x"}, subject)])

    assert [(kind, None)] == rows(store, "kind, note")


@given(
    body=ANY_JSON | st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, ANY_JSON)) | st.binary(),
    subject=st.text(max_size=20),
)
def test_nothing_that_can_stand_in_the_stream_stops_the_store(body: Any, subject: str) -> None:
    """Any JSON in any field, and any bytes, are stored and come back byte for byte."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    store = Store.temporary()

    store.add([Stored(1, f"tool.record.{subject}", None, 1, data)])

    assert [(data,)] == rows(store, "data")
    store.close()


def test_columns_of_a_record(store: Store, make: Any) -> None:
    """What a record is found by; the hooks stand beside it in their order."""
    hook = {"name": "a", "ending": "allow", "ms": 3, "warnings": ["ü"], "annotations": {"b": [1]}, "reason": None}
    body = {
        "at": "2026-01-02T03:04:05Z",
        "call_id": "c",
        "tool": "message",
        "kind": "Message",
        "context": {"user": "patrick", "session": "s"},
        "revision": 7,
        "hooks": [hook, {"name": "b"}],
    }
    store.add([make(1, body), make(2, {"at": "yesterday", "hook": {"name": "shadowed"}})])

    wanted = "call_id, tool, tool_kind, user, session, revision, at_us"
    assert ("c", "message", "Message", "patrick", "s", 7, 1767323045000000) == rows(store, wanted)[0]
    assert (2_000_000,) == rows(store, "at_us")[1]
    hooks = store.connection.execute("SELECT record_id, place, name, ms, warnings, annotations FROM hooks").fetchall()
    assert [
        (1, 0, "a", 3.0, '["ü"]', '{"b":[1]}'),
        (1, 1, "b", None, "[]", "{}"),
        (2, 0, "shadowed", None, "[]", "{}"),
    ] == hooks

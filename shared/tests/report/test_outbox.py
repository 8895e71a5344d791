"""The outbox: whole files on disk before anything is sent, each held by one, bounded in number and age."""

import os
from pathlib import Path

import pytest

from interpose.report import folder
from interpose.report.counters import Counted, MemoryCounters
from interpose.report.outbox import LONGEST_MS, Outbox

from .conftest import SetClock

FEW = 3


@pytest.fixture
def counters() -> MemoryCounters:
    """What was counted."""
    return MemoryCounters()


@pytest.fixture
def outbox(tmp_path: Path, counters: MemoryCounters, clock: SetClock) -> Outbox:
    """One that holds a few reports."""
    return Outbox(tmp_path, counters, clock.now_ms, most_files=FEW)


def left(outbox: Outbox, body: bytes) -> Path:
    """A report that its writer left behind."""
    parcel = outbox.put(body)
    assert parcel.path is not None
    parcel.close()
    return parcel.path


def test_a_report_is_a_file_with_the_bytes_to_send(outbox: Outbox, tmp_path: Path) -> None:
    """Readable by its owner alone, with nothing beside it."""
    parcel = outbox.put(b"a report")

    assert [parcel.path] == list(tmp_path.iterdir())
    assert parcel.path is not None
    assert (b"a report", 0o600) == (parcel.path.read_bytes(), parcel.path.stat().st_mode & 0o777)


def test_a_report_is_on_the_disk_before_it_has_its_name(
    outbox: Outbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First its bytes are made durable, then its name, then the folder."""
    seen: list[list[str]] = []
    fsync = os.fsync

    def watch(handle: int) -> None:
        seen.append([path.suffix for path in tmp_path.iterdir()])
        fsync(handle)

    monkeypatch.setattr(os, "fsync", watch)
    outbox.put(b"a report")

    assert [[".draft"], [".json"]] == seen


def test_who_holds_a_report_is_the_only_one(outbox: Outbox) -> None:
    """Its writer at first, then whoever opens it."""
    parcel = outbox.put(b"a report")
    assert parcel.path is not None
    assert None is outbox.open(parcel.path)
    parcel.close()

    opened = outbox.open(parcel.path)

    assert opened is not None
    assert b"a report" == opened.body
    assert None is outbox.open(parcel.path)


def test_a_report_that_arrived_is_gone(outbox: Outbox) -> None:
    """For everybody."""
    parcel = outbox.put(b"a report")
    assert parcel.path is not None
    parcel.remove()

    assert (None, None, []) == (outbox.open(parcel.path), outbox.due_ms(parcel.path), outbox.waiting())


def test_a_report_that_arrives_while_it_is_opened_is_not_sent_again(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever held it has removed it between our opening the file and our holding it."""
    path = left(outbox, b"a report")
    lock = folder.try_lock

    def late(handle: int) -> bool:
        path.unlink()
        return lock(handle)

    monkeypatch.setattr(folder, "try_lock", late)

    assert None is outbox.open(path)


def test_a_report_is_due_when_its_file_says(outbox: Outbox, clock: SetClock) -> None:
    """Its name keeps when it was written."""
    parcel = outbox.put(b"a report")
    assert parcel.path is not None
    parcel.postpone(clock.time_ms + 5_000)
    parcel.close()

    opened = outbox.open(parcel.path)

    assert clock.time_ms + 5_000 == outbox.due_ms(parcel.path)
    assert opened is not None
    assert clock.time_ms == opened.written_ms


def test_reports_wait_in_the_order_in_which_they_were_written(outbox: Outbox, clock: SetClock) -> None:
    """The oldest first."""
    bodies = [b"one", b"two", b"three"]
    for body in bodies:
        left(outbox, body)
        clock.time_ms += 1

    assert bodies == [path.read_bytes() for path in outbox.waiting()]


def test_the_oldest_reports_make_room(
    outbox: Outbox, clock: SetClock, counters: MemoryCounters, caplog: pytest.LogCaptureFixture
) -> None:
    """More than a few are never kept, and what is dropped is counted and said."""
    for number in range(FEW + 2):
        left(outbox, b"%d" % number)
        clock.time_ms += 1

    assert [b"2", b"3", b"4"] == [path.read_bytes() for path in outbox.waiting()]
    assert 2 == counters.read()[Counted.DROPPED]
    assert ["a report was dropped: more than 3 reports wait"] * 2 == caplog.messages


def test_a_report_that_is_being_sent_is_not_dropped(outbox: Outbox, clock: SetClock, counters: MemoryCounters) -> None:
    """Its sender holds it."""
    held = outbox.put(b"held")
    for _ in range(FEW):
        clock.time_ms += 1
        left(outbox, b"more")

    assert held.path in outbox.waiting()
    assert 0 == counters.read()[Counted.DROPPED]


def test_a_report_that_is_too_old_is_dropped(
    outbox: Outbox, clock: SetClock, counters: MemoryCounters, caplog: pytest.LogCaptureFixture
) -> None:
    """Counted as expired."""
    path = left(outbox, b"old")
    clock.time_ms += LONGEST_MS + 1

    assert None is outbox.open(path)
    assert ([], 1) == (outbox.waiting(), counters.read()[Counted.EXPIRED])
    assert ["a report was dropped: it waited too long for the gateway"] == caplog.messages


def test_what_a_killed_writer_left_is_cleared_away(outbox: Outbox, tmp_path: Path, clock: SetClock) -> None:
    """Once it is certain that nobody writes it any more; it is never sent."""
    draft = tmp_path / f"{clock.time_ms:014d}-0123.draft"
    draft.write_bytes(b"half a rep")
    foreign = tmp_path / "notes.txt"
    foreign.write_bytes(b"somebody's")
    left(outbox, b"one")
    assert draft.exists()
    clock.time_ms += LONGEST_MS + 1

    left(outbox, b"two")

    assert (False, True) == (draft.exists(), foreign.exists())


def test_a_report_that_cannot_be_kept_can_still_be_sent(
    tmp_path: Path, counters: MemoryCounters, clock: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    """The folder is gone; the report is not."""
    parcel = Outbox(tmp_path / "gone", counters, clock.now_ms).put(b"a report")
    parcel.postpone(5)
    parcel.remove()

    assert (b"a report", False) == (parcel.body, parcel.is_kept)
    assert [f"a report cannot be kept in {tmp_path}/gone: No such file or directory"] == caplog.messages


def test_a_disk_that_is_full_leaves_no_half_report(
    outbox: Outbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither under its name nor as a draft."""

    def full(_handle: int, _data: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)

    assert False is outbox.put(b"a report").is_kept
    assert [] == list(tmp_path.iterdir())

"""A file's stamp differs exactly when somebody touched the file."""

import os

import pytest

from interpose.config.stamp import Stamp


@pytest.fixture
def file(tmp_path):
    """A file with six bytes, older than a tick of the clock that stamps files."""
    path, later = tmp_path / "file", tmp_path / "later"
    path.write_text("before")
    while later.write_text("") or later.stat().st_ctime_ns == path.stat().st_ctime_ns:
        pass
    return path


def replace(path):
    """Another file in its place, of the same size and time."""
    status = path.stat()
    other = path.with_name("other")
    other.write_text("behind")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


def rewrite(path):
    """Other text of the same size, its time set back."""
    status = path.stat()
    path.write_text("behind")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_file_that_nobody_touches_keeps_its_stamp(file):
    """Reading a file is no change of it."""
    stamp = Stamp.of(file)
    file.read_text()

    assert stamp == Stamp.of(file)


@pytest.mark.parametrize(
    "touch",
    [replace, rewrite, lambda path: path.write_text("more text"), lambda path: path.chmod(0o400)],
    ids=["replaced", "rewritten with its old time", "grown", "protected"],
)
def test_a_touched_file_has_another_stamp(file, touch):
    """Writing, replacing and protecting a file show, also where size and time were made to look the same."""
    stamp = Stamp.of(file)
    touch(file)

    assert stamp != Stamp.of(file)


@pytest.mark.parametrize("name", ["missing", "file/below"])
def test_what_cannot_be_looked_at_has_none(file, name):
    """A file that is not there has no stamp."""
    assert Stamp.of(file.parent / name) is None

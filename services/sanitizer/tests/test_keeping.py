"""What was read off the rules is found again while nothing changed, and never taken for something else."""

import subprocess
import sys
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from interpose_sanitizer import keeping, rules
from interpose_sanitizer.keeping import kept
from interpose_sanitizer.rules import Place
from interpose_sanitizer.sought import shipped_ways, ways_of

PATTERNS = [rule.pattern for rule in rules.shipped(Place.ENCODED)[::40]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python keeps what it compiles."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def counted() -> tuple[list[int], Callable[[], list[int]]]:
    """How often something is made, and what makes it."""
    made: list[int] = []

    def make() -> list[int]:
        made.append(len(made))
        return [len(made)]

    return made, make


def file_in(folder: Path) -> Path:
    """The one that was kept."""
    (file,) = folder.rglob("rules.*.kept")
    return file


def test_what_was_kept_is_found_again(folder: Path) -> None:
    """It is made once, and others may read it."""
    made, make = counted()

    assert kept("test", ["a"], make) == kept("test", ["a"], make) == [1]
    assert made == [0]
    assert file_in(folder).stat().st_mode & 0o444 == 0o444


def test_it_is_made_anew_for_other_patterns_and_other_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last one made is the one that is kept."""
    made, make = counted()
    kept("test", ["a"], make)

    assert kept("test", ["b"], make) == [2]
    monkeypatch.setattr(keeping, "_code", lambda: b"other")
    assert kept("test", ["b"], make) == [3]
    assert made == [0, 1, 2]


@pytest.mark.parametrize(
    "spoil", [lambda was: was[:-1], lambda was: was[:-1] + b"x", lambda was: b"", lambda was: was[:40]]
)
def test_it_is_made_anew_where_the_file_is_torn(folder: Path, spoil: Callable[[bytes], bytes]) -> None:
    """What is in it is not even looked at."""
    _, make = counted()
    kept("test", ["a"], make)
    file_in(folder).write_bytes(spoil(file_in(folder).read_bytes()))

    assert kept("test", ["a"], make) == [2]


def test_nobody_has_to_be_able_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept then, and nothing where Python is told to keep nothing."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "file"))
    _, make = counted()

    assert [kept("test", ["a"], make), kept("test", ["a"], make)] == [[1], [2]]
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "folder"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [kept("test", ["a"], make), kept("test", ["a"], make)] == [[3], [4]]


@pytest.mark.parametrize("gapless", [False, True])
def test_what_is_sought_is_the_same_when_it_was_kept(folder: Path, gapless: bool) -> None:
    """For some of the rules that are shipped, to the last word."""
    first, again = (shipped_ways(PATTERNS, gapless) for _ in range(2))

    plain = [[(tuple(map(tuple, way.phrases)), *way[1:]) for way in ways] for ways in ways_of(PATTERNS, gapless)]
    for known in (first, again):
        assert [[(tuple(map(tuple, way.phrases)), *way[1:]) for way in ways] for ways in known] == plain
    assert file_in(folder).stat().st_size


def test_a_further_start_makes_nothing_anew() -> None:
    """Each list is kept under a name of its own: of two with one name each start would make one anew. The first start
    makes what a change of the rules needs, where `make setup` did not."""
    folder = Path(cache_from_source(keeping.__file__)).parent

    def start() -> dict[Path, int]:
        subprocess.run([sys.executable, "-m", keeping.__name__], check=True)
        return {file: file.stat().st_mtime_ns for file in folder.glob("rules.*.kept")}

    first = start()

    assert {"rules.words.kept", "rules.lists-words.kept", "rules.lists-concepts.kept"} <= {one.name for one in first}
    assert start() == first

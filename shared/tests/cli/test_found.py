"""`interpose run`: what it finds in a file, and what it says when there is nothing."""

import sys
from pathlib import Path

import pytest

from interpose.cli.found import load
from interpose.errors import ConfigurationError

TWO = 'from interpose import Hook, Tool\none = Hook("first")\nalso = one\ntwo = Tool("second")\n'


def write(folder: Path, text: str, name: str = "rules.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def _clean_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_the_one_hook_of_a_file_is_found(tmp_path: Path) -> None:
    """Under whatever name, and once although two names mean it."""
    found = load(write(tmp_path, 'from interpose import Hook\na = Hook("only")\nb = a\n'))

    assert ("only", "service") == (found.name, found.role)


def test_a_tool_is_found(tmp_path: Path) -> None:
    """Its role is `tool`."""
    found = load(write(tmp_path, 'from interpose import Tool\nt = Tool("echo")\n'))

    assert ("echo", "tool") == (found.name, found.role)


def test_one_of_several_is_chosen_by_name(tmp_path: Path) -> None:
    """By the hook's own name, not by the variable's."""
    assert load(write(tmp_path, TWO), "second").role == "tool"


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("x = 1\n", None, "holds no hook and no tool: write"),
        (TWO, None, r"holds several: first, second; name one, as in `interpose run .*rules\.py first`"),
        (TWO, "third", "holds no third; there are: first, second"),
        ("import absent_module\n", None, r"rules\.py cannot be imported: line 1: ModuleNotFoundError: .*absent_module"),
        ("\n\n1 / 0\n", None, "line 3: ZeroDivisionError"),
        ("def broken(:\n", None, "line 1: SyntaxError"),
    ],
)
def test_a_file_that_cannot_be_served_says_why(tmp_path: Path, text: str, name: str | None, sentence: str) -> None:
    """One sentence with the place and the remedy."""
    with pytest.raises(ConfigurationError, match=sentence):
        load(write(tmp_path, text), name)


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    """And so is a file that is no Python."""
    with pytest.raises(ConfigurationError, match="there is no file"):
        load(tmp_path / "absent.py")
    with pytest.raises(ConfigurationError, match=r"its name ends in \.py"):
        load(write(tmp_path, "", "rules.txt"))


def test_a_file_imports_what_stands_beside_it(tmp_path: Path) -> None:
    """A rule may be split over files, and may be called as a module of the standard library is."""
    write(tmp_path, 'NAME = "beside"\n', "interpose_test_neighbour.py")
    text = "from interpose_test_neighbour import NAME\nfrom interpose import Hook\nhook = Hook(NAME)\n"

    assert load(write(tmp_path, text, "json.py")).name == "beside"

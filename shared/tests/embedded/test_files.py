"""Files with secrets."""

import os
import stat
from pathlib import Path

import pytest

from interpose.embedded.files import create_private, make_folder, replace_private
from interpose.embedded.home import Home
from interpose.errors import ConfigurationError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def _open_umask() -> object:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_open_umask")
def test_every_folder_and_file_of_a_home_is_its_owners_alone(tmp_path: Path) -> None:
    """Whatever the umask: folders 0700, files 0600."""
    home = Home(tmp_path / "home").prepared()
    create_private(home.seed("operator"), b"secret")
    replace_private(home.clients, b"{}")

    assert {0o700} == {mode(path) for path in [home.root, *home.root.rglob("*")] if path.is_dir()}
    assert {0o600} == {mode(path) for path in home.root.rglob("*") if path.is_file()}


def test_a_file_that_exists_is_kept(tmp_path: Path) -> None:
    """The second creation changes nothing and says so."""
    created = [create_private(tmp_path / "seed", data) for data in (b"first", b"second")]

    assert [True, False] == created
    assert b"first" == (tmp_path / "seed").read_bytes()


@pytest.mark.parametrize("wide", [0o604, 0o640, 0o620])
def test_a_secret_that_others_may_touch_is_refused(tmp_path: Path, wide: int) -> None:
    """An existing secret with a wider mode is not used: the sentence names the mode and the remedy."""
    path = tmp_path / "seed"
    path.touch()
    path.chmod(wide)

    with pytest.raises(ConfigurationError, match=f"chmod 600 .*seed(.|\n)*{wide:04o}"):
        create_private(path, b"secret")


def test_a_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    """A state folder that was made by hand with the usual mode is refused with the remedy."""
    tmp_path.chmod(0o755)

    with pytest.raises(ConfigurationError, match="chmod 700"):
        make_folder(tmp_path)


def test_replacing_leaves_no_draft(tmp_path: Path) -> None:
    """After a replacement there is one file with the new bytes."""
    path = tmp_path / "clients.json"
    replace_private(path, b"old")

    replace_private(path, b"new")

    assert [path] == list(tmp_path.iterdir())
    assert b"new" == path.read_bytes()


def test_a_home_is_found_by_option_then_environment_then_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option wins over INTERPOSE_HOME, which wins over `./.interpose`; all are absolute."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INTERPOSE_HOME", "from-environment")
    named, environment = Home.find(Path("given")), Home.find()
    monkeypatch.delenv("INTERPOSE_HOME")

    roots = [named.root, environment.root, Home.find().root]

    assert [tmp_path / "given", tmp_path / "from-environment", tmp_path / ".interpose"] == roots


def test_a_home_is_invisible_to_version_control(tmp_path: Path) -> None:
    """The folder ignores itself, so that no key is committed by accident."""
    home = Home(tmp_path / "home").prepared()

    assert "*\n" == (home.root / ".gitignore").read_text()

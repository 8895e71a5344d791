"""Which file is the configuration."""

from pathlib import Path

import pytest

from interpose.config.find import NAMES, find_configuration
from interpose.errors import ConfigurationError


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """An empty working folder and an empty home; nothing named."""
    for name in ("work", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("INTERPOSE_CONFIG", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


def put(*parts) -> Path:
    """An empty file, folders and all."""
    path = Path(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_nothing_is_found_where_there_is_nothing():
    """No file is no error: whoever asked decides what that means."""
    assert find_configuration() is None


def test_a_named_file_comes_first(folders, monkeypatch):
    """`--config` wins over everything, and need not exist yet."""
    monkeypatch.setenv("INTERPOSE_CONFIG", str(put("named.json").absolute()))
    put("interpose.json")

    assert folders / "work" / "other.json" == find_configuration(Path("other.json"))


def test_the_environment_comes_second(folders, monkeypatch):
    """`INTERPOSE_CONFIG` wins over the folders."""
    put("interpose.json")
    monkeypatch.setenv("INTERPOSE_CONFIG", "../elsewhere.yaml")

    assert folders / "work" / ".." / "elsewhere.yaml" == find_configuration()


def test_an_empty_variable_names_nothing(folders, monkeypatch):
    """A variable that is set to nothing is not set."""
    monkeypatch.setenv("INTERPOSE_CONFIG", "")
    put("interpose.json")

    assert folders / "work" / "interpose.json" == find_configuration()


@pytest.mark.parametrize("name", NAMES)
def test_the_working_folder_comes_third(folders, name):
    """Each of the three names is found there, before the user's folder."""
    put(folders, "home", ".config", "interpose", "interpose.json")
    put(name)

    assert folders / "work" / name == find_configuration()


@pytest.mark.parametrize("name", NAMES)
def test_the_users_folder_comes_last(folders, name):
    """`~/.config/interpose` where XDG_CONFIG_HOME says nothing."""
    expected = put(folders, "home", ".config", "interpose", name)

    assert expected == find_configuration()


def test_xdg_config_home_moves_the_users_folder(folders, monkeypatch):
    """An absolute path is followed."""
    put(folders, "home", ".config", "interpose", "interpose.json")
    expected = put(folders, "xdg", "interpose", "interpose.yaml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folders / "xdg"))

    assert expected == find_configuration()


def test_a_relative_xdg_config_home_is_ignored(folders, monkeypatch):
    """As the XDG base directory specification demands."""
    put("xdg", "interpose", "interpose.yaml")
    expected = put(folders, "home", ".config", "interpose", "interpose.json")
    monkeypatch.setenv("XDG_CONFIG_HOME", "xdg")

    assert expected == find_configuration()


@pytest.mark.parametrize("names", [NAMES[:2], NAMES[1:], NAMES[::2]])
def test_two_candidates_in_one_folder_are_an_error(folders, names):
    """Nobody guesses which one was meant; both are named."""
    paths = [put(folders, "work", name) for name in names]

    with pytest.raises(ConfigurationError) as caught:
        find_configuration()

    both = f"{paths[0]} and {paths[1]}"
    assert f"two configurations stand side by side, {both}: keep one, or name one with --config" == str(caught.value)


def test_a_link_that_leads_nowhere_is_still_the_configuration(folders):
    """No other folder's rules take the place of the ones that were meant."""
    put(folders, "home", ".config", "interpose", "interpose.json")
    Path("interpose.json").symlink_to("gone.json")

    assert folders / "work" / "interpose.json" == find_configuration()

"""Which script serves which hook, and how a changed file is noticed."""

import json
import os

import pytest

from interpose.config.load import load
from interpose.contracts.config import Configuration
from interpose.contracts.words import Phase
from interpose.errors import ConfigurationError
from interpose_script_runner.scripts import Scripts, ScriptsFile

HOOKS = {
    "before:message.send": [{"name": "enforcer", "script": "./enforcer"}],
    "after:web_fetch": [{"name": "sanitizer", "script": "/opt/sanitizer", "transform": True}],
    "before:*": [{"name": "logger", "script": "./logger"}, {"name": "served", "service": "validator"}],
    "after:*": [{"name": "logger", "script": "./logger"}],
}


@pytest.fixture
def file(tmp_path):
    """A configuration file with script hooks."""
    path = tmp_path / "interpose.json"
    path.write_text(json.dumps({"hooks": HOOKS}))
    return path


@pytest.fixture
def scripts(file):
    """The scripts of that file, watched."""
    return ScriptsFile(file, lambda path: load(path).configuration)


@pytest.mark.parametrize(
    ("name", "phase", "script", "transforming"),
    [
        ("enforcer", Phase.BEFORE, "enforcer", False),
        ("sanitizer", Phase.AFTER, "/opt/sanitizer", True),
        ("logger", Phase.BEFORE, "logger", False),
        ("logger", Phase.AFTER, "logger", False),
    ],
)
def test_finds_by_name_and_phase(scripts, tmp_path, name, phase, script, transforming):
    """A script hook is found by its name in each phase it is configured for; its path is whole."""
    hook = scripts.find(name, phase)

    assert (str(tmp_path / script), transforming) == (hook.script, hook.transforming)


@pytest.mark.parametrize(
    ("name", "phase"),
    [("enforcer", Phase.AFTER), ("sanitizer", Phase.BEFORE), ("served", Phase.BEFORE), ("other", Phase.BEFORE)],
)
def test_finds_nothing_else(scripts, name, phase):
    """A name of the other phase, of a service, or of nobody has no script."""

    assert scripts.find(name, phase) is None


def test_no_hooks_no_scripts():
    """A configuration that enforces nothing has no scripts."""

    assert Scripts.from_configuration(Configuration(hooks={})).find("enforcer", Phase.BEFORE) is None


def test_a_written_file_is_read_again(scripts, file):
    """A hook that the file has lost is no longer served, and a new one is."""
    file.write_text(json.dumps({"hooks": {"before:*": [{"name": "new", "script": "./new"}]}}))

    assert scripts.find("enforcer", Phase.BEFORE) is None
    assert scripts.find("new", Phase.BEFORE).script == str(file.parent / "new")


def test_a_replaced_file_is_read_again(scripts, file):
    """A file put in place of the old one, same size and same time, is noticed."""
    before = file.stat()
    other = file.with_name("other")
    other.write_text(file.read_text().replace("./enforcer", "./tightest"))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)

    assert (before.st_size, before.st_mtime_ns) == (file.stat().st_size, file.stat().st_mtime_ns)
    assert str(file.parent / "tightest") == scripts.find("enforcer", Phase.BEFORE).script


@pytest.mark.parametrize("broken", ["", "{", '{"hooks": {"befor:*": []}}', "{}", None])
def test_a_broken_file_changes_nothing(scripts, file, caplog, broken):
    """The last good version stays in force while the file is broken or gone; the log says so once."""
    if broken is None:
        file.unlink()
    else:
        file.write_text(broken)

    assert [str(file.parent / "enforcer")] * 3 == [scripts.find("enforcer", Phase.BEFORE).script for _ in range(3)]
    assert ["ERROR"] == [record.levelname for record in caplog.records]


def test_a_mended_file_counts_again(scripts, file):
    """After a broken version, the next good one is in force."""
    file.write_text("{")
    scripts.find("enforcer", Phase.BEFORE)
    file.write_text('{"hooks": {}}')

    assert scripts.find("enforcer", Phase.BEFORE) is None


@pytest.mark.parametrize("broken", ["{", None])
def test_the_first_reading_must_be_good(tmp_path, broken):
    """A runner without any good configuration does not start."""
    path = tmp_path / "interpose.json"
    if broken is not None:
        path.write_text(broken)
    with pytest.raises(ConfigurationError, match=r"interpose\.json"):
        ScriptsFile(path, lambda path: load(path).configuration)

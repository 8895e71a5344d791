"""Which script serves which hook."""

import pytest

from interpose.config.load import load
from interpose.contracts.registry import Owner
from interpose.contracts.words import Phase
from interpose.registry.changes import now, switched, with_file
from interpose_script_runner.scripts import Scripts

HOOKS = """{"hooks": {
    "before:message.send": [{"name": "enforcer", "script": "./enforcer"}],
    "after:web_fetch": [{"name": "sanitizer", "script": "/opt/sanitizer", "transform": true}],
    "before:*": [{"name": "logger", "script": "./logger"}, {"name": "served", "service": "validator"}],
    "after:*": [{"name": "logger", "script": "./logger"}]
}}"""


@pytest.fixture
def document(tmp_path):
    """The document of a file with script hooks."""
    path = tmp_path / "interpose.json"
    path.write_text(HOOKS)
    return with_file(None, load(path).configuration, str(path), now("x", "x")).document


@pytest.mark.parametrize(
    ("name", "phase", "script", "transforming"),
    [
        ("enforcer", Phase.BEFORE, "enforcer", False),
        ("sanitizer", Phase.AFTER, "/opt/sanitizer", True),
        ("logger", Phase.BEFORE, "logger", False),
        ("logger", Phase.AFTER, "logger", False),
    ],
)
def test_finds_by_name_and_phase(document, tmp_path, name, phase, script, transforming):
    """A script hook is found by its name in each phase it is in force for; its path is whole."""
    hook = Scripts.of(document).find(name, phase)

    assert (str(tmp_path / script), transforming) == (hook.script, hook.transforming)


@pytest.mark.parametrize(
    ("name", "phase"),
    [("enforcer", Phase.AFTER), ("sanitizer", Phase.BEFORE), ("served", Phase.BEFORE), ("other", Phase.BEFORE)],
)
def test_finds_nothing_else(document, name, phase):
    """A name of the other phase, of a service, or of nobody has no script."""

    assert Scripts.of(document).find(name, phase) is None


def test_a_disabled_hook_has_no_script(document):
    """It is not in force, and its neighbours are."""
    scripts = Scripts.of(switched(document, "logger", now("x", "x"), enabled=False))

    assert scripts.find("logger", Phase.BEFORE) is None
    assert scripts.find("enforcer", Phase.BEFORE) is not None


@pytest.mark.parametrize(("owner", "is_found"), [(Owner.FILE, True), (Owner.OPERATOR, True), (Owner.WORKER, False)])
def test_only_a_person_names_a_script(document, owner, is_found):
    """What came in with a worker runs no program here."""
    [own] = document.of("enforcer")
    theirs = document.model_copy(update={"entries": [own.model_copy(update={"owner": owner})]})

    assert is_found is (Scripts.of(theirs).find("enforcer", Phase.BEFORE) is not None)

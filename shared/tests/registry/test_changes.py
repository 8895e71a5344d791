"""From one document to the next: whose hooks stay, who may add, what a person set and a file keeps."""

import os

import pytest

from interpose.contracts.config import Configuration
from interpose.contracts.registry import Document, Manifest, Owner
from interpose.errors import ConfigurationError
from interpose.registry.changes import again, entry_of, now, somebody, switched, with_file, with_manifest, without

from .conftest import SOURCE, Make, spec

APPLIED = now("tester", "test")


def manifest(name: str, *keys: str) -> Manifest:
    """What a worker of that hook announces."""
    return Manifest(name=name, service=name, keys=list(keys or ("before:Bash",)))


def announced(before: Document, name: str, owner: Owner = Owner.WORKER, *keys: str) -> Document:
    """The document with that hook registered."""
    said = manifest(name, *keys)
    return with_manifest(before, said, entry_of(said, owner, f"{name}-1"), APPLIED)


def names(document: Document) -> list[tuple[str, str, str]]:
    """Key, name and owner of each entry."""
    return [(entry.key, entry.hook.name, entry.owner.value) for entry in document.entries]


def test_a_file_replaces_the_files_hooks_alone(document: Make) -> None:
    """The last file's are gone, a worker's and an operator's stay, behind the new ones."""
    before = announced(announced(document({"before:*": [spec("old")]}), "worker"), "mine", Owner.OPERATOR)

    after = document({"before:*": [spec("new")]}, before)

    expected = [("before:*", "new", "file"), ("before:Bash", "worker", "worker"), ("before:Bash", "mine", "operator")]
    assert expected == names(after)


def test_a_file_claims_its_names(document: Make) -> None:
    """A worker's hook of the same name becomes the file's, and that is told."""
    before = announced(document({}), "taken")
    configuration = Configuration.model_validate({"hooks": {"before:*": [spec("taken")]}}, by_name=False)

    changed = with_file(before, configuration, SOURCE, APPLIED)

    assert [("before:*", "taken", "file")] == names(changed.document)
    assert ("taken was the worker's (taken-1) and is the file's now",) == changed.notes


def test_what_a_person_disabled_stays_so(document: Make) -> None:
    """The next apply of the file keeps the flag under every key of the name, and tells it."""
    rules = {"before:*": [spec("a")], "after:*": [spec("a")], "before:x": [spec("b")]}
    before = switched(document(rules), "a", APPLIED, enabled=False)
    configuration = Configuration.model_validate({"hooks": rules}, by_name=False)

    changed = with_file(before, configuration, SOURCE, APPLIED)

    assert {"a": False, "b": True} == {entry.hook.name: entry.enabled for entry in changed.document.entries}
    assert ("a stays disabled: `interpose hooks enable a`",) == changed.notes


def test_a_manifest_adds_under_each_of_its_keys(document: Make) -> None:
    """Behind all others, in the worker's order; what stands beside the hooks is untouched."""
    before = document({"before:*": [spec("a")]}, registration="open", tools={"t": {"actionFrom": None}})

    after = announced(before, "b", Owner.WORKER, "before:x", "after:y")

    assert [("before:*", "a", "file"), ("before:x", "b", "worker"), ("after:y", "b", "worker")] == names(after)
    assert before.to_wire()["tools"] == after.to_wire()["tools"]


@pytest.mark.parametrize("owner", list(Owner))
def test_a_manifest_alters_nobodys_hook(document: Make, owner: Owner) -> None:
    """A name that is taken is refused, whoever has it, and the refusal names the owner and the way out."""
    before = document({"before:*": [spec("a")]}) if owner is Owner.FILE else announced(document({}), "a", owner)

    with pytest.raises(ConfigurationError, match=f"the {owner}'s.*interpose hooks remove a"):
        announced(before, "a")


def test_removing_takes_every_entry_of_the_name(document: Make) -> None:
    """And no other."""
    before = document({"before:*": [spec("a"), spec("b")], "after:*": [spec("a")]})

    assert [("before:*", "b", "file")] == names(without(before, "a", APPLIED))


def test_a_name_that_is_not_there_is_told_with_those_that_are(document: Make) -> None:
    """For removing and for disabling alike."""
    before = document({"before:*": [spec("a"), spec("b")]})

    with pytest.raises(ConfigurationError, match="no hook c in the registry; there are: a, b"):
        without(before, "c", APPLIED)
    with pytest.raises(ConfigurationError, match="there are: none"):
        switched(document({}), "c", APPLIED, enabled=False)


def test_an_older_document_comes_back_whole(document: Make) -> None:
    """With its own digest, and with who brought it back."""
    old = switched(document({"before:*": [spec("a")]}), "a", APPLIED, enabled=False)

    back = again(old, now("somebody", "rollback to 3"))

    assert (old.digest, "rollback to 3") == (back.digest, back.applied.what)


def test_a_user_without_a_name_is_told_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container the user may stand in no list of users, and in no variable."""
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 4_123_456_789)

    assert somebody().startswith("uid-4123456789@")

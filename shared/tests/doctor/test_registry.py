"""The doctor's checks of the registry: what stands, who plans on it, and what the file says."""

from pathlib import Path

import orjson
import pytest

from interpose.bus.presence import Present
from interpose.config.load import load
from interpose.contracts.registry import Document
from interpose.doctor.finding import Finding, State
from interpose.doctor.registry import check_document, check_file, check_gateways
from interpose.registry.apply import next_of
from interpose.registry.version import Version

EMPTY = Version(0, None, "nothing was ever put in force")
RULES = '{"hooks": {"before:*": [{"name": "a", "service": "b"}]}}'


def applied(file: Path, text: str = RULES) -> Document:
    """The document that this file makes."""
    file.write_text(text)
    return next_of(EMPTY, load(file), "ann@host").document


def version(document: Document) -> Version:
    """It stands as revision 4."""
    return Version(4, orjson.dumps(document.to_wire()))


def gateway(instance: str, revision: str | None) -> Present:
    """A gateway that says so of itself."""
    metadata = {"instance": instance} | ({} if revision is None else {"revision": revision})
    return Present(name="gateway", id=instance, metadata=metadata)


def states(findings: list[Finding]) -> list[State]:
    """What is not ok must have a remedy."""
    assert all(finding.remedy for finding in findings if finding.state is not State.OK)
    return [finding.state for finding in findings]


def test_a_good_document_is_good(tmp_path: Path) -> None:
    """With who applied it."""
    [finding] = check_document(version(applied(tmp_path / "interpose.json")))

    assert (State.OK, True) == (finding.state, "revision 4, applied by ann@host" in finding.said)


@pytest.mark.parametrize("bad", [EMPTY, Version(5, b"garbage"), Version(5, b"{}")])
def test_no_document_and_garbage_are_bad(bad: Version) -> None:
    """Every call may be refused by now."""
    assert [State.BAD] == states(list(check_document(bad)))


def test_what_is_switched_off_is_noted(tmp_path: Path) -> None:
    """By name."""
    document = applied(tmp_path / "interpose.json")
    off = document.model_copy(
        update={"entries": [entry.model_copy(update={"enabled": False}) for entry in document.entries]}
    )

    assert [State.OK, State.NOTE] == states(list(check_document(version(off))))


@pytest.mark.parametrize(
    ("gateways", "expected"),
    [
        ([gateway("g-1", "4"), gateway("g-2", "4")], [State.OK, State.OK]),
        ([gateway("g-1", "4"), gateway("g-2", "3")], [State.OK, State.BAD]),
        ([gateway("g-1", None)], [State.BAD]),
        ([], [State.BAD]),
    ],
)
def test_every_gateway_must_plan_on_what_is_in_force(gateways: list[Present], expected: list[State]) -> None:
    """One that lags behind is named; none at all is bad."""
    assert expected == states(list(check_gateways(4, gateways)))


def test_a_file_that_is_in_force_is_good_and_another_is_noted(tmp_path: Path) -> None:
    """The file may have been changed, or another one applied."""
    file = tmp_path / "interpose.json"
    stands = version(applied(file))

    assert State.OK is check_file(stands, load(file)).state
    file.write_text(RULES.replace('"a"', '"c"'))
    assert [State.NOTE] == states([check_file(stands, load(file))])

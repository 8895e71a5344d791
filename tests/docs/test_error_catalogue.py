"""The error catalogue is whole: whatever code the sources put into an answer or an alarm has an entry."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpose.contracts.codes import Where, catalogue, find, similar
from interpose.contracts.words import Failure
from interpose_gateway.adapters.openapi import AGENT_STATUSES, STATUSES

SAYS = {"refuse", "withhold", "stop", "refuse_at_door", "alarm", "reject", "CutOff"}
"""The functions that take a code."""
WORD = re.compile(r"[a-z]+(-[a-z]+)+")
OTHER = {"x-request-id", "content-length", "content-type", "user-agent"}


def codes_of(source: str) -> Iterator[str]:
    """The codes that a module says: arguments of the functions above, constants, and names of a code."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in SAYS:
                for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                    yield from _words(argument)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.isupper():
                yield from _words(value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for name, value in zip(names, values, strict=False):
                    if isinstance(name, ast.Name) and "code" in name.id:
                        yield from _words(value)


def _words(node: ast.expr) -> Iterator[str]:
    for each in [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]:
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and WORD.fullmatch(each.value):
            yield each.value


def said(root: Path) -> set[str]:
    """Every code of the gateway."""
    files = (root / "services/gateway/src").rglob("*.py")
    return {code for file in files for code in codes_of(file.read_text())} - OTHER


def test_every_code_of_the_gateway_has_an_entry(root: Path) -> None:
    """A code that somebody adds without an entry is named here."""
    known = {entry.code for entry in catalogue()}

    assert len(said(root)) > 15
    assert set() == said(root) - known


def test_a_code_that_is_said_in_any_way_is_found() -> None:
    """The search sees arguments, constants, conditions and pairs."""
    source = """
LATE = "very-late"
refuse("a-first", "why")
self.at.observer.alarm("b-second", "why")
status, code = (413, "c-third")
Decided(CutOff("detail", code="d-fourth"))
refuse("e-fifth" if unknown else "f-sixth", "why")
"""

    assert {"very-late", "a-first", "b-second", "c-third", "d-fourth", "e-fifth", "f-sixth"} == set(codes_of(source))


@pytest.mark.parametrize("failure", Failure)
def test_every_failure_has_an_entry(failure: Failure) -> None:
    """Why a hook gave no verdict is explained under either spelling."""
    entry = find(failure.value)

    assert entry is not None
    assert Where.FAILURE in entry.where
    assert entry is find(failure.replace("_", "-"))


def test_entries_stand_once_and_in_order() -> None:
    """Sorted by name, no name twice."""
    names = [entry.code for entry in catalogue()]

    assert sorted(set(names)) == names


def test_statuses_are_those_of_the_api() -> None:
    """No entry names a status that the gateway does not answer."""
    named = {status for entry in catalogue() for status in entry.statuses}

    assert set() == named - {int(status) for status in STATUSES | AGENT_STATUSES}


def test_a_misspelled_code_is_met_with_those_that_look_alike() -> None:
    """Up to three of them."""
    assert ["no-responders"] == similar("no_responder")
    assert find("no_responder") is None

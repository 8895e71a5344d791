"""`interpose explain-error`: one code, all codes, an unknown one."""

import json
from collections.abc import Callable
from typing import Any

from interpose.contracts.codes import catalogue


def test_a_code_is_explained_with_its_remedy(interpose: Callable[..., Any]) -> None:
    """Either spelling; meaning, cause and remedy."""
    ran = interpose("explain-error", "NO_RESPONDERS")

    assert ran.code == 0
    assert ran.out.startswith("no-responders  (status 403)\n")
    assert ["means", "cause", "remedy"] == [line.split()[0] for line in ran.out.splitlines()[1:]]


def test_without_a_code_all_are_listed(interpose: Callable[..., Any]) -> None:
    """One line each."""
    ran = interpose("explain-error")

    assert [entry.code for entry in catalogue()] == [line.split()[0] for line in ran.out.splitlines()]


def test_as_json_an_entry_is_an_object(interpose: Callable[..., Any]) -> None:
    """With every field."""
    ran = interpose("explain-error", "no-registry", "--json")

    assert [503] == json.loads(ran.out)["statuses"]


def test_an_unknown_code_is_an_error_that_helps(interpose: Callable[..., Any]) -> None:
    """What was meant, and who else chooses codes."""
    ran = interpose("explain-error", "budget-used")

    assert (1, "") == (ran.code, ran.out)
    assert "Did you mean budget-used-up?" in ran.err
    assert "hooks may choose codes of their own" in ran.err

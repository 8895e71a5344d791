"""`--verbose`: every effect, every verdict and every failure has its sentence."""

from typing import Any

import pytest

from interpose.cli.explain_hook import explain
from interpose.contracts.words import Effect, Failure, Phase, VerdictKind


def hook(**fields: Any) -> dict[str, Any]:
    """A hook of an answer."""
    return {"name": "rule", "phase": Phase.BEFORE.value, "effect": "passed", "ms": 1.25, **fields}


@pytest.mark.parametrize("effect", Effect)
def test_every_effect_has_words_of_its_own(effect: Effect) -> None:
    """No sentence ends with the bare word of the contract."""
    [sentence, *_] = explain(hook(effect=effect.value))

    assert not sentence.endswith(f": {effect.value}")


@pytest.mark.parametrize("kind", VerdictKind)
def test_every_verdict_has_words_of_its_own(kind: VerdictKind) -> None:
    """What the hook said, in words."""
    said = {explain(hook(verdict=each.value))[0] for each in VerdictKind}

    assert len(VerdictKind) == len(said)
    assert "cut off" not in explain(hook(verdict=kind.value))[0]


@pytest.mark.parametrize("failure", Failure)
def test_a_failure_leads_to_its_explanation(failure: Failure) -> None:
    """The command to type is there."""
    lines = explain(hook(failure=failure.value, effect="stopped"))

    assert f"look at: interpose explain-error {failure.value}" in lines
    assert lines[0].endswith("which stops the call")


def test_a_no_is_told_with_reason_code_time_and_worker() -> None:
    """All that somebody asks next."""
    lines = explain(hook(verdict="reject", effect="stopped", reason="too long", code="invalid", worker="validator-1"))

    assert [
        "rule said no: which stops the call",
        "because: too long",
        "code: invalid",
        "after 1.2 ms, by worker validator-1",
    ] == lines


def test_a_shadow_changes_nothing_and_that_is_said() -> None:
    """Whatever it answered."""
    assert "rule said no: it is a shadow, and changes nothing" == explain(hook(verdict="reject", mode="shadow"))[0]

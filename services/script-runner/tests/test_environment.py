"""Which variables reach a script."""

import os

import pytest

from interpose_script_runner.environment import for_script


@pytest.mark.parametrize("name", ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "INTERPOSE_SCRIPT_X"])
def test_passed_on(ask, name):
    """The few variables that programs need, and the operator's own for scripts, are passed on."""

    assert "value" == for_script(ask, {name: "value"})[name]


@pytest.mark.parametrize(
    "name",
    [
        "INTERPOSE_NATS_SEED",
        "INTERPOSE_CONFIG",
        "INTERPOSE_SCRIPT_RUNNER_KEY",
        "LD_PRELOAD",
        "PYTHONPATH",
        "ENV",
        "path",
    ],
)
def test_kept_back(ask, name):
    """Everything else stays with the runner."""

    assert name not in for_script(ask, {name: "value"})


def test_the_call_cannot_be_covered(ask):
    """What a script is told about its call is the call's, even when the runner has such a variable itself."""

    assert ask.call_id == for_script(ask, {"INTERPOSE_CALL_ID": "other"})["INTERPOSE_CALL_ID"]


def test_there_is_always_a_path(ask):
    """A script finds the system's programs even when the runner has no PATH."""

    assert os.defpath == for_script(ask, {})["PATH"]

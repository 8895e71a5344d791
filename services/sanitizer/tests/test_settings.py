"""What a hook's settings may be; everything else breaks the hook instead of saying yes or no."""

import json
import re
from pathlib import Path

import pytest

from interpose.errors import InterposeError
from interpose_sanitizer.findings import Family, Mode
from interpose_sanitizer.settings import Quoted, Settings, UnusableSettings, read

DOCUMENT = Path(__file__).parents[3] / "docs" / "sanitizer.md"
UNUSABLE = [
    ({"mode": "neutralize"}, ["$.with.mode"]),
    ({"mode": None}, ["$.with.mode"]),
    ({"mode": ["report"]}, ["$.with.mode"]),
    ({"quoted": True}, ["$.with.quoted"]),
    ({"families": []}, ["$.with.families"]),
    ({"families": "invisible"}, ["$.with.families"]),
    ({"families": ["invisible", "spam"]}, ["$.with.families"]),
    ({"families": [["invisible"]]}, ["$.with.families"]),
    ({"modes": "report", "mode": 3, "a b": 1}, ["$.with.modes", "$.with.mode", '$.with["a b"]']),
]


@pytest.mark.parametrize(("settings", "paths"), UNUSABLE, ids=[str(case[0]) for case in UNUSABLE])
def test_settings_that_cannot_be_followed_raise(settings, paths):
    """Unknown or wrong settings are an error with the place of each."""
    with pytest.raises(UnusableSettings) as caught:
        read(settings)

    assert paths == [fault.path for fault in caught.value.faults]
    assert isinstance(caught.value, InterposeError)


def test_the_defaults():
    """Without a word everything is looked for, neutralised, and spared where it is only quoted."""
    assert Settings(Mode.NEUTRALISE, frozenset(Family), Quoted.SPARE) == read({})


def test_all_settings():
    """Each setting means what it says."""
    given = {"mode": "report", "families": ["invisible", "bidi-override"], "quoted": "treat"}

    assert Settings(Mode.REPORT, frozenset({Family.INVISIBLE, Family.BIDI}), Quoted.TREAT) == read(given)


def test_the_documents_example_can_be_worked_by():
    """The settings that docs/sanitizer.md shows first are good settings."""
    hooks = json.loads(re.search(r"```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)[1])["hooks"]

    assert [Mode.NEUTRALISE, Mode.REMOVE] == [
        read(hook.get("with", {})).mode for entries in hooks.values() for hook in entries
    ]

"""What a hook's settings may be; everything else breaks the hook instead of saying yes or no."""

import json
import re
from pathlib import Path

import pytest

from interpose.errors import InterposeError
from interpose_validator.judge import judge
from interpose_validator.settings import BlockKit, InlineSchema, Surface, UnusableSettings, read

DOCUMENT = Path(__file__).parents[3] / "docs" / "validator.md"
UNUSABLE = [
    ({}, ["$.with.schema"]),
    ({"schema": None}, ["$.with.schema"]),
    ({"schema": "slack-blockkit"}, ["$.with.schema"]),
    ({"schema": ["slack-block-kit"]}, ["$.with.schema"]),
    ({"schema": True}, ["$.with.schema"]),
    ({"schema": {}}, ["$.with.schema"]),
    ({"schema": {"type": "object"}, "surface": "modal"}, ["$.with.surface"]),
    ({"schema": {"type": "object"}, "enforce": True}, ["$.with.enforce"]),
    ({"schema": "slack-block-kit", "surface": "canvas"}, ["$.with.surface"]),
    ({"schema": "slack-block-kit", "surface": None}, ["$.with.surface"]),
    ({"schema": "slack-block-kit", "surface": ["modal"]}, ["$.with.surface"]),
    ({"schema": "slack-block-kit", "enforce": "true"}, ["$.with.enforce"]),
    ({"schema": "slack-block-kit", "enforce": 1}, ["$.with.enforce"]),
    ({"schema": "slack-block-kit", "strict": True, "enforce": 0}, ["$.with.strict", "$.with.enforce"]),
]


@pytest.mark.parametrize(("settings", "paths"), UNUSABLE, ids=[str(case[0]) for case in UNUSABLE])
def test_settings_that_nothing_can_be_judged_by_raise(settings, paths):
    """Unknown or wrong settings are an error with the place of each, never an empty list of faults."""
    with pytest.raises(UnusableSettings) as caught:
        judge(settings, {})

    assert paths == [fault.path for fault in caught.value.faults]
    assert isinstance(caught.value, InterposeError)
    assert isinstance(caught.value, ValueError)


def test_the_defaults_judge_a_message_and_let_text_pass():
    """Without more words Block Kit is judged as a message that may be text alone."""
    assert BlockKit(Surface.MESSAGE, enforce=False) == read({"schema": "slack-block-kit"})


def test_an_object_is_a_schema():
    """An object under `schema` is JSON Schema, whatever it says."""
    assert InlineSchema({"type": "object"}) == read({"schema": {"type": "object"}})


def test_the_documents_example_can_be_judged_by():
    """The settings that docs/validator.md shows first are good settings."""
    hooks = json.loads(re.search(r"```json\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)[1])["hooks"]

    assert [BlockKit, InlineSchema] == [type(read(hook["with"])) for entries in hooks.values() for hook in entries]

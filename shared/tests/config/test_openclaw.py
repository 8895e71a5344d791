"""An openclaw.json: comments, trailing commas, settings of OpenClaw's own, and hooks of ours."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.config.load import load
from interpose.config.openclaw import OWN_KEYS, blank
from interpose.contracts.words import FailMode

NAME = "openclaw.json"
ORIGINAL = Path(__file__).parents[3] / "tests" / "fixtures" / "original" / NAME
HOOK = '{"name": "a", "service": "b"}'


def test_the_original_configuration_loads_unchanged():
    """The example of the original specification, as its author wrote it."""
    hooks = load(ORIGINAL).configuration.hooks

    assert ["before:message.send", "after:web_fetch", "before:*"] == list(hooks)
    (enforcer,), (sanitizer,), (logger,) = hooks.values()
    scripts = "/root/.openclaw/workspace/scripts"
    assert ("block-kit-enforcer", f"{scripts}/slack-enforced-post.sh", FailMode.REJECT, 5000, False) == (
        enforcer.name,
        enforcer.script,
        enforcer.fail_mode,
        enforcer.timeout,
        enforcer.transforming,
    )
    assert ("content-sanitizer", f"{scripts}/sanitize-content.sh", FailMode.WARN, 3000, True) == (
        sanitizer.name,
        sanitizer.script,
        sanitizer.fail_mode,
        sanitizer.timeout,
        sanitizer.transforming,
    )
    assert ("global-audit-logger", f"{scripts}/audit-logger.sh", FailMode.WARN, 1000, False) == (
        logger.name,
        logger.script,
        logger.fail_mode,
        logger.timeout,
        logger.transforming,
    )


def test_comments_and_trailing_commas_are_accepted(loaded):
    """Line comments, block comments, and commas before a closing."""
    text = """// mine
    {
      /* what is
         intercepted */
      "hooks": {
        "before:*": [
          {"name": "a", "service": "b", "with": {"url": "http://x/*y*/,]",},}, // trailing
        ] /**/ ,
      },
    }
    """

    (hook,) = loaded(text, NAME).configuration.hooks["before:*"]
    assert {"url": "http://x/*y*/,]"} == hook.settings


def test_comments_move_no_line(refused):
    """A fault behind comments stands where the author sees it."""
    text = '{ // one\n /* two\n three */ "hooks": {"before:*": [\n  {"name": "a", /* four */ "odd": 1},\n ]}}\n'

    assert [(4, '$.hooks["before:*"][0].odd')] == [
        (line, path) for line, path, message in refused(text, NAME) if message.startswith("unknown field")
    ]


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        ("[1, ]", "[1  ]"),
        ('{"a": 1,\n}', '{"a": 1 \n}'),
        ("[1,/* x */]", "[1        ]"),
        ("[1,// x\n]", "[1     \n]"),
        ('["a//b", "/*", "\\"//", ",]"]', '["a//b", "/*", "\\"//", ",]"]'),
        ("[,]", "[,]"),
        ("{ ,}", "{ ,}"),
        ("[1,,]", "[1,,]"),
        ('{"a":,}', '{"a":,}'),
        ("/*/ 1 */ 2", "         2"),
        ("1 /* open", "1 /* open"),
        ("1 /*/", "1 /*/"),
        ('"open // x', '"open // x'),
        ("1 // é\r\n2", "1      \n2"),
    ],
)
def test_only_comments_and_trailing_commas_are_blanked(text, blanked):
    """Nothing inside strings, and no comma that trails nothing; every line keeps its length."""
    assert blanked == blank(text)


@given(
    st.recursive(st.integers() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one), max_leaves=8)
)
def test_plain_json_stays_as_it_is(value):
    """Whatever the strings hold."""
    text = json.dumps(value)

    assert text == blank(text)


def test_a_long_row_of_marks_is_read_in_linear_time():
    """Neither half-open comments nor commas send the reader back to the beginning."""
    for text in ("/*/" * 30_000, "[ ,".ljust(100_000), ", " * 30_000, '"\\"' * 30_000, "/" * 100_001):
        assert len(text) == len(blank(text))


def test_only_the_hooks_are_read(loaded):
    """What else stands in the file is OpenClaw's: not even a number that we would refuse is ours to judge."""
    text = f'{{"gateway": {{"port": 1}}, "id": 99999999999999999999, "hooks": {{"before:*": [{HOOK}]}}, "tools": 3}}'

    configuration = loaded(text, NAME).configuration
    assert ["before:*"] == list(configuration.hooks)
    assert {} == configuration.tools


def test_a_strange_number_inside_the_hooks_is_refused(refused):
    """Below `hooks` everything is ours."""
    hook = '{"name": "a", "service": "b", "with": {"n": 1e999}}'
    text = '{"id": 1e999,\n"hooks2": {"id": 1e999},\n"hooks": {"before:*": [\n' + hook + "]}}"

    message = "number too large for a double: send it as a string"
    assert [(4, '$.hooks["before:*"][0].with.n', message)] == refused(text, NAME)


def test_two_hooks_sections_are_refused(refused):
    """The duplicate key is ours to judge."""
    assert [(2, "$.hooks", "duplicate key: keep one of them")] == refused('{"hooks": {},\n "hooks": {}}', NAME)


@pytest.mark.parametrize("key", sorted(OWN_KEYS))
def test_openclaws_own_keys_are_left_to_it(loaded, key):
    """Each of its settings below `hooks` is told and not judged."""
    found = loaded(f'{{"hooks": {{\n"{key}": {{"any": 1}},\n"before:*": [{HOOK}]}}}}', NAME)

    assert (f"line 2: $.hooks.{key}: a setting of OpenClaw's own, left to it",) == found.warnings
    assert ["before:*"] == list(found.configuration.hooks)


@pytest.mark.parametrize("key", ["enabled", "token"])
def test_openclaws_own_keys_are_refused_in_other_files(refused, key):
    """In a file of ours they are a mistake."""
    message = "a setting of OpenClaw's own is only left to it in a file named openclaw.json: take it out of this one"
    assert [(2, f"$.hooks.{key}", message)] == refused(f'{{"hooks": {{\n"{key}": true}}}}')


@pytest.mark.parametrize("key", ["befor:message.send", "Enabled", "tokens"])
def test_other_keys_are_refused_in_openclaws_file_too(refused, key):
    """A misspelt rule is not taken for a setting."""
    assert [(1, '$.hooks["befor:message.send"]' if ":" in key else f"$.hooks.{key}")] == [
        (line, path) for line, path, _ in refused(f'{{"hooks": {{"{key}": []}}}}', NAME)
    ]


def test_an_openclaw_file_without_hooks_is_refused(refused):
    """It governs nothing, so it is not ours to load."""
    message = 'a configuration has hooks: write "hooks": {} to enforce nothing on purpose'
    assert [(1, "$", message)] == refused('{"gateway": {}}', NAME)


@pytest.mark.parametrize("hooks", ["[]", "null", '"x"'])
def test_hooks_that_are_no_object_are_refused(refused, hooks):
    """In OpenClaw's file as in ours."""
    message = "must be an object whose keys say what is intercepted, as before:message.send"
    assert [(1, "$.hooks", message)] == refused(f'{{"hooks": {hooks}}}', NAME)
    assert [(1, "$.hooks", message)] == refused(f'{{"hooks": {hooks}}}')


def test_what_is_not_ours_stays_unread_when_hooks_are_wrong(refused):
    """Only the one fault that is ours to judge is told."""
    text = '{"id": 1e999, "tools": 3,\n"hooks": []}'

    assert [(2, "$.hooks")] == [(line, path) for line, path, _ in refused(text, NAME)]


@pytest.mark.parametrize("text", ["[]", "{hooks: {}}", '{"hooks": {} /* open', "[1,,]"])
def test_what_is_no_json_object_is_refused(refused, text):
    """Comments and trailing commas are the whole tolerance."""
    assert 1 == len(refused(text, NAME))


def test_comments_are_refused_in_other_files(refused):
    """Our own files are plain JSON."""
    assert [(1, "$", 'expected a key in double quotes, found "/"')] == refused('{// x\n"hooks": {}}')

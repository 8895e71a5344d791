"""JSON configurations: what cannot be read, and where."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.config.json_source import read_json
from interpose.config.load import load
from interpose.contracts.strict import parse
from interpose.errors import ConfigurationError


def test_a_broken_form_is_the_one_fault(refused):
    """Line and path where the reading ended."""
    text = '{\n "hooks": {\n  "before:*": [\n   {"name": "a" "service": "b"}\n  ]\n }\n}\n'

    assert [
        (4, '$.hooks["before:*"][0].name', 'expected , or } behind this value, found "\\""'),
    ] == refused(text)


def test_duplicate_keys_and_unknown_fields_are_told_together(refused):
    """A fault that leaves the rest readable does not hide the others."""
    text = (
        '{\n "hooks": {},\n "hooks": {\n  "before:*": [{"name": "a", "service": "b", "odd": 1}]\n },\n "tool": {}\n}\n'
    )

    lines = [(line, path) for line, path, _ in refused(text)]
    assert [(3, "$.hooks"), (4, '$.hooks["before:*"][0].odd'), (6, "$.tool")] == lines


def test_bad_bytes_have_their_place(refused):
    """Invalid UTF-8 refuses with line and byte."""
    text = b'{"hooks":\n {"before:*": [{"name": "\xff"}]}}'

    assert [(2, "$", "byte 35 is not valid UTF-8 (invalid start byte): send UTF-8 only")] == refused(text)


def test_an_empty_file_is_refused(refused):
    """An empty file is no configuration that enforces nothing."""
    assert [(1, "$", "expected a value, found the end")] == refused("")


@pytest.mark.parametrize("text", ["[]", '"hooks"', "null", "1"])
def test_a_file_is_an_object(refused, text):
    """Nothing else has hooks."""
    assert [(1, "$", "must be an object with hooks")] == refused(text)


@pytest.mark.parametrize("depth", [65, 100_000])
def test_deep_nesting_is_refused(refused, depth):
    """The limits of every other input hold for the configuration."""
    assert [(1, "$" + "[0]" * 64, "nested deeper than 64 levels")] == refused("[" * depth)


def test_the_refusal_names_the_file(write):
    """Whoever reads it knows which file was meant."""
    path = write("[")

    with pytest.raises(ConfigurationError) as caught:
        load(path)

    assert f"{path} cannot be read" == caught.value.message


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=10,
)


@given(values, st.sampled_from([None, 0, 2]))
def test_the_value_is_the_strict_parsers_own(value, indent):
    """A configuration is read as any other input; each place is where its value begins in the file."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    source = read_json(text)
    lines = text.split("\n")

    assert parse(text.encode(), limit=1 << 20) == source.value
    assert () == source.faults
    for path, (line, column) in source.places.items():
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        key = path[-1] if path and isinstance(path[-1], str) else None
        assert key is None or rest.startswith(json.dumps(key, ensure_ascii=False))

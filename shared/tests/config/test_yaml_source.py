"""YAML configurations: what JSON can say, by the core schema, each fault with its line."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from interpose.config.yaml_source import read_yaml
from interpose.contracts.limits import NODES, SAFE_INTEGER

NAME = "interpose.yaml"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("yes", "yes"),
        ("Off", "Off"),
        ("y", "y"),
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("tRue", "tRue"),
        ("null", None),
        ("~", None),
        ("", None),
        ("nULL", "nULL"),
        ("2026-11-21", "2026-11-21"),
        ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("0o17", 15),
        ("0x1F", 31),
        ("017", 17),
        ("+5", 5),
        ("-5", -5),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("-1.5E-1", -0.15),
        ("1.2.3", "1.2.3"),
        ("\u0661", "\u0661"),
        ("=", "="),
        ("'5'", "5"),
        ('"true"', "true"),
        ("|\n  5\n", "5\n"),
        ("9007199254740991", SAFE_INTEGER),
        ("-9007199254740991", -SAFE_INTEGER),
        ("000000000000000000000000000000000000000000000000000000000000000" + "7", 7),
    ],
)
def test_plain_scalars_mean_what_the_core_schema_says(text, value):
    """YAML 1.2: no word is a boolean but true and false, and no date is anything but text."""
    read = read_yaml(f"a: {text}").value["a"]

    assert (type(value), value) == (type(read), read)


INTEGER = "integer beyond ±9007199254740991: put it in quotes"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9007199254740992", INTEGER),
        ("-9007199254740992", INTEGER),
        ("0x20000000000000", INTEGER),
        ("0o1000000000000000000", INTEGER),
        ("9" * 5000, INTEGER),
        ("0" * 65, INTEGER),
        ("1e400", "number too large for a double: put it in quotes"),
        (".inf", ".inf is no JSON number: leave it out, or put it in quotes"),
        ("-.INF", "-.INF is no JSON number: leave it out, or put it in quotes"),
        (".NaN", ".NaN is no JSON number: leave it out, or put it in quotes"),
        ("!!str 5", "tags are not read here: write the value plainly, or as text in quotes"),
        ("!own x", "tags are not read here: write the value plainly, or as text in quotes"),
        ("! x", "tags are not read here: write the value plainly, or as text in quotes"),
        ("!!set {}", "tags are not read here: write the value plainly, or as text in quotes"),
        ("&x 5", "anchors are not read here: write the value out wherever it is needed"),
        ("&x [5]", "anchors are not read here: write the value out wherever it is needed"),
        ('"\\ud800"', "half of a surrogate pair, which is no character: write the character itself"),
    ],
)
def test_what_json_cannot_say_plainly_is_refused(text, message):
    """Each with its place and its remedy."""
    (fault,) = read_yaml(f"first: 1\na:\n  b: {text}").faults

    assert ("$.a.b", message, 3, 6) == (fault.path, fault.message, fault.line, fault.column)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("1", "a key must be text: put it in quotes"),
        ("true", "a key must be text: put it in quotes"),
        ("~", "a key must be text: put it in quotes"),
        ("1.5", "a key must be text: put it in quotes"),
        ("<<", "merge keys are not read here: write the fields out"),
        ("&x k", "anchors are not read here: write the value out wherever it is needed"),
        ("!!str k", "tags are not read here: write the value plainly, or as text in quotes"),
        ('"\\ud800"', "half of a surrogate pair, which is no character: write the character itself"),
        ("a", "duplicate key: keep one of them"),
        ('"\\x61"', "duplicate key: keep one of them"),
    ],
)
def test_keys_are_plain_text(key, message):
    """And each stands once."""
    (fault,) = read_yaml(f"a: 1\n{key}: {{}}\n").faults

    assert (message, 2, 1) == (fault.message, fault.line, fault.column)


def test_quoted_keys_may_look_like_anything():
    """Quotes say that it is text."""
    source = read_yaml("'1': a\n\"true\": b\n'<<': c\non: d\nbefore:*: e\n")

    assert {"1": "a", "true": "b", "<<": "c", "on": "d", "before:*": "e"} == source.value
    assert () == source.faults


@pytest.mark.parametrize(
    ("text", "path", "message", "line", "column"),
    [
        ("a: [1, 2", "$.a[1]", "cannot be read as YAML: expected ',' or ']', but got '<stream end>'", 1, 9),
        ("a:\n\t- b", "$.a", "cannot be read as YAML: found character '\\t' that cannot start any token", 2, 1),
        ("? [a]\n: b", "$", "a key must be text", 1, 3),
        ("{{a: 1}: 2}", "$", "a key must be text", 1, 2),
        ("a: 1\n--- b", "$", "a second document: keep one", 2, 1),
        ("a: 'é\x07'", "$", "U+0007 cannot stand in YAML: write it as an escape in double quotes", 1, 6),
        ("a: {b: *c}\n", "$.a.b", "aliases are not read here: write the value out", 1, 8),
    ],
)
def test_what_is_no_yaml_of_ours_has_its_place(text, path, message, line, column):
    """Path, line and column of the first thing that cannot be read."""
    fault = read_yaml(text).faults[0]

    assert (path, message, line, column) == (fault.path, fault.message, fault.line, fault.column)


def test_depth_64_is_read_and_65_is_not():
    """The limit of every other input."""
    deepest = read_yaml("[" * 64 + "]" * 64)
    deeper = read_yaml("[" * 65 + "]" * 65)

    assert deepest.is_whole
    assert not deeper.is_whole
    assert ["nested deeper than 64 levels"] == [fault.message for fault in deeper.faults]
    assert 65 == deeper.faults[0].column


def test_deep_nesting_ends_at_the_limit():
    """A hundred thousand levels are refused at the sixty-fifth."""
    assert not read_yaml("[" * 100_000).is_whole


def test_50000_values_are_read_and_one_more_is_not():
    """The list itself counts, so that its item 49,999 is the one too many."""
    (fault,) = read_yaml("-\n" * NODES).faults

    assert ("$[49999]", "more than 50000 values") == (fault.path, fault.message)


def test_twenty_faults_end_the_reading():
    """The twentieth fault is the last one told."""
    source = read_yaml("".join(f"- .nan # {n}\n" for n in range(30)))

    assert [f"$[{n}]" for n in range(20)] == [fault.path for fault in source.faults]
    assert not source.is_whole


def test_faults_that_leave_the_rest_readable_are_all_told(refused):
    """What YAML says wrong and what the model says wrong, in the file's order."""
    text = "hooks:\n  before:*:\n    - name: a\n      service: &x b\n      odd: 1\n      odd: 2\ntools: *x\n"

    assert [
        (4, '$.hooks["before:*"][0].service'),
        (6, '$.hooks["before:*"][0].odd'),
        (6, '$.hooks["before:*"][0].odd'),
        (7, "$.tools"),
        (7, "$.tools"),
    ] == [(line, path) for line, path, _ in refused(text, NAME)]


def test_places_of_values():
    """A field stands where its key begins, an item where it begins itself."""
    source = read_yaml("a:\n  - b\n  - c: 1\n    d: [x, {e: 2}]\n")

    assert {
        (): (1, 1),
        ("a",): (1, 1),
        ("a", 0): (2, 5),
        ("a", 1): (3, 5),
        ("a", 1, "c"): (3, 5),
        ("a", 1, "d"): (4, 5),
        ("a", 1, "d", 0): (4, 9),
        ("a", 1, "d", 1): (4, 12),
        ("a", 1, "d", 1, "e"): (4, 13),
    } == source.places


@pytest.mark.parametrize("name", ["interpose.yaml", "interpose.yml"])
def test_yaml_says_the_same_as_json(loaded, name):
    """The same configuration either way has the same digest."""
    text = "hooks:\n  before:message.send:\n    - {name: a, service: b, failMode: reject, with: {no: no}}\n"
    twin = '{"hooks": {"before:message.send": [{"name": "a", "service": "b", "with": {"no": "no"}}]}}'

    assert loaded(twin).digest == loaded(text, name).digest


def test_an_empty_file_is_refused(refused):
    """Nor does a file of comments enforce nothing by accident."""
    assert [(1, "$", "must be an object with hooks")] == refused("# nothing\n", NAME)


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn", "Zl", "Zp"]), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.sampled_from(["no", "1", "a: b"]) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.parametrize(("char", "name"), [("\x85", "U+0085"), ("\u2028", "U+2028"), ("\u2029", "U+2029")])
def test_a_line_break_of_old_yaml_is_refused_with_its_place(char, name):
    """One reader folds it into a space, another keeps it: nobody could tell what the file says."""
    source = read_yaml(f'a: 1\nb: "x{char}y"\n')

    assert [(2, 6, f"{name} is a line break to some readers: write it as an escape in double quotes")] == [
        (fault.line, fault.column, fault.message) for fault in source.faults
    ]


@given(st.dictionaries(names, values, max_size=3))
def test_json_is_yaml(value):
    """A JSON text read as YAML means the same."""
    source = read_yaml(json.dumps(value, ensure_ascii=False))

    assert () == source.faults
    assert value == source.value


@given(st.text("ab:-#&*!|>'\"{}[],? \n\t%@`0.~<", max_size=30))
def test_any_text_is_read_or_has_a_fault(text):
    """Whatever the text: a whole source without faults agrees with the library's own reading of the structure."""
    source = read_yaml(text)

    assert source.is_whole or source.faults
    if source.is_whole and not source.faults:
        read = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - it makes nothing but text
        assert _as_text(source.value) == _as_text(read)


def _as_text(value: object) -> object:
    """Containers as they are, every scalar as nothing but there: schemas differ about scalars only."""
    if isinstance(value, dict):
        return {key: _as_text(part) for key, part in value.items()}
    return [_as_text(part) for part in value] if isinstance(value, list) else ...

"""Where a text is wrong: exact paths, lines and columns."""

import pytest

from interpose.contracts.strict_place import MAX_FAULTS, Survey, find_faults, line_and_column
from interpose.errors import Fault

ESCAPE = r"""unknown escape: JSON knows \" \\ \/ \b \f \n \r \t and \u with four hex digits"""
VALUE = "expected a value, found "
KEY = "expected a key in double quotes, found "
TRAILING = "expected nothing behind the value, found {}: send exactly one JSON value"


@pytest.mark.parametrize(
    ("text", "path", "message", "line", "column"),
    [
        ("", "$", VALUE + "the end", 1, 1),
        (" \n ", "$", VALUE + "the end", 2, 2),
        ("]", "$", VALUE + '"]"', 1, 1),
        ("nul", "$", VALUE + '"n"', 1, 1),
        ("'a'", "$", VALUE + '"\'"', 1, 1),
        ("+1", "$", VALUE + '"+"', 1, 1),
        (".5", "$", VALUE + '"."', 1, 1),
        ("-", "$", VALUE + '"-"', 1, 1),
        ("\ufeff1", "$", VALUE + '"\\ufeff"', 1, 1),
        ("\xa01", "$", VALUE + '"\\u00a0"', 1, 1),
        ("01", "$", TRAILING.format('"1"'), 1, 2),
        ("1.", "$", TRAILING.format('"."'), 1, 2),
        ("1e", "$", TRAILING.format('"e"'), 1, 2),
        ("1e+", "$", TRAILING.format('"e"'), 1, 2),
        ("truex", "$", TRAILING.format('"x"'), 1, 5),
        ("{}\n{}", "$", TRAILING.format('"{"'), 2, 1),
        ("1 ]", "$", TRAILING.format('"]"'), 1, 3),
        ("[", "$[0]", VALUE + "the end", 1, 2),
        ("[,1]", "$[0]", VALUE + '","', 1, 2),
        ("[1,]", "$[1]", VALUE + '"]"', 1, 4),
        ("[1,\n 2,\n ?]", "$[2]", VALUE + '"?"', 3, 2),
        ("[1 2]", "$[0]", 'expected , or ] behind this value, found "2"', 1, 4),
        ("[[1}]", "$[0][0]", 'expected , or ] behind this value, found "}"', 1, 4),
        ("[[],[1", "$[1][0]", "expected , or ] behind this value, found the end", 1, 7),
        ("{", "$", KEY + "the end", 1, 2),
        ("{a:1}", "$", KEY + '"a"', 1, 2),
        ("{]", "$", KEY + '"]"', 1, 2),
        ('{"a":1,}', "$", KEY + '"}"', 1, 8),
        ('{"a":{"b":1, 2}}', "$.a", KEY + '"2"', 1, 14),
        ('{"a" 1}', "$.a", 'expected : behind the key, found "1"', 1, 6),
        ('{"a"', "$.a", "expected : behind the key, found the end", 1, 5),
        ('{"a":}', "$.a", VALUE + '"}"', 1, 6),
        ('{"a":1 "b":2}', "$.a", 'expected , or } behind this value, found "\\""', 1, 8),
        ('{"a":1]', "$.a", 'expected , or } behind this value, found "]"', 1, 7),
        ('{"odd key":[0,{"b":tru}]}', '$["odd key"][1].b', VALUE + '"t"', 1, 20),
        ('["a', "$[0]", "the string that begins here is not closed", 1, 2),
        ('["a\\', "$[0]", "the string that begins here is not closed", 1, 2),
        ('["é😀\x01"]', "$[0]", "control character in a string: write it as \\u0001", 1, 5),
        ('["a\nb"]', "$[0]", "control character in a string: write it as \\u000a", 1, 4),
        ('["\x1f"]', "$[0]", "control character in a string: write it as \\u001f", 1, 3),
        ('["\\x"]', "$[0]", ESCAPE, 1, 3),
        ('["ab\\u12G4"]', "$[0]", ESCAPE, 1, 6),
        ('{"\\q":1}', "$", ESCAPE, 1, 3),
    ],
)
def test_a_broken_form_has_its_place(text, path, message, line, column):
    """The first thing that cannot be read is the one fault, with path, line and column."""
    assert [Fault(path, message, line, column)] == find_faults(text)


def test_faults_that_leave_the_rest_readable_are_all_told():
    """Duplicates, numbers and halves of characters, in the text's order, up to the break that ends the reading."""
    text = '{"a": 1e999,\n "a": NaN,\n "b": ["\\ud800", 9007199254740992\n ?'

    assert [
        ("$.a", 1, 7),
        ("$.a", 2, 2),
        ("$.a", 2, 7),
        ("$.b[0]", 3, 8),
        ("$.b[1]", 3, 18),
        ("$.b[1]", 4, 2),
    ] == [(fault.path, fault.line, fault.column) for fault in find_faults(text)]


@pytest.mark.parametrize("integer", ["9007199254740991", "-9007199254740991"])
def test_the_largest_integer_has_no_fault(integer):
    """The limit itself is allowed, beside whatever is wrong."""
    assert [Fault("$[1]", VALUE + '"?"', 1, len(integer) + 3)] == find_faults(f"[{integer},?")


@pytest.mark.parametrize(("wrong", "told"), [(MAX_FAULTS - 1, 20), (MAX_FAULTS, 20), (MAX_FAULTS + 1, 20)])
def test_no_more_than_twenty_faults_are_told(wrong, told):
    """The walk ends at the twentieth, be it one that leaves the rest readable or not."""
    faults = find_faults("[" + "NaN," * wrong + "?")

    assert told == len(faults)
    assert [f"$[{index}]" for index in range(told)] == [fault.path for fault in faults]


def test_a_text_without_a_fault_of_its_own_still_gets_one():
    """Whoever refused the text has a fault to show."""
    assert [Fault("$", "cannot be read as JSON")] == find_faults("[]")


def test_places_of_values():
    """A member stands where its key begins, an item and the whole where they begin themselves."""
    survey = Survey(' {"a": [1,\n  {"b": null}],\n "c d": {} }')

    assert survey.run() is True
    assert {
        (): 1,
        ("a",): 2,
        ("a", 0): 8,
        ("a", 1): 13,
        ("a", 1, "b"): 14,
        ("c d",): 28,
    } == survey.places


@pytest.mark.parametrize(("text", "whole"), [('{"a": NaN}', True), ('{"a": NaN', False), ("[1] 2", False)])
def test_a_walk_says_whether_it_came_to_the_end(text, whole):
    """A fault that leaves the rest readable does not end it, a broken form does."""
    survey = Survey(text)

    assert whole is survey.run()
    assert survey.faults


@pytest.mark.parametrize(("offset", "place"), [(0, (1, 1)), (1, (1, 2)), (2, (2, 1)), (3, (3, 1)), (5, (3, 3))])
def test_lines_and_columns_count_from_one(offset, place):
    """A line feed ends a line and belongs to it; a carriage return is a character like others."""
    assert place == line_and_column("a\n\n\rb"[:offset])

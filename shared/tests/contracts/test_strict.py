"""The strict parser's yes and no, at every boundary."""

import json
from dataclasses import dataclass

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from interpose.contracts import strict
from interpose.contracts.limits import DEPTH, NODES, SAFE_INTEGER
from interpose.contracts.model import Closed
from interpose.contracts.strict import check_fields, fits, parse, parse_object, read_model
from interpose.contracts.strict_place import find_faults
from interpose.errors import Fault, InvalidInput

LIMIT = 1 << 20


def refusal(data: bytes, **options) -> InvalidInput:
    """The refusal of these bytes."""
    with pytest.raises(InvalidInput) as caught:
        parse(data, **({"limit": LIMIT} | options))
    return caught.value


def nested(depth: int) -> bytes:
    """Arrays inside arrays, `depth` of them."""
    return b"[" * depth + b"]" * depth


def test_parses_every_kind_of_value():
    """Objects, arrays, strings, numbers and the three words come back as Python has them."""
    data = b' {"a": [1, -2.5, 1e3, true, false, null, "\\u00e9\\n"], "b": {}} '

    assert {"a": [1, -2.5, 1000.0, True, False, None, "é\n"], "b": {}} == parse(data, limit=LIMIT)


@pytest.mark.parametrize("data", [b"1", b'"x"', b"null", b"[]", b" \t\r\n0 \t\r\n"])
def test_any_value_may_stand_alone(data):
    """A text need not be an object."""
    assert json.loads(data) == parse(data, limit=LIMIT)


def test_as_many_bytes_as_the_limit_are_accepted():
    """The limit itself is allowed."""
    assert "ab" == parse(b'"ab"', limit=4)


def test_one_byte_more_is_too_large():
    """A size has its limit, what was given, and nothing of the input."""
    error = refusal(b'"abc"', limit=4, what="verdict")

    assert [Fault("$", "5 bytes; at most 4 are allowed", limit=4, given=5)] == list(error.faults)
    assert "verdict is too large" == error.message
    assert error.too_large


def test_size_is_checked_before_anything_else():
    """64 MiB of rubbish is refused for its size."""
    assert refusal(b"\xff" * (64 << 20)).too_large


def test_a_shape_is_not_a_size():
    """Only a size is `too_large`."""
    error = refusal(b"[", what="call")

    assert error.too_large is False
    assert "call is not acceptable JSON" == error.message


def test_what_defaults_to_input():
    """Without a name, the text is the input."""
    assert "input is not acceptable JSON" == refusal(b"[").message


@pytest.mark.parametrize(
    ("data", "number"),
    [
        (b"9007199254740991", SAFE_INTEGER),
        (b"-9007199254740991", -SAFE_INTEGER),
        (b"-0", 0),
        (b"9007199254740993.0", 9007199254740992.0),
        (b"1e308", 1e308),
        (b"-1.7976931348623157e308", -1.7976931348623157e308),
        (b"1e-400", 0.0),
    ],
)
def test_numbers_that_have_one_reading_are_accepted(data, number):
    """Up to ±(2^53-1), and any finite double."""
    compact, careful = parse(data, limit=LIMIT), parse(data + b" ", limit=LIMIT)

    assert (type(number), number) == (type(compact), compact)
    assert (type(number), number) == (type(careful), careful)


INTEGER = "integer beyond ±9007199254740991: send it as a string"
DOUBLE = "number too large for a double: send it as a string"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"9007199254740992", INTEGER),
        (b"-9007199254740992", INTEGER),
        (b"18446744073709551616", INTEGER),
        (b"9" * 400, INTEGER),
        (b"1e400", DOUBLE),
        (b"-1e400", DOUBLE),
        (b"1E309", DOUBLE),
        (b"9" * 400 + b".5", DOUBLE),
        (b"NaN", "NaN is no JSON number: send null or a string"),
        (b"Infinity", "Infinity is no JSON number: send null or a string"),
        (b"-Infinity", "-Infinity is no JSON number: send null or a string"),
    ],
)
def test_numbers_that_would_change_are_refused(data, message):
    """A number that some reader would read as another is refused where it stands."""
    error = refusal(b'{"a":\n ' + data + b"}")

    assert [Fault("$.a", message, 2, 2)] == list(error.faults)


@pytest.mark.parametrize(
    "data",
    [
        nested(DEPTH),
        b"[" + nested(DEPTH - 1) + b",[]]",
        b'["[",' + nested(DEPTH - 1) + b"]",
        b"[[[1]," + nested(DEPTH - 2) + b"]]",
    ],
)
def test_depth_64_is_accepted(data):
    """The deepest nesting allowed, whatever brackets stand beside it."""
    value = parse(data, limit=LIMIT)

    assert data == orjson.dumps(value)


def test_depth_counts_from_where_it_is():
    """What was closed before gives back one level each, no more."""
    error = refusal(b"[[[1]," + nested(DEPTH - 1) + b"]]")

    assert ["$[0][1]" + "[0]" * (DEPTH - 2)] == [fault.path for fault in error.faults]


@pytest.mark.parametrize("data", [nested(DEPTH + 1), b"[" * 1_000_000, b"[" * DEPTH + b"{ }" + b"]" * DEPTH])
def test_depth_65_is_refused(data):
    """One level more is refused at its bracket, however many follow."""
    error = refusal(data)

    fault = Fault("$" + "[0]" * DEPTH, "nested deeper than 64 levels", 1, DEPTH + 1, limit=DEPTH, given=DEPTH + 1)
    assert [fault] == list(error.faults)


def test_deep_objects_are_refused():
    """A million nested objects end at the sixty-fifth."""
    error = refusal(b'{"a":' * 1_000_000, limit=1 << 30)

    assert [("$" + ".a" * DEPTH, 5 * DEPTH + 1)] == [(fault.path, fault.column) for fault in error.faults]


@pytest.mark.parametrize(
    "value",
    [
        [[]] * 100,
        [[1]] * 100,
        [{}] * 100,
        [{"a": 1}] * 100,
        ["[" * 100],
        [*["\\", '"[{', "\\["] * 40, [[]]],
    ],
)
def test_many_brackets_are_not_depth(value):
    """Siblings and brackets inside strings nest nothing."""
    assert value == parse(json.dumps(value).encode(), limit=LIMIT)


def filled(values: int) -> bytes:
    """An array that is this many values, itself counted."""
    return b"[" + b",".join([b"1"] * (values - 1)) + b"]"


def objects(values: int) -> bytes:
    """An array of objects, this many values in all."""
    members = (values - 1) // 2
    rest = (values - 1) % 2
    return b"[" + b",".join([b'{"a":0}'] * members + [b"{}"] * rest) + b"]"


@pytest.mark.parametrize("make", [filled, objects])
def test_50000_values_are_accepted(make):
    """Every object, array and scalar counts, and the limit itself is allowed."""
    data = make(NODES)

    assert json.loads(data) == parse(data, limit=LIMIT)


@pytest.mark.parametrize(
    ("make", "path", "column"), [(filled, "$[49999]", 2 * 49999 + 2), (objects, "$[24999].a", 8 * 24999 + 7)]
)
def test_50001_values_are_refused(make, path, column):
    """One value more is refused where it stands."""
    error = refusal(make(NODES + 1))

    assert [Fault(path, "more than 50000 values", 1, column, limit=NODES, given=NODES + 1)] == list(error.faults)


def test_commas_in_strings_are_no_values():
    """Text full of marks is one value."""
    text = '",[]{}\\' * 20_000

    assert [text] == parse(orjson.dumps([text]), limit=LIMIT)


def test_a_closing_gives_its_level_back():
    """Depth counts what is open, not what was."""
    value = [[[[1]]] for _ in range(DEPTH)]

    assert value == parse(orjson.dumps(value), limit=LIMIT)


@pytest.mark.parametrize("data", [b'{"a":1,"a":2}', b'{"a":1,"\\u0061":2}', b'{"a":1,"a":1}'])
def test_duplicate_keys_are_refused(data):
    """Keys are compared as the text that they mean."""
    error = refusal(data)

    assert [Fault("$.a", "duplicate key: keep one of them", 1, 8)] == list(error.faults)


def test_equal_keys_in_different_objects_are_fine():
    """Only one object's keys are compared with each other."""
    assert {"a": {"a": 1}, "b": {"a": 1}} == parse(b'{"a":{"a":1},"b":{"a":1}}', limit=LIMIT)


HALF = "half of a surrogate pair, which is no character: send both halves or neither"


@pytest.mark.parametrize("half", ["\\ud800", "\\uD800", "\\udfff", "\\uDFFF", "\\ude00\\ud83d", "\\ud83dx"])
def test_lone_surrogates_are_refused(half):
    """In a value and in a key, each where its string begins."""
    error = refusal(('{"a": "x' + half + '"}').encode())
    assert [Fault("$.a", HALF, 1, 7)] == list(error.faults)

    error = refusal(('[{"' + half + '": 1}]').encode())

    assert [(HALF, 1, 3)] == [(fault.message, fault.line, fault.column) for fault in error.faults]


@pytest.mark.parametrize("text", ["\\ud83d\\ude00", "\\uD83D\\uDE00", "\\uDBFF\\uDFFF", "\\\\ud800", "\\\\\\\\uD800"])
def test_whole_pairs_and_escaped_backslashes_are_fine(text):
    """A pair is a character, and a backslash that is itself escaped escapes nothing."""
    data = f'{{"{text}": "{text}"}}'.encode()

    assert json.loads(data) == parse(data, limit=LIMIT)


@pytest.mark.parametrize(
    ("data", "byte", "reason", "line", "column"),
    [
        (b'{"a": "\xff"}', 7, "invalid start byte", 1, 8),
        (b'{\n"\xc3\xa9": "\xc3"}', 9, "invalid continuation byte", 2, 7),
        (b'"\xed\xa0\x80"', 1, "invalid continuation byte", 1, 2),
        (b'"\xc0\xaf"', 1, "invalid start byte", 1, 2),
        (b"\xff\xfe[\x00", 0, "invalid start byte", 1, 1),
        (b'"abc\xf0\x9f', 4, "unexpected end of data", 1, 5),
    ],
)
def test_invalid_utf8_is_refused(data, byte, reason, line, column):
    """The place is a byte for the machine, a line and column for the person."""
    error = refusal(data, what="ask")

    message = f"byte {byte} is not valid UTF-8 ({reason}): send UTF-8 only"
    assert [Fault("$", message, line, column)] == list(error.faults)
    assert "ask is not acceptable JSON" == error.message
    assert error.too_large is False


def test_a_byte_order_mark_is_refused():
    """The mark is named, since nobody sees it."""
    error = refusal(b"\xef\xbb\xbf{}", what="ask")

    assert [Fault("$", "begins with a byte order mark: send plain UTF-8 without it", 1, 1)] == list(error.faults)
    assert "ask is not acceptable JSON" == error.message


def test_an_object_is_parsed_as_an_object():
    """What must be an object and is one comes back."""
    assert {"a": 1} == parse_object(b'{"a":1}', limit=7)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"[1]", "an array"),
        (b'"x"', "a string"),
        (b"1", "a number"),
        (b"1.5", "a number"),
        (b"true", "a boolean"),
        (b"null", "null"),
    ],
)
def test_what_must_be_an_object_and_is_not_is_refused(data, kind):
    """The refusal says what was found, where the value begins."""
    with pytest.raises(InvalidInput) as caught:
        parse_object(b" \t\r\n " + data + b" ", limit=LIMIT, what="verdict")

    assert [Fault("$", f"must be an object, not {kind}", 2, 2)] == list(caught.value.faults)
    assert "verdict is not acceptable" == caught.value.message


def test_parse_object_passes_limit_and_name_on():
    """The byte limit holds for objects, under the same name."""
    with pytest.raises(InvalidInput, match=r"^input is too large") as caught:
        parse_object(b'{"a":1}', limit=6)
    assert caught.value.too_large

    with pytest.raises(InvalidInput, match=r"^call is too large"):
        parse_object(b'{"a":1}', limit=6, what="call")


class Point(Closed):
    """A model of the tests."""

    x: int
    why: int = Field(default=0, alias="y")


def test_read_model_gives_the_model():
    """Bytes in, a validated model out."""
    assert Point(x=1) == read_model(Point, b'{"x":1}', limit=7)


def test_read_model_tells_every_fault_at_once():
    """A wrong type and an unknown field are one refusal."""
    with pytest.raises(InvalidInput) as caught:
        read_model(Point, b'{"x":"1","z":2}', limit=LIMIT, what="point")

    faults = [Fault("$.x", "must be a valid integer"), Fault("$.z", "unknown field; known here: x, y")]
    assert faults == list(caught.value.faults)
    assert "point is not acceptable" == caught.value.message


def test_read_model_knows_the_names_of_json_only():
    """The name that Python uses for a field is an unknown field like any other."""
    with pytest.raises(InvalidInput) as caught:
        read_model(Point, b'{"x":1,"why":2}', limit=LIMIT)

    assert [Fault("$.why", "unknown field; known here: x, y")] == list(caught.value.faults)


def test_read_model_names_the_input_where_nothing_else_does():
    """Without a name, the text is the input, for the model's faults and the parser's."""
    with pytest.raises(InvalidInput, match=r"^input is not acceptable\n"):
        read_model(Point, b"{}", limit=LIMIT)

    with pytest.raises(InvalidInput, match=r"^input is too large\n"):
        read_model(Point, b"{}", limit=1)


def test_read_model_parses_strictly():
    """A duplicate key never reaches the model, and the refusal has the name."""
    with pytest.raises(InvalidInput, match=r"^point is not acceptable JSON\n.*duplicate key"):
        read_model(Point, b'{"x":1,"x":2}', limit=LIMIT, what="point")


def test_fields_within_their_limits_have_no_fault():
    """A field may be as large as its limit, measured as compact JSON."""
    assert [] == check_fields({"a": "12", "b": [1, 2]}, {"a": 4}, 5)


def test_fields_beyond_their_limits_are_told_apart():
    """Each has its own limit, all others the default."""
    faults = check_fields({"a": "123", "b c": [1, 2], "d": 1, "e": "123"}, {"a": 4, "d": 1, "e": 5}, 4)

    assert [
        Fault("$.a", "5 bytes; at most 4 are allowed", limit=4, given=5),
        Fault('$["b c"]', "5 bytes; at most 4 are allowed", limit=4, given=5),
    ] == faults


@pytest.mark.parametrize("data", [b"{}", nested(DEPTH), filled(NODES), objects(NODES), orjson.dumps(["[" * 100_000])])
def test_what_a_strict_reader_takes_fits(data):
    """As many bytes, as much depth and as many values as the limits allow."""
    assert fits(data, limit=len(data))


@pytest.mark.parametrize("data", [nested(DEPTH + 1), filled(NODES + 1), objects(NODES + 1)])
def test_what_a_strict_reader_refuses_does_not_fit(data):
    """One level or one value more, however many bytes are allowed."""
    assert not fits(data, limit=len(data))


def test_one_byte_more_does_not_fit():
    """The limit counts bytes, not characters."""
    assert not fits('"é"'.encode(), limit=3)
    assert fits('"é"'.encode(), limit=4)


# Against each other: the fast path, the walk, and a parser written as plainly as can be.

numbers = st.integers(-SAFE_INTEGER, SAFE_INTEGER) | st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(codec="utf-8"), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_what_another_encoder_wrote_comes_back(value):
    """parse(encode(x)) == x for every JSON value, and the walk finds nothing in it."""
    data = orjson.dumps(value)

    assert value == parse(data, limit=LIMIT)
    assert [Fault("$", "cannot be read as JSON")] == find_faults(data.decode())


def spelled(value) -> str:
    """The value with its types: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    return repr(value)


@given(values)
def test_both_paths_read_the_same(value):
    """Compact text means what the careful path reads in it, type for type; a space before it leads there."""
    data = orjson.dumps(value)

    assert spelled(parse(b" " + data, limit=LIMIT)) == spelled(parse(data, limit=LIMIT))


@pytest.mark.parametrize("data", [b'{"a":[1,-2.5,true,null],"b":"\xc3\xa9"}', b"[]", b"null"])
def test_compact_text_is_read_once(monkeypatch, data):
    """What is its own encoding never meets the careful path, which takes eight times as long."""

    def never(_text):
        raise AssertionError("the careful path was taken")

    monkeypatch.setattr(strict, "_read", never)

    assert json.loads(data) == parse(data, limit=LIMIT)


@pytest.mark.parametrize(
    "data", [b'{"a":1,"a":1}', b"[9007199254740992]", b"[1e400]", b'["\\ud800"]', b"[1]]", b"[1],"]
)
def test_compact_text_is_no_way_around_the_rules(data):
    """What is as short as can be and has two readings, or none, is refused like any other."""
    assert refusal(data).faults


@given(values)
def test_ascii_escapes_come_back(value):
    """An encoder that escapes everything beyond ASCII says the same."""
    assert value == parse(json.dumps(value).encode(), limit=LIMIT)


@dataclass
class Plain:
    """A recursive reading of the rules without any regard to speed, for short texts only."""

    text: str

    def accepts(self) -> bool:
        """Whether the standard library reads it and nothing in it is ambiguous."""
        try:
            value = json.loads(self.text, object_pairs_hook=self.pairs, parse_constant=self.refuse)
        except ValueError:
            return False
        return self.good(value)

    def refuse(self, name: str) -> None:
        """NaN and its kin."""
        raise ValueError(name)

    def pairs(self, pairs: list) -> dict:
        """An object without duplicates."""
        if len({key for key, _ in pairs}) != len(pairs):
            raise ValueError
        return dict(pairs)

    def good(self, value: object) -> bool:
        """Whether numbers and text have one reading."""
        match value:
            case dict():
                return all(self.good(part) for pair in value.items() for part in pair)
            case list():
                return all(map(self.good, value))
            case str():
                return not any("\ud800" <= char <= "\udfff" for char in value)
            case int():
                return -(2**53) < value < 2**53
            case float():
                return value not in (float("inf"), float("-inf"))
        return True


PIECES = [
    *'{}[],:" \n\\',
    *["true", "null", "0", "-", "1", ".5", "e9", "e999", "9007199254740992", "NaN", "-Infinity"],
    *['"a"', '"b"', '"\\u0061"', '"\\ud800"', '"\\ud83d\\ude00"', "\\uDC00", "\\u", "\x01", "\ufeff", "é", "٣"],
    *['{"a":', '"a":1,', '[{"b":[]},'],
]
soup = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def faults_in(data: bytes) -> list[Fault] | None:
    """The faults of a refusal; None for what is accepted."""
    try:
        parse(data, limit=LIMIT)
    except InvalidInput as error:
        return list(error.faults)
    return None


@given(soup | values.map(json.dumps))
def test_the_parser_the_walk_and_the_plain_reading_agree(text):
    """All three accept the same texts."""
    accepted = faults_in(text.encode()) is None

    assert Plain(text).accepts() == accepted
    assert (find_faults(text) == [Fault("$", "cannot be read as JSON")]) == accepted


@given(soup)
def test_a_space_changes_no_verdict(text):
    """Any text is accepted or refused alike with a space behind it, which only the careful path reads."""
    assert (faults_in(text.encode()) is None) == (faults_in(text.encode() + b" ") is None)


@given(st.data(), values.map(json.dumps))
def test_a_damaged_text_is_read_alike(data, text):
    """One character changed, left out or put in: still all agree."""
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 1))
    damaged = text[:at] + data.draw(st.sampled_from(["", *PIECES])) + text[at + cut :]

    assert Plain(damaged).accepts() == (faults_in(damaged.encode()) is None)


@given(st.binary(max_size=64))
def test_bytes_never_raise_anything_else(data):
    """Whatever the bytes, they are accepted or refused with a line and a column."""
    faults = faults_in(data)

    assert faults is None or all(fault.line and fault.column for fault in faults)

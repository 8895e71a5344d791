"""Snapshots: any object becomes JSON that the gateway's parser takes, without a line of the object's own code."""

import collections
import dataclasses
import datetime
import decimal
import enum
import json
import pathlib
import sys
import threading
import types
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from interpose.contracts.limits import DEPTH, NODES, RESPONSE_BYTES
from interpose.contracts.strict import parse
from interpose.report.shedding import encode
from interpose.report.snapshot import DEEPEST, MOST_CHANGED, take

ENOUGH = 1_000_000


def copy(value: object) -> Any:
    """The value's snapshot, which must be there."""
    taken = take(value, ENOUGH)
    assert taken is not None
    return taken.value


class Colour(enum.Enum):
    """An enumeration whose members stand for objects."""

    RED = ("red", 255)


class Word(enum.StrEnum):
    """One of text."""

    YES = "yes"


@dataclasses.dataclass
class Point:
    """A dataclass."""

    x: int
    y: object = None
    _secret: str = "s"


@dataclasses.dataclass(slots=True)
class Slotted:
    """One without a dictionary."""

    x: int
    y: object = None


class Model(BaseModel):
    """A pydantic model that takes more than it declares."""

    model_config = ConfigDict(extra="allow")

    name: str
    parts: list[Point] = []


class Liar(dict[str, object]):
    """A dictionary that tells something else to everybody who asks it."""

    def __iter__(self) -> Any:
        return iter(["lie"])

    def items(self) -> Any:
        return [("lie", 1)]

    def keys(self) -> Any:
        return ["lie"]

    def __getitem__(self, key: str) -> object:
        return "lie"

    def __len__(self) -> int:
        return 0


class Deaf(list[object]):
    """A list that never ends."""

    def __iter__(self) -> Any:
        while True:
            yield "again"

    def __len__(self) -> int:
        return 10**9


def trap(*_args: object, **_more: object) -> Any:
    """Code that must not run."""
    raise AssertionError("the object's own code has run")


TRAPPED = [
    *(
        "__getattribute__",
        "__getattr__",
        "__iter__",
        "__len__",
        "__str__",
        "__repr__",
        "__eq__",
        "__hash__",
        "__bool__",
    ),
    *("__format__", "__index__", "__int__", "__float__", "__bytes__", "__reduce__", "__dir__", "__contains__", "keys"),
    *("items", "get", "isoformat", "decode", "encode", "model_dump", "to_json", "_asdict", "copy", "__class__"),
]


def trapped(base: type, **more: object) -> type:
    """A class that says nothing without running a trap."""
    traps = {name: property(trap) if name == "__class__" else trap for name in TRAPPED}
    return type("Trapped", (base,), {**traps, **more})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        ((1, "a"), [1, "a"]),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        (2**53 - 1, 2**53 - 1),
        (2**53, "9007199254740992"),
        (-(2**53), "-9007199254740992"),
        (1 << 100_000, "<integer of 100001 bits>"),
        (b"abc", "abc"),
        (bytearray(b"\xff"), {"base64": "/w=="}),
        (memoryview(b"abc"), "abc"),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset("ba"), ["a", "b"]),
        (collections.deque([1, 2]), [1, 2]),
        (collections.OrderedDict(a=1), {"a": 1}),
        (
            {1: "a", None: "b", False: "c", 2.5: "d", (1,): "e"},
            {"1": "a", "null": "b", "false": "c", "2.5": "d", "<tuple>": "e"},
        ),
        ({"1": "a", 1: "b"}, {"1": "a", "1 (1)": "b"}),
        ("\ud83d\ude00 \ud800", "😀 �"),
        (Colour.RED, ["red", 255]),
        (Word.YES, "yes"),
        (Point(1, Point(2)), {"x": 1, "y": {"x": 2, "y": None}}),
        (Slotted(1, Slotted(2)), {"x": 1, "y": {"x": 2, "y": None}}),
        (
            Model.model_validate({"name": "n", "parts": [Point(1)], "more": 2}),
            {"more": 2, "name": "n", "parts": [{"x": 1, "y": None}]},
        ),
        (types.SimpleNamespace(a=1), {"a": 1}),
        (ValueError("broken", 3), {"type": "ValueError", "args": ["broken", 3]}),
        (datetime.date(2026, 11, 21), "2026-11-21"),
        (datetime.datetime(2026, 11, 21, tzinfo=datetime.UTC), "2026-11-21 00:00:00+00:00"),
        (decimal.Decimal("1.10"), "1.10"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (pathlib.PurePosixPath("/a/b"), "/a/b"),
        ((number for number in [1]), "<generator>"),
        (json, "<module>"),
        (Point, "<type>"),
        (len, "<builtin_function_or_method>"),
        (threading.Lock(), "<lock>"),
        (object(), "<object>"),
    ],
    ids=lambda part: type(part).__name__,
)
def test_everything_has_a_form(value: object, expected: object) -> None:
    """JSON stays what it is, and everything else becomes the nearest thing that JSON has, or its name."""
    assert expected == copy(value)


def test_a_generator_is_not_used_up() -> None:
    """The agent still has what its tool returned."""
    numbers = (number for number in [1, 2])

    copy({"numbers": numbers})

    assert [1, 2] == list(numbers)


TRAPPED_VALUES: list[tuple[type, tuple[Any, ...], object]] = [
    (object, (), "<Trapped>"),
    (str, ("text",), "text"),
    (int, (5,), 5),
    (float, (0.5,), 0.5),
    (bytes, (b"bytes",), "bytes"),
    (bytearray, (b"bytes",), "bytes"),
    (list, ([1],), [1]),
    (tuple, ([1],), [1]),
    (set, ([1],), [1]),
    (dict, ({"a": 1},), {"a": 1}),
    (collections.deque, ([1],), [1]),
    (ValueError, ("broken",), {"type": "Trapped", "args": ["broken"]}),
]


@pytest.mark.parametrize(
    ("base", "made_of", "expected"), TRAPPED_VALUES, ids=lambda part: getattr(part, "__name__", "")
)
def test_no_code_of_an_object_runs(base: type, made_of: tuple[Any, ...], expected: object) -> None:
    """A value whose class raises whatever it is asked is read by what it really holds."""
    assert expected == copy(trapped(base)(*made_of))


def test_lies_are_not_heard() -> None:
    """Neither those of a dictionary, nor a list that never ends, nor a key with a life of its own."""
    key = trapped(str, __hash__=str.__hash__, __eq__=str.__eq__)("key")

    assert {"true": 1} == copy(Liar(true=1))
    assert [1, 2] == copy(Deaf([1, 2]))
    assert {"key": 1} == copy({key: 1})


def test_fields_of_a_trapped_object_are_read() -> None:
    """Its instance dictionary and its slots are there whatever `__getattribute__` says; private names stay private."""
    kind = trapped(object, __slots__=("slot", "empty", "__dict__"))
    value = object.__new__(kind)
    object.__setattr__(value, "slot", 1)
    object.__setattr__(value, "field", 2)
    object.__setattr__(value, "_private", 3)

    assert {"slot": 1, "field": 2} == copy(value)


def test_a_class_that_is_made_by_a_lying_metaclass_is_read() -> None:
    """Neither its name nor its bases are asked of it."""

    class Meta(type):
        __name__ = property(trap)  # type: ignore[assignment]
        __mro__ = property(trap)  # type: ignore[assignment]
        __dict__ = property(trap)  # type: ignore[assignment]

        def __instancecheck__(cls, _value: object) -> bool:
            return bool(trap())

        def __subclasscheck__(cls, _kind: type) -> bool:
            return bool(trap())

    assert "<Odd>" == copy(Meta("Odd", (), {})())


def test_somebody_elses_time_zone_is_not_asked() -> None:
    """A time whose zone is foreign code is named and not written out."""

    class Zone(datetime.tzinfo):
        utcoffset = dst = tzname = trap

    assert "<datetime>" == copy(datetime.datetime(2026, 1, 1, tzinfo=Zone()))


def test_cycles_end() -> None:
    """What contains itself is marked where it comes again, and what merely stands in two places is copied twice."""
    cycle: list[object] = [1]
    cycle.append({"again": cycle})
    point = Point(1)
    point.y = point

    assert [1, {"again": "<cycle>"}] == copy(cycle)
    assert {"x": 1, "y": "<cycle>"} == copy(point)
    assert [[], []] == copy([cycle[:0]] * 2)


def test_depth_ends() -> None:
    """What is too deep for the gateway is cut there, so that the rest can be judged."""
    deep: Any = "bottom"
    for _ in range(10 * sys.getrecursionlimit()):
        deep = [deep]

    taken = encode({"report": {"evidence": [copy(deep)]}})

    assert DEEPEST < DEPTH
    assert b"<too deep>" in taken
    parse(taken, limit=ENOUGH)
    while deep != "bottom":  # taken apart from outside: freeing it in one go would go as deep
        deep = deep[0]


@pytest.mark.parametrize(
    "value",
    [
        "x" * 101,
        ["x" * 60, "y" * 60],
        {"k" * 101: 1},
        b"x" * 101,
        [1] * 101,
        list(range(NODES + 1)),
        {"a": dict.fromkeys(range(NODES + 1))},
    ],
    ids=["text", "texts", "key", "bytes", "numbers", "many", "members"],
)
def test_what_is_too_large_has_no_snapshot(value: object) -> None:
    """More than 100 characters, or more values than the gateway takes."""
    assert None is take(value, 100)


@pytest.mark.parametrize("value", [[1] * 10, {"a": [1] * 8}, ({"a": {"b": {}}},) * 4], ids=["list", "inside", "deep"])
def test_values_are_counted(value: object) -> None:
    """One more than may be is too many, however short they are."""
    values = count(copy(value))

    assert take(value, ENOUGH, values) is not None
    assert None is take(value, ENOUGH, values - 1)


def test_a_change_is_told_with_its_place() -> None:
    """Whoever needs exactly what was given learns where the copy differs."""
    taken = take({"a": [1, b"x"], "b": {"c d": float("nan")}}, ENOUGH)

    assert taken is not None
    assert ("$.a[1]", '$.b["c d"]') == taken.changed


def test_not_every_change_is_told() -> None:
    """A few places are enough to see what is wrong."""
    taken = take([b"x"] * 100, ENOUGH)

    assert taken is not None
    assert MOST_CHANGED == len(taken.changed)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=5)
    ),
    max_leaves=30,
)
ANYTHING = st.recursive(
    JSON
    | st.floats()
    | st.integers()
    | st.binary()
    | st.text(st.characters())
    | st.datetimes()
    | st.uuids()
    | st.complex_numbers()
    | st.builds(object)
    | st.builds(Deaf)
    | st.builds(lambda: (None for _ in [1]))
    | st.sampled_from([Colour.RED, Word.YES, Point]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.tuples(inner, inner)
        | st.builds(Point, inner, inner)
        | st.builds(Slotted, inner, inner)
        | st.builds(ValueError, inner)
        | st.builds(lambda value: types.SimpleNamespace(a=value), inner)
        | st.frozensets(st.text() | st.binary(), max_size=3)
        | st.dictionaries(
            st.text(st.characters()) | st.integers() | st.none() | st.floats() | st.tuples(st.text()), inner, max_size=5
        )
        | st.builds(lambda value: Liar(a=value), inner)
    ),
    max_leaves=30,
)


@given(JSON)
def test_json_is_copied_as_it_is(value: object) -> None:
    """Nothing of plain JSON is changed, and the copy shares nothing with it."""
    taken = take(value, ENOUGH)

    assert taken is not None
    assert (value, ()) == (taken.value, taken.changed)
    assert json.dumps(value) == json.dumps(taken.value)


@given(ANYTHING)
def test_any_object_becomes_json_that_the_gateway_takes(value: object) -> None:
    """Its snapshot is strict JSON, of the size that it says."""
    taken = take(value, ENOUGH)

    assert taken is not None
    assert taken.value == parse(encode(taken.value), limit=RESPONSE_BYTES)
    assert taken.values == count(taken.value)


@given(ANYTHING)
def test_a_copy_of_a_copy_is_the_same(value: object) -> None:
    """What was taken once is plain: taking it again changes nothing."""
    taken = take(copy(value), ENOUGH)

    assert taken is not None
    assert (copy(value), ()) == (taken.value, taken.changed)


def count(value: object) -> int:
    """How many values there are in this one."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(count(item) for item in inner)

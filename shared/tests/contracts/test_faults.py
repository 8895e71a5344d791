"""Objections of a model as faults for people."""

import pytest
from pydantic import Field, ValidationError, field_validator

from interpose.contracts.faults import MAX_FAULTS, faults_of, model_at
from interpose.contracts.model import Closed, HookName
from interpose.contracts.words import FailMode
from interpose.errors import Fault


class Leaf(Closed):
    """The innermost model."""

    dry: bool = False
    size: int = Field(default=1, le=10)
    fail_mode: FailMode = Field(default=FailMode.REJECT, alias="failMode", strict=False)


class Tree(Closed):
    """Leaves in every kind of place."""

    name: str = Field(min_length=2)
    leaf: Leaf | None = None
    leaves: list[Leaf] = Field(default_factory=list)
    named: dict[str, list[Leaf]] = Field(default_factory=dict)
    keyed: dict[HookName, int] | None = None
    either: Leaf | int | None = None

    @field_validator("name")
    @classmethod
    def _no_spaces(cls, name: str) -> str:
        if " " in name:
            raise ValueError("write the name without spaces")
        return name


def objections(value, **options) -> list[Fault]:
    """What the model says of this value."""
    with pytest.raises(ValidationError) as caught:
        Tree.model_validate(value)
    return list(faults_of(caught.value, **options))


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        ({}, "$.name", "is required"),
        ({"name": 1}, "$.name", "must be a valid string"),
        ({"name": "a"}, "$.name", "must have at least 2 characters"),
        ({"name": "a b"}, "$.name", "write the name without spaces"),
        ({"name": "ab", "leaf": 1}, "$.leaf", "must be an object"),
        ({"name": "ab", "named": []}, "$.named", "must be an object"),
        ({"name": "ab", "leaf": {"size": 11}}, "$.leaf.size", "must be less than or equal to 10"),
        ({"name": "ab", "leaf": {"failMode": "no"}}, "$.leaf.failMode", "must be 'reject', 'warn' or 'transform'"),
        ({"name": "ab", "named": {"x y": [{}, {"size": ""}]}}, '$.named["x y"][1].size', "must be a valid integer"),
        ({"name": "ab", "keyed": {"a b": 1}}, '$.keyed["a b"]', "must match pattern '^[A-Za-z0-9_-]{1,64}$'"),
        ({"name": "ab", "odd": 1}, "$.odd", "unknown field"),
        ([], "$", "must be an object"),
        ({"name": "ab", "leaf": {"dry": 1}}, "$.leaf.dry", "must be true or false"),
    ],
)
def test_an_objection_is_a_place_and_a_sentence(value, path, message):
    """Nothing of the library's own wording that would puzzle a caller, nothing of the input."""
    assert [Fault(path, message)] == objections(value)


TREE = "known here: either, keyed, leaf, leaves, name, named"
LEAF = "known here: dry, failMode, size"


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        ({"odd": 1}, "$.odd", f"unknown field; {TREE}"),
        ({"leaf": {"failmode": 1}}, "$.leaf.failmode", f"unknown field; did you mean failMode? {LEAF}"),
        ({"nam": 1}, "$.nam", f"unknown field; did you mean name? {TREE}"),
        ({"leaves": [{}, {"odd": 1}]}, "$.leaves[1].odd", f"unknown field; {LEAF}"),
        ({"named": {"a": [{"sise": 1}]}}, "$.named.a[0].sise", f"unknown field; did you mean size? {LEAF}"),
    ],
)
def test_an_unknown_field_is_told_the_known_ones(value, path, message):
    """With the model at hand, the names that JSON uses at that very place, and the one that was probably meant."""
    assert [Fault(path, message)] == objections({"name": "ab"} | value, model=Tree)


def test_a_place_that_no_model_explains_stays_unknown():
    """Where several models could stand, none is guessed."""
    assert model_at(Tree, ("named", "a")) is None
    assert model_at(Tree, ("name",)) is None
    assert model_at(Tree, ("nothing", "below")) is None
    assert model_at(Tree, ("either",)) is None
    assert Leaf is model_at(Tree, ("leaf",))
    assert Tree is model_at(Tree, ())


def test_fifty_faults_are_listed_and_the_rest_counted():
    """The fiftieth is still listed; beyond it, a number."""
    most = objections({"name": "ab"} | {f"f{n}": 1 for n in range(MAX_FAULTS)})
    more = objections({"name": "ab"} | {f"f{n}": 1 for n in range(MAX_FAULTS + 2)}, root="$.x")

    assert Fault("$.f49", "unknown field") == most[-1]
    assert MAX_FAULTS == len(most)
    assert [Fault("$.x.f49", "unknown field"), Fault("$.x", "and 2 more faults")] == more[-2:]
    assert MAX_FAULTS + 1 == len(more)

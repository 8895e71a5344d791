"""JSON Schema from a hook's settings: what it finds, where, in which order, and which schemas it refuses to use."""

import pytest

from interpose_validator import json_schema
from interpose_validator.judge import judge
from interpose_validator.settings import UnusableSettings

DRAFTS = [
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
]
FOUND = [
    ({"type": "string"}, 7, "$.a", "must be a string, not a number"),
    ({"type": ["array", "null"]}, {}, "$.a", "must be null or an array, not an object"),
    ({"type": "integer"}, 1.5, "$.a", "must be a whole number, not a number"),
    ({"enum": ["x", 1, None]}, "y", "$.a", 'must be one of "x", 1, null'),
    ({"const": "x"}, "y", "$.a", 'must be "x"'),
    ({"maxLength": 2}, "abc", "$.a", "3 characters; at most 2 are allowed"),
    ({"minLength": 2}, "a", "$.a", "1 character; at least 2 are needed"),
    ({"maxItems": 1}, [1, 2], "$.a", "2 items; at most 1 is allowed"),
    ({"minItems": 1}, [], "$.a", "0 items; at least 1 is needed"),
    ({"maxProperties": 0}, {"x": 1}, "$.a", "1 field; at most 0 are allowed"),
    ({"minProperties": 1}, {}, "$.a", "0 fields; at least 1 is needed"),
    ({"maximum": 9}, 10, "$.a", "is 10; must be at most 9"),
    ({"minimum": 9.5}, 9, "$.a", "is 9; must be at least 9.5"),
    ({"exclusiveMaximum": 9}, 9, "$.a", "is 9; must be less than 9"),
    ({"exclusiveMinimum": 9}, 9, "$.a", "is 9; must be more than 9"),
    ({"multipleOf": 2}, 3, "$.a", "is 3; must be a multiple of 2"),
    ({"pattern": "^[a-z]+$"}, "A", "$.a", 'must match the pattern "^[a-z]+$"'),
    ({"format": "date"}, "2027-02-29", "$.a", "must be a date as YYYY-MM-DD"),
    ({"format": "ipv4"}, "1.2.3", "$.a", 'must be a text of format "ipv4"'),
    ({"uniqueItems": True}, [1, 1], "$.a", "has equal items; each may stand there once"),
    ({"contains": {"const": 1}}, [2], "$.a", "holds too few items, or too many, of the form that it must contain"),
    ({"not": {"type": "string"}}, "x", "$.a", "has a form that the schema forbids"),
    (False, "x", "$.a", "is not allowed here"),
    ({"required": ["b"]}, {}, "$.a.b", "is required"),
    ({"dependentRequired": {"b": ["c"]}}, {"b": 1}, "$.a.c", "is required"),
    ({"properties": {"x": {}}, "additionalProperties": False}, {"y": 1}, "$.a.y", "unknown field; known here: x"),
    ({"additionalProperties": False}, {"y": 1}, "$.a.y", "unknown field"),
    ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"y": 1}, "$.a.y", "unknown field"),
    ({"properties": {"x": {}}, "unevaluatedProperties": False}, {"y": 1}, "$.a.y", "unknown field; known here: x"),
    ({"prefixItems": [{}], "unevaluatedItems": False}, [1, 2], "$.a", "has items behind those that the schema allows"),
    (
        {"propertyNames": {"maxLength": 1}},
        {"xy": 1},
        "$.a.xy",
        "the name of this field: 2 characters; at most 1 is allowed",
    ),
    (
        {"anyOf": [{"type": "string"}, {"type": "object", "required": ["x"]}]},
        {},
        "$.a",
        "fits none of the 2 forms allowed here: (1) $.a must be a string, not an object; (2) $.a.x is required",
    ),
    (
        {"oneOf": [{"type": "string"}, {"maxLength": 1}]},
        "x",
        "$.a",
        "fits more than one of the forms of which exactly one is allowed",
    ),
]
UNUSABLE = [
    ({"type": "strin"}, "$.with.schema.type", "fits none of the 2 forms allowed here"),
    ({"properties": {"a": {"minLength": -1}}}, "$.with.schema.properties.a.minLength", "is -1; must be at least 0"),
    ({"pattern": "(?=a)b"}, "$.with.schema.pattern", "must be a regular expression"),
    ({"pattern": r"(a)\1"}, "$.with.schema.pattern", "must be a regular expression"),
    ({"patternProperties": {"(?!a)": {}}}, '$.with.schema.patternProperties["(?!a)"]', "must be a regular expression"),
    ({"format": "dat"}, "$.with.schema.format", "unknown format"),
    ({"$ref": "https://example.com/schema.json"}, "$.with.schema", "a reference cannot be followed"),
    ({"$ref": "file:///etc/passwd"}, "$.with.schema", "a reference cannot be followed"),
    ({"$ref": "other.json"}, "$.with.schema", "a reference cannot be followed"),
    ({"$ref": "#/$defs/nowhere"}, "$.with.schema", "a reference cannot be followed"),
    ({"$schema": "https://example.com/mine"}, "$.with.schema", "a reference cannot be followed"),
    ({"$schema": "http://json-schema.org/draft-06/schema#"}, '$.with.schema["$schema"]', "must be draft-07"),
    ({"$schema": "http://json-schema.org/draft-04/schema#"}, '$.with.schema["$schema"]', "must be draft-07"),
]


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_three_drafts_are_spoken(draft):
    """Draft 7, 2019-09 and 2020-12 judge, with references inside the schema."""
    schema = {
        "$schema": draft,
        "properties": {"a": {"$ref": "#/definitions/short"}},
        "definitions": {"short": {"maxLength": 1}},
    }

    assert [] == judge({"schema": schema}, {"a": "x"})
    assert ["$.a"] == [fault.path for fault in judge({"schema": schema}, {"a": "xy"})]


@pytest.mark.parametrize(("schema", "value", "path", "message"), FOUND, ids=[str(case[0])[:60] for case in FOUND])
def test_each_keyword_has_a_sentence(schema, value, path, message):
    """A violation is told at its place in words that need no schema at hand."""
    [fault] = judge({"schema": {"properties": {"a": schema}}}, {"a": value})

    assert (path, message) == (fault.path, fault.message)


@pytest.mark.parametrize(("schema", "path", "message"), UNUSABLE, ids=[str(case[0])[:60] for case in UNUSABLE])
def test_a_schema_that_cannot_be_used_breaks_the_hook(schema, path, message):
    """A schema that is broken, points outside itself or could be slow raises, with the place in the schema."""
    with pytest.raises(UnusableSettings) as caught:
        judge({"schema": schema}, {})

    [fault] = caught.value.faults
    assert path == fault.path
    assert fault.message.startswith(message)


def test_all_objections_are_told_in_the_order_of_the_document():
    """Faults follow the value as it was written, not the schema; a missing field comes last in its object."""
    schema = {
        "required": ["z", "y"],
        "properties": {
            "a": {"type": "string", "maxLength": 1},
            "b": {"items": {"type": "integer"}},
            "c": {"type": "null"},
        },
        "additionalProperties": False,
    }
    value = {"c": 1, "x": 0, "b": [1, "2", 3, None], "a": "xx"}

    assert ["$.c", "$.x", "$.b[1]", "$.b[3]", "$.a", "$.y", "$.z"] == [
        fault.path for fault in judge({"schema": schema}, value)
    ]


def test_faults_at_one_place_are_in_the_order_of_their_keywords():
    """Several objections to one value stand in the order of their keywords' names."""
    schema = {"properties": {"a": {"pattern": "^b$", "maxLength": 1, "enum": ["b"]}}}

    assert ['must be "b"', "2 characters; at most 1 is allowed", 'must match the pattern "^b$"'] == [
        fault.message for fault in judge({"schema": schema}, {"a": "cc"})
    ]


def test_limit_and_given_are_numbers_of_their_own():
    """A size or bound is on the fault as `limit` and `given`; where one is no whole number it is left out."""
    schema = {"properties": {"a": {"maxLength": 1}, "b": {"minimum": 0.5}, "c": {"type": "null"}}}
    faults = judge({"schema": schema}, {"a": "é😀", "b": 0, "c": 0})

    assert [(1, 2), (None, 0), (None, None)] == [(fault.limit, fault.given) for fault in faults]


def test_a_pattern_that_ruins_other_engines_takes_no_time():
    """Nested repetition is judged in linear time: a hundred thousand characters are answered at once."""
    faults = judge({"schema": {"properties": {"a": {"pattern": "^(a+)+$"}}}}, {"a": "a" * 100_000 + "b"})

    assert ["$.a"] == [fault.path for fault in faults]


def test_a_schema_may_refer_to_itself():
    """A recursive schema judges every level."""
    schema = {"properties": {"in": {"$ref": "#"}}, "additionalProperties": False}

    assert [] == judge({"schema": schema}, {"in": {"in": {"in": {}}}})
    assert ["$.in.in.out"] == [fault.path for fault in judge({"schema": schema}, {"in": {"in": {"out": 1}}})]


def test_alternatives_inside_alternatives_are_named_only():
    """What does not fit many nested forms is still one short sentence."""
    schema: dict = {"type": "string"}
    for _ in range(12):
        schema = {"anyOf": [schema, {"type": "null"}]}
    [fault] = judge({"schema": {"properties": {"a": schema}}}, {"a": 1})

    assert "fits none of the 2 forms allowed here: (1) $.a fits none of the 2 forms allowed there" in fault.message
    assert 300 > len(fault.message)


def test_more_faults_than_anybody_reads_are_counted():
    """Two hundred faults are listed; one more tells how many there are besides."""
    faults = judge({"schema": {"additionalProperties": {"type": "string"}}}, {f"k{n}": n for n in range(1000)})

    assert 201 == len(faults)
    assert ("$.k0", "$.k199") == (faults[0].path, faults[199].path)
    assert "and 800 more faults" == faults[-1].message


def test_an_equal_schema_is_compiled_once():
    """A schema is known by its digest: the order of its keys does not matter, another schema does."""
    json_schema._compiled.cache_clear()
    for schema in ({"type": "object", "title": "t"}, {"title": "t", "type": "object"}, {"type": "object"}):
        judge({"schema": schema}, {})

    kept = json_schema._compiled.cache_info()
    assert (2, 1, json_schema.KEPT) == (kept.misses, kept.hits, kept.maxsize)


def test_no_more_schemas_are_kept_than_the_limit():
    """Ever new schemas do not fill the memory."""
    for length in range(json_schema.KEPT + 10):
        judge({"schema": {"maxProperties": length}}, {})

    assert json_schema.KEPT == json_schema._compiled.cache_info().currsize


def test_a_schema_with_a_place_of_its_own_is_followed_inside():
    """A schema that names itself by an address is used without fetching that address."""
    schema = {
        "$id": "https://example.com/tool.json",
        "properties": {"a": {"$ref": "tool.json#/$defs/b"}},
        "$defs": {"b": {"const": 1}},
    }

    assert ["$.a"] == [fault.path for fault in judge({"schema": schema}, {"a": 2})]


def test_no_file_is_read_for_a_reference(tmp_path):
    """A schema that lies at hand on the disk is not followed either."""
    other = tmp_path / "other.json"
    other.write_text('{"type": "string"}', encoding="utf-8")

    with pytest.raises(UnusableSettings, match="only those inside the schema can"):
        judge({"schema": {"$ref": other.as_uri()}}, {})


def test_a_keyword_without_a_sentence_of_its_own_hides_the_input_too():
    """Where the library's own words are used, the input is masked in them."""
    schema = {"$schema": DRAFTS[0], "properties": {"a": {"contentMediaType": "application/json"}}}
    [fault] = judge({"schema": schema}, {"a": "s3cret"})

    assert "$.a" == fault.path
    assert "s3cret" not in fault.message

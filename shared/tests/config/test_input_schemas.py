"""A tool's `inputSchema` that cannot be used refuses the file, where it stands."""

import json

import pytest

from interpose.config.load import check

NO_LOOKAROUND = "patterns here know no look-around and no back-reference"


def file(schema) -> str:
    """A file with one tool; its schema's own lines begin with the second."""
    return f'{{"hooks": {{}}, "tools": {{"t": {{"inputSchema":\n{json.dumps(schema, indent=1)}}}}}}}'


@pytest.mark.parametrize(
    ("schema", "line", "path", "message"),
    [
        ({"type": "strin"}, 3, "$.tools.t.inputSchema.type", '"strin" is not valid under any of the schemas'),
        (
            {"properties": {"a": {"minLength": "5"}}},
            5,
            "$.tools.t.inputSchema.properties.a.minLength",
            '"5" is not of type "integer"',
        ),
        ({"required": "a"}, 3, "$.tools.t.inputSchema.required", '"a" is not of type "array"'),
        ({"pattern": "(?=x)"}, 3, "$.tools.t.inputSchema.pattern", NO_LOOKAROUND),
        ({"patternProperties": {"(": {}}}, 4, '$.tools.t.inputSchema.patternProperties["("]', NO_LOOKAROUND),
        ({"$ref": "https://example.com/s"}, 1, "$.tools.t.inputSchema", "only #/… references are followed"),
        ({"$ref": "#/nope"}, 1, "$.tools.t.inputSchema", "Pointer '/nope' does not exist"),
        ({"$schema": "https://example.com/s"}, 1, "$.tools.t.inputSchema", "Unknown meta-schema"),
        ({"$schema": 5}, 3, '$.tools.t.inputSchema["$schema"]', '5 is not of type "string"'),
    ],
)
def test_a_bad_schema_refuses_the_file(refused, schema, line, path, message):
    """With its line, its path inside the schema, and what is wrong there."""
    [(found_line, found_path, told)] = refused(file(schema))

    assert (line, path) == (found_line, found_path)
    assert told.startswith("is no usable JSON Schema: ")
    assert message in told


def test_every_bad_schema_is_told(refused):
    """Beside whatever else is wrong with the file."""
    bad = {"inputSchema": {"type": "strin"}}
    text = json.dumps({"hooks": {"befor:*": []}, "tools": {"a": bad, "b": {"inputSchema": {}}, "c": bad}})

    assert ['$.hooks["befor:*"]', "$.tools.a.inputSchema.type", "$.tools.c.inputSchema.type"] == [
        path for _, path, _ in refused(text)
    ]


def test_the_same_holds_without_a_file():
    """A document that somebody wrote past the operator is read by the same rule."""
    found = check({"hooks": {}, "tools": {"t": {"inputSchema": {"type": "strin"}}}})

    assert ["$.tools.t.inputSchema.type"] == [fault.path for fault in found]


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"$defs": {"a": {}}, "$ref": "#/$defs/a"}, {"tpye": 1}])
def test_a_usable_schema_is_good(loaded, schema):
    """References inside it are followed, and words that JSON Schema does not know are left to it."""
    assert schema == loaded(file(schema)).configuration.tools["t"].input_schema


@pytest.mark.parametrize("schema", [None, 5, "x", []])
def test_what_is_no_object_is_told_once(refused, loaded, schema):
    """A schema is an object; null is none at all."""
    if schema is None:
        assert loaded(file(schema)).configuration.tools["t"].input_schema is None
    else:
        assert 1 == len(refused(file(schema)))

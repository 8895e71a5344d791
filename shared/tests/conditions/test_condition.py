"""Conditions: true, false, or not told; and nothing that can be written in one takes long or breaks the asker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.conditions.condition import (
    MOST_BYTES,
    MOST_CHARACTERS,
    BadCondition,
    Untold,
    compile_condition,
)
from interpose.conditions.environment import VARIABLES
from interpose.contracts.ask import Ask
from interpose.testing.asks import make_ask

ASK = {
    "tool": "exec",
    "action": None,
    "parameters": {"command": "git push", "n": 3, "f": 1.5, "flag": True, "none": None, "list": ["a", {"b": "ü"}]},
    "context": {"user": "patrick", "tenant": "default", "claimed": {}},
    "phase": "before",
    "canonical_tool": "Bash",
    "kind": "Execute",
    "targets": [{"path": "/etc/passwd"}],
    "changed_by": ["normalise"],
    "settings": {"branch": "main"},
    "native": {"platform": "codex", "tool": "exec"},
    "revision": 7,
    "hook": "guard",
}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("tool == 'exec' && canonical_tool == 'Bash'", True),
        ("kind != 'Execute'", False),
        ("action == null", True),
        ("action == 'send'", False),
        ("parameters.command.startsWith('git ')", True),
        ("parameters.command.matches('push$')", True),
        ("parameters['command'].contains('pull')", False),
        ("parameters.n > 2 && parameters.f < 2", True),
        ("parameters.n + 1 == 4", True),
        ("parameters.flag", True),
        ("parameters.none == null", True),
        ("'a' in parameters.list && parameters.list[1].b == 'ü'", True),
        ("has(parameters.absent)", False),
        ("has(context.user) && context.user in ['patrick', 'paula']", True),
        ("settings.branch == 'main'", True),
        ("targets[0].path.startsWith('/etc')", True),
        ("'normalise' in changed_by", True),
        ("native.platform == 'codex'", True),
        ("phase == 'after' && status == 'error'", False),
        ("phase == 'before' || response.ok", True),
        ("revision == 7 && hook == 'guard'", True),
        ("false", False),
    ],
)
def test_a_condition_is_true_or_false_of_an_ask(condition, holds):
    """Each field by its name in the ask."""
    assert compile_condition(condition).holds(ASK) is holds


def test_a_response_stands_in_an_ask_of_the_after_phase():
    """With its status and what the tool took."""
    after = ASK | {"response": {"code": 200}, "status": "success", "wrapped": False, "duration_ms": 12.5}

    condition = "response.code == 200 && status == 'success' && !wrapped && duration_ms > 12"

    assert compile_condition(condition).holds(after) is True


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("parameters.absent == 1", 'it gave ERROR: NOT_FOUND: Key not found in map : "absent"'),
        ("status == 'error'", 'it gave ERROR: UNKNOWN: No value with name "status" found in Activation'),
        ("context.session == 's'", 'it gave ERROR: NOT_FOUND: Key not found in map : "session"'),
        ("1 / 0 == 1", "it gave ERROR: INVALID_ARGUMENT: divide by zero"),
        ("parameters.command > 3", "it gave ERROR: UNKNOWN: No matching overloads found : _>_(string, int64)"),
        ("parameters.command", "it gave STRING: git push"),
        ("parameters.n", "it gave INT: 3"),
        ("parameters.none", "it gave NULL: None"),
        ("tool.matches(parameters.list[0] + '(')", "it gave ERROR: INVALID_ARGUMENT: invalid regular expression: "),
        ("parameters.list == 1 || parameters.absent", 'it gave ERROR: NOT_FOUND: Key not found in map : "absent"'),
    ],
)
def test_what_cannot_be_told_is_not_told(condition, why):
    """A missing field, an error and a value of another type are neither true nor false, and say why."""
    told = compile_condition(condition).holds(ASK)

    assert isinstance(told, Untold)
    assert why == told.why[: len(why)]


def test_a_long_value_is_told_of_in_short():
    """Its first line, and no more of it than a line holds."""
    values = {"x" * 300: "x" * 200, "x\ny": "x", "x" * 200: "x" * 200, "": ""}

    assert [Untold(f"it gave STRING: {shown}") for shown in values.values()] == [
        compile_condition("parameters.command").holds(ASK | {"parameters": {"command": value}}) for value in values
    ]


@pytest.mark.parametrize(
    "odd",
    [2**80, float("nan"), object(), {1: 2}, "\ud800", {"a": {"b": {2**70: object()}}}],
    ids=["huge", "nan", "object", "number as key", "surrogate", "odd below"],
)
def test_an_odd_value_is_not_told(odd):
    """Values that no strict parser lets in do not break the asker either."""
    assert isinstance(compile_condition("parameters.odd.a == 1").holds(ASK | {"parameters": {"odd": odd}}), Untold)


def test_why_an_odd_value_was_not_told():
    """What the library says of it, in one line."""
    told = compile_condition("parameters.odd.a == 1").holds(ASK | {"parameters": {"odd": object()}})

    assert Untold("Type is not JSON serializable: object") == told


def test_a_large_value_is_not_looked_at():
    """The hook is asked instead. Only what the condition names counts."""
    fits = {"parameters": {"s": "x" * (MOST_BYTES - len('{"parameters":{"s":""}}'))}}
    large = {"parameters": {"s": fits["parameters"]["s"] + "x"}}

    assert compile_condition("parameters.s.contains('y')").holds(ASK | fits) is False
    assert Untold(
        f"what it names has {MOST_BYTES + 1} bytes, and conditions look at no more than {MOST_BYTES}"
    ) == compile_condition("parameters.s.contains('y')").holds(ASK | large)
    assert compile_condition("tool == 'exec'").holds(ASK | large) is True


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("", "is no condition at column 1: Syntax error: mismatched input '<EOF>' expecting"),
        (
            "tool = 'x'",
            "is no condition at column 6: Syntax error: token recognition error at: '= '; it may name tool,",
        ),
        ("tol == 'x'", "is no condition at column 1: undeclared reference to 'tol'; it may name tool, action, param"),
        ("with.branch == 'x'", "is no condition at column 5: undeclared reference to 'with.branch'; it may name"),
        ("tool == 1", "is no condition at column 6: found no matching overload for '_==_' applied to '(string, int)';"),
        ("call_id == 'x'", "is no condition at column 1: undeclared reference to 'call_id'; it may name tool,"),
        ("targets.exists(t, t.path == 'x')", "is no condition at column 16: undeclared reference to 't'; it may name"),
        ("(" * 40 + "true" + ")" * 40, "is no condition: CANCELLED: Expression recursion limit exceeded. limit: 32"),
        ("tool", "must be true or false, and is STRING: compare it with something"),
        ("1 + 1", "must be true or false, and is INT: compare it with something"),
        ("true" + " " * MOST_CHARACTERS, "is longer than 1000 characters: a rule that long belongs in a hook"),
        ("tool == '\ud800'", "is no condition: compile(): incompatible function arguments."),
    ],
)
def test_what_is_no_condition_is_told_with_its_place(condition, message):
    """At load, before any call meets it."""
    with pytest.raises(BadCondition) as caught:
        compile_condition(condition)

    assert message == str(caught.value)[: len(message)]


def test_an_objection_is_one_sentence():
    """The place, what the library says there, and what there is to name; nothing of the library's own codes."""
    with pytest.raises(BadCondition) as caught:
        compile_condition("")

    said = str(caught.value)
    assert said.startswith("is no condition at column 1: Syntax error: ")
    assert said.endswith(
        f" STRING, BYTES, IDENTIFIER}}; it may name {', '.join(VARIABLES)}, compare them, and has no loops"
    )


@pytest.mark.parametrize(
    "loop", ["all(x, true)", "exists(x, true)", "exists_one(x, true)", "map(x, x)", "filter(x, true)"]
)
def test_there_are_no_loops(loop):
    """Whatever turns over a list may take a minute: it belongs in a hook."""
    with pytest.raises(BadCondition):
        compile_condition(f"parameters.list.{loop} == true")


def test_every_field_of_an_ask_may_be_named_but_what_chance_chooses():
    """A field that the ask gains is missed here until somebody decides about it."""
    fields = {field.alias or name for name, field in Ask.model_fields.items()} - {"call_id", "ask_id"}

    assert fields - {"with"} | {"settings"} == set(VARIABLES)


def test_an_ask_of_the_conformance_exam_can_be_conditioned():
    """The variables have the types that an ask has on the wire."""
    wire = make_ask(parameters={"command": "ls"}, response={"ok": True}).to_wire()
    shown = wire | {"settings": wire["with"]}

    for name in VARIABLES.keys() & shown.keys():
        assert compile_condition(f"dyn({name}) != null").holds(shown) is (shown[name] is not None)


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from([*VARIABLES, *"()[]{}.,?:!&|=<>+-*/%'\"01", "in", "has", "matches", "size", "null", "dyn"]),
        max_size=25,
    ).map(" ".join)
)
def test_nothing_that_can_be_written_breaks_the_asker(source):
    """It is refused with a sentence, or it is true, false or not told."""
    try:
        condition = compile_condition(source)
    except BadCondition as error:
        assert str(error)  # noqa: PT017 - any text may be drawn, so that not each of them is refused
        return
    assert isinstance(condition.holds(ASK), bool | Untold)

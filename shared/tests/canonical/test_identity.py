"""What a call is: its tool's one name, its action, its kind."""

import pytest

from interpose.canonical.action import action_of
from interpose.canonical.canonicalize import identify
from interpose.canonical.pointer import resolve
from interpose.canonical.table import table
from interpose.canonical.tools import Tools
from interpose.contracts.config import ToolSpec
from interpose.contracts.keys import Names
from interpose.errors import Fault, InvalidInput


def tools(**specs) -> Tools:
    """Declared tools; underscores in a name stand for dots."""
    return Tools.of({name.replace("_", "."): ToolSpec.model_validate(spec) for name, spec in specs.items()})


NONE = tools()


@pytest.mark.parametrize(
    ("tool", "action", "parameters", "declared", "expected"),
    [
        ("Bash", None, {}, NONE, ("Bash", None)),
        ("Bash", "run", {}, NONE, ("Bash", "run")),
        ("message", None, {"action": "send"}, NONE, ("message", "send")),
        ("message", "send", {"action": "send"}, NONE, ("message", "send")),
        ("message", "SEND", {"action": "send"}, NONE, ("message", "SEND")),
        ("message", "send", {}, NONE, ("message", "send")),
        ("message", None, {}, NONE, ("message", None)),
        ("message", None, {"action": 1}, NONE, ("message", None)),
        ("message", None, {"action": ["send"]}, NONE, ("message", None)),
        ("message", None, {"action": ""}, NONE, ("message", None)),
        ("message", None, {"action": " \t"}, NONE, ("message", None)),
        ("message", " ", {}, NONE, ("message", None)),
        ("Message", None, {"action": "send"}, NONE, ("message", "send")),
        ("\uff2dESSAGE", None, {"action": "send"}, NONE, ("message", "send")),
        ("message.send", None, {}, NONE, ("message", "send")),
        ("Message.Send", None, {"action": "send"}, NONE, ("message", "Send")),
        ("message.send.now", None, {}, NONE, ("message", "send.now")),
        ("message.", None, {}, NONE, ("message.", None)),
        (".message", None, {}, NONE, (".message", None)),
        ("other.send", None, {}, NONE, ("other.send", None)),
        ("a.b", None, {}, tools(a={}, a_b={}), ("a.b", None)),
        ("a.b", None, {}, tools(a={}), ("a", "b")),
        ("A.b", None, {}, tools(a={}), ("a", "b")),
        ("post", None, {"what": {"do": "it"}}, tools(post={"actionFrom": "/what/do"}), ("post", "it")),
        ("message", None, {"action": "send"}, tools(message={"actionFrom": None}), ("message", None)),
        ("message", None, {"action": "send"}, tools(message={}), ("message", "send")),
        ("message", None, {"do": "send"}, tools(Message={"actionFrom": "/do"}), ("Message", "send")),
    ],
)
def test_tool_and_action(tool, action, parameters, declared, expected):
    """From the name, the call's own word and the parameters, each where it says something."""
    found = identify(tool, action, parameters, declared)

    assert expected == (found.canonical, found.action)
    assert tool == found.native


@pytest.mark.parametrize(
    ("tool", "action", "parameters", "paths"),
    [
        ("message", "send", {"action": "delete"}, ["$.action", "$.parameters.action"]),
        ("message.send", None, {"action": "delete"}, ["$.tool", "$.parameters.action"]),
        ("message.send", "delete", {}, ["$.tool", "$.action"]),
        ("message.send", "delete", {"action": "send"}, ["$.tool", "$.action", "$.parameters.action"]),
        ("message", "send", {"action": " "}, ["$.action", "$.parameters.action"]),
        ("message", "send", {"action": ["delete"]}, ["$.action", "$.parameters.action"]),
        ("message", "send", {"action": False}, ["$.action", "$.parameters.action"]),
        ("message", " ", {"action": "delete"}, ["$.action", "$.parameters.action"]),
    ],
)
def test_two_that_disagree_are_refused(tool, action, parameters, paths):
    """With every place that told one."""
    with pytest.raises(InvalidInput, match=r"told twice and differs: .*send it once") as caught:
        identify(tool, action, parameters, NONE)

    assert paths == [fault.path for fault in caught.value.faults]


def test_a_disagreement_quotes_both():
    """Each fault says what stands there."""
    with pytest.raises(InvalidInput) as caught:
        identify("message", "a", {"action": "b"}, NONE)

    assert (Fault("$.action", "says 'a'"), Fault("$.parameters.action", "says 'b'")) == caught.value.faults
    assert "$.action says 'a', $.parameters.action says 'b'" in caught.value.message


def test_a_disagreement_never_sends_megabytes_back():
    """Long words are cut, other values not shown."""
    with pytest.raises(InvalidInput) as caught:
        identify("message", "a" * 200, {"action": ["x"] * 1000}, NONE)

    said = [Fault("$.action", f"says '{'a' * 64}'"), Fault("$.parameters.action", "says what is no text")]
    assert said == list(caught.value.faults)


def test_a_place_is_a_json_path():
    """Whatever the pointer's names look like."""
    declared = tools(post={"actionFrom": "/a~1b/do"})

    with pytest.raises(InvalidInput) as caught:
        identify("post", "x", {"a/b": {"do": "y"}}, declared)

    assert '$.parameters["a/b"].do' == caught.value.faults[1].path


@pytest.mark.parametrize(
    ("parameters", "action"),
    [({"action": "send"}, "send"), ({"action": " "}, " "), ({"action": 1}, ""), ({"action": None}, None), ({}, None)],
)
def test_the_action_that_parameters_alone_tell(parameters, action):
    """What a transform must not change."""
    assert action == action_of("message", parameters, NONE)


def test_parameters_of_a_tool_without_a_pointer_tell_nothing():
    """Whatever stands in them."""
    assert action_of("Bash", {"action": "run"}, NONE) is None


@pytest.mark.parametrize(
    ("tool", "kind"), [*table().kinds().items(), ("message", "Message"), ("bash", "Execute"), ("weather", "Other")]
)
def test_kinds(tool, kind):
    """Known tools have one of their own, by folded name; all others are `Other`."""
    assert kind == identify(tool, None, {}, NONE).kind


def test_the_names_that_keys_meet():
    """Canonical and native, folded, and the action."""
    assert Names.of({"message", "message.send"}, "send") == identify("Message.Send", None, {}, NONE).names


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/a", {"b": [1, {"c": "deep"}]}),
        ("/a/b/1/c", "deep"),
        ("/a/b/2", None),
        ("/a/b/-1", None),
        ("/a/b/x", None),
        ("/a/c", None),
        ("/a/b/0/c", None),
        ("/x~1y", "slash"),
        ("/x~0y", "tilde"),
        ("/x~01y", "both"),
    ],
)
def test_pointers(pointer, value):
    """RFC 6901, and None where nothing stands."""
    document = {"a": {"b": [1, {"c": "deep"}]}, "x/y": "slash", "x~y": "tilde", "x~1y": "both"}

    assert value == resolve(document, pointer)

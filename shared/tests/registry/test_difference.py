"""What changed, and what of it lets more through: a table of every loosening."""

from typing import Any

import pytest

from interpose.registry.changes import now, switched
from interpose.registry.difference import difference

from .conftest import Make, spec

PLAIN = spec("a")
SCHEMA = {"type": "object"}

HOOK: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "failMode to warn": (PLAIN, spec("a", failMode="warn"), True),
    "failMode to reject": (spec("a", failMode="warn"), PLAIN, False),
    "failMode to transform": (PLAIN, spec("a", failMode="transform"), False),
    "onFailure to warn": (PLAIN, spec("a", onFailure="warn"), True),
    "onFailure to reject": (spec("a", onFailure="warn"), PLAIN, False),
    "a shorter timeout": (PLAIN, spec("a", timeout=4999), True),
    "a longer timeout": (PLAIN, spec("a", timeout=5001), False),
    "transform": (PLAIN, spec("a", transform=True), True),
    "transform no more": (spec("a", transform=True), PLAIN, True),
    "a condition": (PLAIN, spec("a", when="true"), True),
    "another condition": (spec("a", when="true"), spec("a", when="false"), True),
    "a condition no more": (spec("a", when="true"), PLAIN, False),
    "shadow": (PLAIN, spec("a", mode="shadow"), True),
    "shadow no more": (spec("a", mode="shadow"), PLAIN, False),
    "another service": (PLAIN, spec("a", service="b"), True),
    "other settings": (PLAIN, spec("a", **{"with": {"x": 1}}), False),
}

FRAME: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "unknown tools allowed": ({"defaults": {"unknownTool": "reject"}}, {}, True),
    "unknown tools asked for": ({"defaults": {"unknownTool": "reject"}}, {"defaults": {"unknownTool": "ask"}}, True),
    "unknown tools refused": ({}, {"defaults": {"unknownTool": "reject"}}, False),
    "a schema no more": ({"tools": {"t": {"inputSchema": SCHEMA}}}, {"tools": {"t": {}}}, True),
    "another schema": ({"tools": {"t": {"inputSchema": SCHEMA}}}, {"tools": {"t": {"inputSchema": {}}}}, True),
    "a schema": ({"tools": {"t": {}}}, {"tools": {"t": {"inputSchema": SCHEMA}}}, False),
    "a tool with a schema no more": ({"tools": {"t": {"inputSchema": SCHEMA}}}, {}, True),
    "a plain tool no more": ({"tools": {"t": {}}}, {}, False),
    "an action from elsewhere": ({"tools": {"t": {"actionFrom": "/a"}}}, {"tools": {"t": {"actionFrom": "/b"}}}, True),
    "an action from nowhere": ({"tools": {"t": {}}}, {"tools": {"t": {"actionFrom": None}}}, True),
    "an alias": ({"tools": {"t": {}}}, {"tools": {"t": {}}, "toolAliases": {"u": "t"}}, True),
    "another time for a tool": ({"tools": {"t": {}}}, {"tools": {"t": {"timeout": 7}}}, False),
    "registration opened": ({"registration": "closed"}, {}, True),
    "registration closed": ({}, {"registration": "closed"}, False),
}


@pytest.mark.parametrize(("old", "new", "loosens"), HOOK.values(), ids=HOOK.keys())
def test_a_change_of_a_hook(document: Make, old: dict[str, Any], new: dict[str, Any], loosens: bool) -> None:
    """It is told by its field, and loosens where less is enforced; a hook that enforced nothing loses nothing."""
    [found] = difference(document({"before:*": [old]}), document({"before:*": [new]}))

    assert ("a", "changed", loosens) == (found.name, found.kind, bool(found.loosened))
    assert 1 == len(found.told)
    assert set(found.loosened) <= set(found.told)


@pytest.mark.parametrize(("old", "new", "loosens"), FRAME.values(), ids=FRAME.keys())
def test_a_change_beside_the_hooks(document: Make, old: dict[str, Any], new: dict[str, Any], loosens: bool) -> None:
    """It is told under its name in the file, and loosens where more may come through."""
    [found] = difference(document({}, **old), document({}, **new))

    assert ("changed", loosens) == (found.kind, bool(found.loosened))


def test_hooks_that_come_and_go(document: Make) -> None:
    """An added one loosens nothing, a removed one does."""
    found = difference(document({"before:*": [spec("old")]}), document({"before:*": [spec("new")]}))

    assert [("new", "added", 0), ("old", "removed", 1)] == [(one.name, one.kind, len(one.loosened)) for one in found]


def test_keys_that_come_and_go(document: Make) -> None:
    """A lost key loosens, unless the hook is asked about everything of that phase now."""
    narrow, wide = document({"before:Bash": [PLAIN]}), document({"before:*": [PLAIN]})

    [narrowed], [widened] = difference(wide, narrow), difference(narrow, wide)

    assert (("no longer asked for before:*",), ()) == (narrowed.loosened, widened.loosened)
    [moved] = difference(narrow, document({"after:*": [PLAIN]}))
    assert ("no longer asked for before:Bash",) == moved.loosened


def test_disabling_loosens_and_enabling_does_not(document: Make) -> None:
    """What was disabled enforced nothing, so no change of it loosens."""
    on = document({"before:*": [PLAIN]})
    off = switched(on, "a", now("x", "x"), enabled=False)

    [disabled], [enabled] = difference(on, off), difference(off, on)
    [gone] = difference(off, document({}))

    assert (("disabled",), (), ()) == (disabled.loosened, enabled.loosened, gone.loosened)


def test_another_order_is_told(document: Make) -> None:
    """Transforming hooks work in the order of the file."""
    hooks = [spec("a", transform=True), spec("b", transform=True)]

    [found] = difference(document({"before:*": hooks}), document({"before:*": hooks[::-1]}))

    assert ("order", ("a, b → b, a",), ()) == (found.name, found.told, found.loosened)


def test_nothing_changed_is_nothing(document: Make) -> None:
    """Also where a default is written out; and a first document has added hooks only."""
    plain, spelled = document({"before:*": [PLAIN]}), document({"before:*": [spec("a", timeout=5000)]})

    assert [] == difference(plain, spelled)
    assert ["added"] == [one.kind for one in difference(None, plain)]

"""Needs and conditions that refuse a configuration: each with the place and the remedy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.canonical.identity import Identity
from interpose.contracts.config import Configuration
from interpose.contracts.words import Phase
from interpose.errors import ConfigurationError
from interpose.planning.entries import entries_of, objections
from interpose.planning.objection import Placed
from interpose.planning.plan import make_plan


@pytest.fixture
def faults(configuration):
    """`faults(hooks)`: path and message of each fault; none for a good configuration."""

    def find(hooks):
        try:
            entries_of(configuration(hooks))
        except ConfigurationError as error:
            return [(fault.path.removeprefix("$.hooks"), fault.message) for fault in error.faults]
        return []

    return find


def test_what_can_be_met_is_good(faults, hook):
    """Judges may need transforming hooks and judges, a transforming hook another one, a shadow whom it likes."""
    hooks = {
        "before:*": [
            hook("j1", needs=["j2", "t1"], mode="shadow"),
            hook("j2", needs=["t2"], when="tool == 'Bash'"),
            hook("t1", transform=True, needs=["t2"]),
            hook("t2", failMode="transform"),
            hook("s", mode="shadow", needs=["j1"]),
        ],
        "after:*": [hook("j2", needs=["t2"], when="tool == 'Bash'"), hook("last", needs=["j2"])],
    }

    assert [] == faults(hooks)


@pytest.mark.parametrize(
    ("needing", "needed", "message"),
    [
        ({"transform": True}, {}, "a transforms and is asked before b judges what comes of it: it cannot wait for it"),
        (
            {"failMode": "transform"},
            {"failMode": "warn"},
            "a transforms and is asked before b judges what comes of it: it cannot wait for it",
        ),
        ({}, {"mode": "shadow"}, "b is in shadow and feeds nobody: enforce it too, or put a in shadow"),
        (
            {"failMode": "warn"},
            {"mode": "shadow"},
            "b is in shadow and feeds nobody: enforce it too, or put a in shadow",
        ),
    ],
)
def test_what_cannot_be_met_refuses(faults, hook, needing, needed, message):
    """At the need's own place."""
    hooks = {
        "before:*": [hook("c"), hook("a", needs=["c", "b"] if "transform" not in str(needing) else ["b"], **needing)]
    }
    index = 0 if "transform" in str(needing) else 1

    assert [(f'["before:*"][1].needs[{index}]', message)] == faults(hooks | {"before:Bash": [hook("b", **needed)]})


def test_an_unknown_need_refuses(faults, hook):
    """A misspelled need would let the hook be asked without it."""
    assert [('["before:*"][0].needs[1]', "there is no hook c: correct the name, or add the hook")] == faults(
        {"before:*": [hook("a", needs=["b", "c"]), hook("b")]}
    )


def test_a_hook_that_is_refused_for_itself_is_still_known(configuration, hook):
    """Whoever needs it is not told that it is not there."""
    entries = entries_of(configuration({"before:*": [hook("a")]}))
    needing = Placed(entries[0].key, entries[0].hook.model_copy(update={"needs": ["broken", "absent"]}))

    found = list(objections([needing], frozenset({"broken"})))

    assert [("a", ("needs", 1))] == [(one.hook, one.steps) for one in found]


def test_a_need_must_share_a_phase(faults, hook):
    """One phase is enough: in the other the need imposes nothing."""
    both = hook("both", needs=["before"])
    hooks = {"before:*": [hook("before"), both], "after:*": [both, hook("after", needs=["before"])]}

    message = "before has no key in a phase of after, so they never meet: give it one, or drop the need"
    assert [('["after:*"][1].needs[0]', message)] == faults(hooks)


def test_rings_refuse(faults, hook):
    """Each ring is told once, at its first hook; who only waits for a ring is not told of."""
    needs = {"a": ["a"], "b": ["c"], "c": ["d"], "d": ["x", "b"], "x": [], "e": ["b"], "f": ["g"], "g": ["f"]}
    hooks = {"before:*": [hook(name, needs=needed) for name, needed in needs.items()]}

    message = "nobody could be asked first: {}; take one of these needs out"
    assert [
        ('["before:*"][0].needs', message.format("a needs a")),
        ('["before:*"][1].needs', message.format("b needs c needs d needs b")),
        ('["before:*"][6].needs', message.format("f needs g needs f")),
    ] == faults(hooks)


def test_a_hook_under_several_keys_is_told_of_once(faults, hook):
    """At its first place."""
    bad = hook("a", needs=["nobody"], when="tool")

    assert [
        ('["before:Bash"][1].when', "must be true or false, and is STRING: compare it with something"),
        ('["before:Bash"][1].needs[0]', "there is no hook nobody: correct the name, or add the hook"),
    ] == faults({"before:Bash": [hook("b"), bad], "before:*": [bad]})


NAMES = st.sampled_from("abcdef")


@given(st.dictionaries(NAMES, st.tuples(st.booleans(), st.lists(NAMES, max_size=3)), max_size=6))
def test_what_is_not_refused_has_an_order(drawn):
    """Each hook behind all that it needs, and everybody is there; or the configuration is refused."""
    hooks = [
        {"name": name, "service": name, "transform": transform, "needs": needs}
        for name, (transform, needs) in drawn.items()
    ]
    try:
        entries = entries_of(Configuration.model_validate({"hooks": {"before:*": hooks}}))
    except ConfigurationError:
        return
    plan = make_plan(entries, Phase.BEFORE, Identity("Bash", "Bash", None, "Execute"))
    order = [step.hook.name for step in (*plan.chain, *plan.judging)]

    assert sorted(drawn) == sorted(order)
    assert all(order.index(need) < order.index(name) for name, (_, needs) in drawn.items() for need in needs)

"""Which hooks are asked, in which order, under which name of the tool."""

from dataclasses import replace

import pytest

from interpose.canonical.canonicalize import identify
from interpose.canonical.identity import Identity
from interpose.canonical.tools import Tools
from interpose.contracts.words import Phase
from interpose.planning.entries import entries_of
from interpose.planning.plan import make_plan

TOOLS = {"message": {}, "web_fetch": {}}


@pytest.fixture
def plan(hook, configuration):
    """`plan(hooks, tool, action, phase=…)`: the plan; hooks by key, each key's as names or as whole hooks."""

    def make(hooks, tool="Bash", action=None, *, phase=Phase.BEFORE, tools=TOOLS, parameters=None):
        entries = {key: [hook(one) if isinstance(one, str) else one for one in ones] for key, ones in hooks.items()}
        applied = configuration(entries, tools=tools)
        return make_plan(entries_of(applied), phase, identify(tool, action, parameters or {}, Tools.of(applied.tools)))

    return make


def names(steps) -> list[str]:
    """The hooks of these steps."""
    return [step.hook.name for step in steps]


EVERY_KEY = {
    "{}:message.send": ["action"],
    "{}:message": ["tool"],
    "{}:mess*": ["prefix-4"],
    "{}:*": ["everything"],
    "{}:message*": ["prefix-7"],
    "{}:message.*": ["prefix-8"],
    "{}:m*": ["prefix-1"],
}
BEFORE_ORDER = ["everything", "prefix-1", "prefix-4", "prefix-7", "prefix-8", "tool", "action"]


def keyed(phase: str) -> dict:
    """Every kind of key in an order that is not the answer."""
    return {key.format(phase): hooks for key, hooks in EVERY_KEY.items()}


def test_before_goes_from_general_to_specific(plan):
    """`*`, prefixes (shorter first), tool, tool.action, wherever the file has them."""
    assert BEFORE_ORDER == names(plan(keyed("before"), "message", "send").judging)


def test_after_is_mirrored(plan):
    """`*` last, so that a global sanitizer sees the final text."""
    assert BEFORE_ORDER[::-1] == names(plan(keyed("after"), "message", "send", phase=Phase.AFTER).judging)


def test_a_phase_has_its_own_hooks(plan):
    """A before key never plans an after hook, nor the other way round."""
    hooks = {"before:*": ["first"], "after:*": ["last"]}

    assert ["first"] == names(plan(hooks).judging)
    assert ["last"] == names(plan(hooks, phase=Phase.AFTER).judging)


@pytest.mark.parametrize("phase", Phase)
def test_inside_a_key_the_files_order_stands(plan, phase):
    """In both phases: only the groups are mirrored."""
    hooks = {f"{phase}:Bash": ["b", "a"], f"{phase}:bash": ["d", "c"]}

    assert ["b", "a", "d", "c"] == names(plan(hooks, phase=phase).judging)


def test_transforming_hooks_form_the_chain(plan, hook):
    """By declaration or by failMode; all others judge. Each part keeps the order."""
    hooks = {
        "before:Bash": ["j2", hook("t2", failMode="transform"), hook("t3", transform=True)],
        "before:*": [hook("t1", transform=True, failMode="warn"), "j1"],
    }

    made = plan(hooks)

    assert ["t1", "t2", "t3"] == names(made.chain)
    assert ["j1", "j2"] == names(made.judging)


@pytest.mark.parametrize(("phase", "order"), [(Phase.BEFORE, ["same", "other"]), (Phase.AFTER, ["other", "same"])])
def test_a_hook_under_several_keys_is_asked_once(plan, phase, order):
    """At the first place that it has in the plan."""
    hooks = {f"{phase}:*": ["same"], f"{phase}:B*": ["other"]}
    if phase is Phase.BEFORE:
        hooks[f"{phase}:Bash"] = ["same"]

    assert order == names(plan(hooks, phase=phase).judging)


def test_the_key_says_how_the_tool_is_spelled(configuration, hook):
    """A key that meets the canonical name gives that one, a key that meets only the platform's gives the platform's."""
    patterns = {
        "any": "*",
        "prefix": "ex*",
        "native": "Exec",
        "canonical": "BASH",
        "action": "exec.run",
        "own": "bash.run",
    }
    applied = configuration({f"before:{pattern}": [hook(name)] for name, pattern in patterns.items()})

    made = make_plan(entries_of(applied), Phase.BEFORE, Identity("Bash", "exec", "run", "Execute"))

    assert {
        "any": "Bash",
        "prefix": "exec",
        "native": "exec",
        "canonical": "Bash",
        "action": "exec",
        "own": "Bash",
    } == {step.hook.name: step.tool for step in made.judging}


def test_another_actions_key_does_not_make_a_name_canonical(configuration, hook):
    """A whole native name that looks like an action of the canonical tool is still the platform's name."""
    applied = configuration({"before:bash.login": [hook("hook")]})

    made = make_plan(entries_of(applied), Phase.BEFORE, Identity("Bash", "bash.login", "run", "Execute"))

    assert ["bash.login"] == [step.tool for step in made.judging]


def test_the_first_key_says_how_the_tool_is_spelled(configuration, hook):
    """For a hook under several keys."""
    applied = configuration(
        {"before:exec": [hook("same")], "before:ex*": [hook("same")], "before:bash": [hook("same")]}
    )
    reverse = configuration({"before:bash": [hook("same")], "before:exec": [hook("same")]})
    called = Identity("Bash", "exec", None, "Execute")

    assert ["exec"] == [step.tool for step in make_plan(entries_of(applied), Phase.BEFORE, called).judging]
    assert ["Bash"] == [step.tool for step in make_plan(entries_of(reverse), Phase.BEFORE, called).judging]


def test_an_action_that_cannot_be_told_meets_every_actions_hooks(plan):
    """One hook more is asked rather than one too few."""
    hooks = {"before:message.send": ["send"], "before:message.delete": ["delete"], "before:other.send": ["other"]}

    assert ["send", "delete"] == names(plan(hooks, "message").judging)
    assert ["send"] == names(plan(hooks, "message", "send").judging)
    assert ["delete"] == names(plan(hooks, "message", parameters={"action": "DELETE"}).judging)


def test_a_prefix_meets_names_and_dotted_names(plan):
    """`message.de*` meets `message` with action `delete`, and one whose action nobody can tell."""
    hooks = {"before:message.de*": ["destructive"]}

    assert ["destructive"] == names(plan(hooks, "message", "delete").judging)
    assert ["destructive"] == names(plan(hooks, "message").judging)
    assert [] == names(plan(hooks, "message", "send").judging)


def test_prefixes_of_both_spellings_are_ordered_by_length(plan):
    """Not by which of the tool's names they meet."""
    hooks = {"before:mcp__github__*": ["long"], "before:mcp__*": ["short"], "before:mcp__git*": ["middle"]}

    assert ["short", "middle", "long"] == names(plan(hooks, "mcp__github__create_issue").judging)


def test_a_length_counts_for_prefixes_only(plan):
    """Keys that meet a tool by two of its names stand in the file's order, the longer one too."""
    hooks = {"before:message.send": ["whole"], "before:message": ["tool"]}

    # The native name is message.send: both keys meet the tool as a whole name.
    assert ["whole", "tool"] == names(plan(hooks, "message.send", tools={"message": {}}).judging)


def test_the_worst_case_is_the_chain_and_the_slowest_judge(plan, hook):
    """The chain one after another, then all judges together."""
    hooks = {
        "before:*": [
            hook("t1", transform=True, timeout=300),
            hook("t2", transform=True, timeout=40),
            hook("j1", timeout=5),
            hook("j2", timeout=7),
        ]
    }

    assert 347 == plan(hooks).worst_case_ms
    assert 0 == plan({}).worst_case_ms
    assert 40 == plan({"before:*": hooks["before:*"][1:2]}).worst_case_ms


def test_a_hook_stands_behind_those_that_it_needs(plan, hook):
    """And else where its key puts it: who waits for nobody keeps its place."""
    hooks = {
        "before:*": [hook("a", needs=["c"]), "b", hook("t1", transform=True, needs=["t2"]), hook("t3", transform=True)],
        "before:Bash": [hook("c", needs=["d", "t1"]), "d", hook("t2", transform=True)],
    }

    made = plan(hooks)

    assert ["t3", "t2", "t1"] == names(made.chain)
    assert ["b", "d", "c", "a"] == names(made.judging)


def test_a_need_that_the_plan_does_not_hold_orders_nothing(plan, hook):
    """It belongs to other calls."""
    hooks = {"before:*": [hook("a", needs=["c"]), "b"], "before:Write": ["c"]}

    assert ["a", "b"] == names(plan(hooks).judging)
    assert ["b", "c", "a"] == names(plan(hooks, "Write").judging)


def test_the_worst_case_is_the_longest_way_through_judges_that_wait(plan, hook):
    """Those that nobody waits for take no time beside it; a need in the chain is met when judging begins."""
    hooks = {
        "before:*": [
            hook("t", transform=True, timeout=1000),
            hook("a", timeout=10),
            hook("b", timeout=20, needs=["a", "t"]),
            hook("c", timeout=100),
            hook("d", timeout=40, needs=["c", "b"]),
            hook("e", timeout=130),
        ]
    }

    assert 1140 == plan(hooks).worst_case_ms


def test_shadows_stand_at_their_places_and_take_no_time(plan, hook):
    """Transforming ones in the chain, the others among the judges."""
    hooks = {
        "before:*": [
            hook("t1", transform=True, timeout=10, mode="shadow"),
            hook("t2", transform=True, timeout=20),
            hook("j1", timeout=300, mode="shadow"),
            hook("j2", timeout=4),
            hook("j3", timeout=900, mode="shadow", needs=["j2"]),
        ]
    }

    made = plan(hooks)

    assert (["t1", "t2"], ["j1", "j2", "j3"]) == (names(made.chain), names(made.judging))
    assert ["t1", "j1", "j3"] == [step.hook.name for step in (*made.chain, *made.judging) if step.is_shadow]
    assert 24 == made.worst_case_ms


def test_a_step_has_its_hooks_condition(plan, hook):
    """Compiled once, however many calls are planned."""
    hooks = {"before:*": [hook("a", when="tool == 'Bash'"), "b"]}

    first, second = plan(hooks).judging, plan(hooks).judging

    assert [True, None] == [step.condition and step.condition.holds({"tool": "Bash"}) for step in first]
    assert first[0].condition is second[0].condition


def test_a_step_says_who_brought_its_hook_in(configuration, hook):
    """As its entry does."""
    (entry,) = entries_of(configuration({"before:*": [hook("a")]}))

    made = make_plan([replace(entry, origin="the worker a-1")], Phase.BEFORE, Identity("Bash", "Bash", None, "Execute"))

    assert ["the worker a-1"] == [step.origin for step in made.judging]


def test_a_plan_says_its_phase(plan):
    """So that nobody applies it to the other one."""
    assert [Phase.BEFORE, Phase.AFTER] == [plan({}, phase=phase).phase for phase in Phase]

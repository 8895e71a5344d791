"""Asking the hooks of a plan: the chain feeds itself, the judges see its end, and a transform stays in its bounds."""

import asyncio
from dataclasses import replace

import pytest

from interpose.contracts.digest import digest
from interpose.contracts.words import Phase
from interpose_gateway.core.entry import enter, read_call

ALLOW = {"verdict": "allow"}
REJECT = {"verdict": "reject", "reason": "no"}
ASK = {"verdict": "ask", "reason": "sure?"}


def output(**value):
    """A transform to this value."""
    return {"verdict": "transform", "output": value}


def effects(record) -> dict[str, str]:
    """What each hook of the plan did to the call, in its order."""
    return {hook.name: hook.effect for hook in record.hooks if hook.name != "canonicalizer"}


def values(world, field="parameters") -> dict:
    """What each hook was shown."""
    return {ask["hook"]: ask[field] for ask in world.hooks.asks}


@pytest.fixture
def chained(world, hook):
    """Two transforming hooks and two judging ones before the tool, `Bash` or any other."""
    world.configure(
        {"before:*": [hook("j1"), hook("t1", transform=True), hook("t2", failMode="transform"), hook("j2")]}
    )
    return world


async def test_the_chain_feeds_itself_and_the_judges_see_its_end(chained):
    """What is judged last is what runs."""
    chained.hooks.does = {"t1": output(step=1), "t2": lambda ask: output(step=ask["parameters"]["step"] + 1)}

    reply = await chained.call(parameters={"step": 0})

    shown = {"t1": {"step": 0}, "t2": {"step": 1}, "j1": {"step": 2}, "j2": {"step": 2}}
    assert shown == values(chained)
    assert {"step": 2} == chained.tools.runs[0].parameters == reply.answer.parameters


async def test_whoever_changed_the_value_is_named_to_those_behind(chained):
    """In order, each once."""
    chained.hooks.does = {"t1": output(step=1), "t2": output(step=2)}

    await chained.call()

    assert {"t1": [], "t2": ["t1"], "j1": ["t1", "t2"], "j2": ["t1", "t2"]} == values(chained, "changed_by")


async def test_every_change_is_on_the_record(chained):
    """Who, from what, to what; the original and the final value beside it."""
    chained.hooks.does = {"t1": output(step=1), "t2": ALLOW}

    await chained.call(parameters={"step": 0})

    record = chained.ledger.of(Phase.BEFORE)
    change = ("t1", digest({"step": 0}), digest({"step": 1}), {"step": 1})
    assert [change] == [(one.hook, one.digest_before, one.digest_after, one.value) for one in record.changes]
    assert ({"step": 0}, {"step": 1}, digest({"step": 1})) == (record.original, record.final, record.final_digest)


async def test_what_nobody_changed_is_on_the_record_with_its_digest(chained):
    """The same that its native form has."""
    chained.hooks.does = {"t1": ALLOW, "t2": ALLOW}

    await chained.call(parameters={"step": 0})

    record = chained.ledger.of(Phase.BEFORE)
    assert ({"step": 0}, digest({"step": 0})) == (record.final, record.final_digest)


@pytest.mark.parametrize(("no", "effect"), [(REJECT, "stopped"), (ASK, "approval")])
async def test_a_no_in_the_chain_ends_the_chain(chained, no, effect):
    """Judging hooks are still asked, on the value so far: an audit hook sees every attempt."""
    chained.configure(
        {
            "before:*": [
                {"name": name, "service": name, "transform": name.startswith("t")} for name in ("t1", "t2", "t3", "j1")
            ]
        }
    )
    chained.hooks.does = {"t1": output(step=1), "t2": no | {"output": {"step": 99}}}

    reply = await chained.call(parameters={"step": 0})

    assert {"t1": {"step": 0}, "t2": {"step": 1}, "j1": {"step": 1}} == values(chained)
    assert {"t1": "transformed", "t2": effect, "t3": "not_asked", "j1": "passed"} == effects(
        chained.ledger.of(Phase.BEFORE)
    )
    assert ("t2", []) == (reply.answer.decided_by, chained.tools.runs)


async def test_a_waived_failure_in_the_chain_changes_nothing(chained, hook):
    """The next one gets the value that the failing one was shown."""
    hooks = [hook("t1", transform=True, onFailure="warn"), hook("t2", transform=True)]
    chained.configure({"before:*": hooks})
    chained.hooks.does = {"t1": b"nonsense", "t2": lambda ask: output(seen=ask["parameters"])}

    await chained.call(parameters={"step": 0})

    assert {"seen": {"step": 0}} == chained.tools.runs[0].parameters
    assert {"t1": "warned", "t2": "transformed"} == effects(chained.ledger.of(Phase.BEFORE))


async def test_a_rejecting_judge_behind_a_chain_decides_after_it(chained):
    """The first in plan order, which is the chain and then the judges in the file's order."""
    chained.hooks.does = {"j1": REJECT | {"reason": "first"}, "j2": REJECT | {"reason": "second"}}

    reply = await chained.call()

    assert ("j1", "first") == (reply.answer.decided_by, reply.answer.reason)


async def test_judges_are_asked_together(worlds, hook):
    """Each waits until all have been asked: one after another they would wait forever."""
    barrier = asyncio.Barrier(3)

    class Meeting:
        async def ask(self, question):
            async with asyncio.timeout(5):
                await barrier.wait()
            return await world.hooks.ask(question)

    world = worlds(Meeting())
    world.configure({"before:*": [hook("a"), hook("b"), hook("c")]})

    assert 200 == (await world.call()).status


@pytest.mark.parametrize(
    ("called", "changed", "is_good"),
    [
        ({"action": "send"}, {"action": "send", "text": "x"}, True),
        ({"action": "send"}, {"action": "SEND"}, True),
        ({"action": "send"}, {"action": "delete"}, False),
        ({"action": "send"}, {}, False),
        ({"action": "send"}, {"action": ["send"]}, False),
        ({}, {"action": "send"}, False),
        ({}, {"action": " "}, True),
        ({"action": 1}, {}, True),
        ({"action": " "}, {"action": "send"}, False),
        ({}, {"text": "x"}, True),
        ({"action": 1}, {"action": 2}, True),
        ({"action": 1}, {"action": "send"}, False),
    ],
)
async def test_a_transform_may_not_change_the_action(world, hook, called, changed, is_good):
    """Nor tell one where none could be told."""
    world.configure({"before:message.*": [hook("rewrite", transform=True)]})
    world.hooks.does = {"rewrite": {"verdict": "transform", "output": changed}}

    reply = await world.call("message", called)

    assert is_good == bool(world.tools.runs)
    assert (200 if is_good else 403, None if is_good else "malformed-verdict") == (reply.status, reply.answer.code)


@pytest.mark.parametrize(
    ("changed", "is_good"),
    [
        ({"text": "x"}, True),
        ({"action": "Send"}, True),
        ({"action": "delete"}, False),
        ({"action": ["send"]}, False),
    ],
)
async def test_a_transform_may_repeat_an_action_told_elsewhere(world, hook, changed, is_good):
    """The call's own word `send` may also stand in the parameters, no other word may."""
    world.configure({"before:*": [hook("rewrite", transform=True)]})
    world.hooks.does = {"rewrite": {"verdict": "transform", "output": changed}}

    reply = await world.call("message", {}, action="send")

    assert is_good == (reply.status == 200)
    assert (
        is_good or "used: $.parameters: a transform may not change the action from 'send' to '" in reply.answer.reason
    )


async def test_a_response_may_become_any_object(world, hook):
    """Schema and action bind parameters only."""
    schema = {"type": "object", "required": ["action"]}
    world.configure({"after:*": [hook("clean", transform=True)]}, tools={"message": {"inputSchema": schema}})
    world.hooks.does = {"clean": output(anything=1)}

    reply = await world.call("message", {"action": "send"})

    assert {"anything": 1} == reply.answer.response


@pytest.fixture
def judged(chained):
    """`judged(**fields)`: what the hooks of a call come to whose agent has a person to ask, or a person's yes."""

    async def judge(**fields):
        revision = chained.rules.revision
        call = read_call(b'{"tool": "Bash", "parameters": {"step": 0}}')
        entered = replace(enter(call, chained.caller, revision, "c-1", chained.clock.now_s), **fields)
        plan = revision.plan(Phase.BEFORE, entered.identity)
        return await chained.gateway.stations.judge.judge(entered, plan)

    return judge


async def test_a_question_to_somebody_ends_no_chain(chained, judged):
    """What follows it is judged as if it had its yes, so that a person sees what would run; else it ends the chain."""
    chained.hooks.does = {"t1": ASK, "t2": output(step=1)}

    asked, alone = await judged(has_person=True), await judged()

    assert [("t1", "approval"), ("t2", "transformed"), ("j1", "passed"), ("j2", "passed")] == [
        (one.step.hook.name, one.effect) for one in asked.asked
    ]
    assert ({"step": 1}, {"step": 0}) == (asked.value, alone.value)
    assert ["approval", "not_asked", "passed", "passed"] == [one.effect for one in alone.asked]


async def test_a_refusal_ends_the_chain_whoever_can_be_asked(chained, judged):
    """A person is not asked about what is refused."""
    chained.hooks.does = {"t1": REJECT, "t2": output(step=1)}

    assert ["stopped", "not_asked"] == [one.effect for one in (await judged(has_person=True)).asked[:2]]


async def test_a_need_that_asks_somebody_is_met_for_now(chained, judged, hook):
    """As if it had its yes; where nobody can be asked it gave none."""
    chained.configure({"before:*": [hook("a"), hook("b", needs=["a"])]})
    chained.hooks.does = {"a": ASK}

    effects = [[one.effect for one in (await judged(has_person=each)).asked] for each in (True, False)]

    assert [["approval", "passed"], ["approval", "not_asked"]] == effects


async def test_a_question_that_has_its_yes_is_passed(chained, judged):
    """Of that hook alone, and no other answer of it."""
    chained.hooks.does = {"t1": ASK, "j1": ASK, "j2": REJECT}

    asked = await judged(granted=frozenset({"t1", "j2"}))

    assert ["passed", "passed", "approval", "stopped"] == [one.effect for one in asked.asked]


async def test_what_hooks_were_told_of_the_session_goes_with_what_they_did(chained, judged):
    """The record tells the labels by which they judged, not those of a later moment."""
    chained.hooks.does = {}

    assert {"read": "outside"} == (await judged(labels={"read": "outside"})).labels
    assert (await judged()).labels is None

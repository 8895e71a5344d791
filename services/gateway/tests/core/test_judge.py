"""Asking the hooks of a plan: the chain feeds itself, the judges see its end, and the call's own limits stop it."""

import asyncio
import json

import pytest

from interpose.contracts.digest import digest
from interpose.contracts.reply import NoReply
from interpose.contracts.words import Failure, Outcome, Phase
from interpose_gateway.core.endings import CutOff, Failed, Skipped
from interpose_gateway.core.judge import ending_word
from interpose_gateway.core.ports import Execution

ALLOW = {"verdict": "allow"}
REJECT = {"verdict": "reject", "reason": "no"}
ASK = {"verdict": "ask", "reason": "sure?"}


def output(**value):
    """A transform to this value."""
    return {"verdict": "transform", "output": value}


def effects(record) -> dict[str, str]:
    """What each hook did to the call, in plan order."""
    return {hook.name: hook.effect for hook in record.hooks}


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


async def test_an_ask_says_everything_before(world, hook):
    """Field by field, as the wire format has it; `native` and the platform come from the credential's entry."""
    world.configure({"before:message.send": [hook("enforcer", service="validator", **{"with": {"schema": "slack"}})]})
    context = {"session": "abc123", "user": "patrick", "request_id": "r-1"}

    reply = await world.call("Message", {"action": "send", "text": "hi"}, context=context)

    (ask,) = world.hooks.asks
    assert len(ask.pop("ask_id")) == 32
    assert {
        "tool": "message",
        "action": "send",
        "parameters": {"action": "send", "text": "hi"},
        "context": {
            "user": "patrick",
            "session": "abc123",
            "platform": "openclaw",
            "tenant": "default",
            "claimed": {"request_id": "r-1"},
        },
        "phase": "before",
        "call_id": reply.answer.call_id,
        "revision": 7,
        "hook": "enforcer",
        "with": {"schema": "slack"},
        "canonical_tool": "message",
        "kind": "Message",
        "targets": [],
        "changed_by": [],
        "native": {
            "platform": "openclaw",
            "tool": "Message",
            "digest": digest({"action": "send", "text": "hi"}),
        },
    } == ask
    (question,) = world.hooks.questions
    assert (Phase.BEFORE, "validator", "enforcer", 5.0) == (
        question.phase,
        question.service,
        question.hook,
        question.timeout_s,
    )


async def test_an_ask_after_the_tool_has_the_parameters_that_ran(world, hook):
    """And the response as far as the chain has brought it, how the tool ended and how long it took."""
    world.configure(
        {
            "before:*": [hook("rewrite", transform=True)],
            "after:*": [hook("clean", transform=True), hook("audit")],
        }
    )
    world.hooks.does = {"rewrite": output(command="echo"), "clean": output(text="clean")}
    world.tools.does = Execution(Outcome.ERROR, {"text": "dirty"})
    world.tools.takes_ms = 250

    await world.call(parameters={"command": "ls"})

    clean, audit = world.hooks.asks[1:]
    assert [{"command": "echo"}] * 2 == [clean["parameters"], audit["parameters"]]
    assert [({"text": "dirty"}, []), ({"text": "clean"}, ["clean"])] == [
        (ask["response"], ask["changed_by"]) for ask in (clean, audit)
    ]
    assert ("after", "error", False, 250.0) == (audit["phase"], audit["status"], audit["wrapped"], audit["duration_ms"])
    assert digest({"command": "ls"}) == audit["native"]["digest"]


async def test_native_arguments_go_to_those_who_ask_for_them(world, hook):
    """As the platform sent them, whatever the chain made of them."""
    world.configure({"before:*": [hook("t", transform=True), hook("curious", native=True), hook("other")]})
    world.hooks.does = {"t": output(command="echo")}

    await world.call(parameters={"command": "ls"})

    natives = values(world, "native")
    assert {"command": "ls"} == natives["curious"]["arguments"]
    assert "arguments" not in natives["other"]


async def test_no_two_asks_share_an_id(chained):
    """So that no verdict counts twice."""
    await chained.call()

    assert 4 == len({ask["ask_id"] for ask in chained.hooks.asks})


@pytest.mark.parametrize(
    ("timeout_ms", "needs_ms", "ending"),
    [
        (4_000, 4_500, "cut_off"),
        (4_000, 2_900, "allow"),
        (60_000, 5_001, "deadline_exceeded"),
        (60_000, 5_000, "allow"),
        (5_000, 5_001, "deadline_exceeded"),
        (4_999, 5_001, "cut_off"),
    ],
)
async def test_a_small_budget_is_no_failure_of_a_hook(world, hook, takes, timeout_ms, needs_ms, ending):
    """A hook that had its whole timeout failed; one that had less was cut off by the call."""
    world.configure({"before:*": [hook("slow", timeout=5000, onFailure="warn")]})
    world.hooks.does = {"slow": takes(needs_ms)}

    await world.call(timeout_ms=timeout_ms)

    assert ending == world.ledger.of(Phase.BEFORE).hooks[0].ending


@pytest.mark.parametrize(
    ("answer", "timeout_ms", "ending"),
    [
        (NoReply(Failure.HOOK_ERROR, "gave up in time"), 4_000, "cut_off"),
        (NoReply(Failure.HOOK_ERROR, "broke"), 60_000, "hook_error"),
        (b"half a ver", 4_000, "cut_off"),
        (b"half a ver", 60_000, "malformed_verdict"),
        (NoReply(Failure.NO_RESPONDERS, "nobody"), 4_000, "no_responders"),
        (NoReply(Failure.NOT_PERMITTED, "denied"), 4_000, "not_permitted"),
        (NoReply(Failure.CONNECTION_LOST, "gone"), 4_000, "connection_lost"),
        (REJECT, 4_000, "reject"),
    ],
)
async def test_a_worker_short_of_time_did_not_fail(world, hook, answer, timeout_ms, ending):
    """What a worker does with less than its timeout never switches a hook off; that nobody is there needs no time."""
    world.configure({"before:*": [hook("hook", timeout=5000, onFailure="warn")]})
    world.hooks.does = {"hook": answer}

    await world.call(timeout_ms=timeout_ms)

    assert ending == world.ledger.of(Phase.BEFORE).hooks[0].ending


async def test_a_hook_is_told_the_time_that_is_left(world, hook, takes):
    """The smaller of its timeout and the call's budget."""
    world.configure({"before:*": [hook("first", transform=True, timeout=3000), hook("second", timeout=3000)]})
    world.hooks.does = {"first": takes(1500)}

    await world.call(timeout_ms=4000)

    assert [3.0, 2.5] == [round(question.timeout_s, 6) for question in world.hooks.questions]


async def test_without_time_left_nobody_is_asked(world, hook, takes):
    """The hook is cut off, and the refusal says what to do."""
    world.configure({"before:*": [hook("first", transform=True, timeout=1000), hook("second", timeout=3000)]})
    world.hooks.does = {"first": takes(1000)}

    reply = await world.call(timeout_ms=1000)

    assert ["first"] == [ask["hook"] for ask in world.hooks.asks]
    assert (503, "budget-used-up", "second") == (reply.status, reply.answer.code, reply.answer.decided_by)
    assert (
        "the call's budget was used up before second had its whole timeout of 3000 ms; send a larger timeout_ms"
        == reply.answer.reason
    )


@pytest.mark.parametrize(
    "parameters",
    [
        {"many": [0] * 26_000},
        {"deep": json.loads("[" * 62 + "]" * 62)},
    ],
    ids=["values", "depth"],
)
async def test_what_hooks_cannot_read_stops_the_call(world, hook, parameters):
    """Also where every hook is advisory: a huge page switches nobody off."""
    world.configure({"before:*": [hook("curious", native=True, failMode="warn"), hook("other", failMode="warn")]})

    reply = await world.call(parameters=parameters)

    assert ["other"] == [ask["hook"] for ask in world.hooks.asks]
    assert (403, "too-large", "curious", []) == (
        reply.status,
        reply.answer.code,
        reply.answer.decided_by,
        world.tools.runs,
    )
    assert (
        "what curious would be asked is larger, deeper or has more values than hooks have to read"
        == reply.answer.reason
    )


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


async def test_a_worker_that_finds_an_ask_too_large_is_no_failure(world, hook):
    """As if the gateway had seen it first: the call's own limit, in words that name the hook."""
    world.configure({"before:*": [hook("picky", onFailure="warn")]})
    world.hooks.does = {"picky": NoReply(Failure.HOOK_ERROR, "413", "w-1", error_code="413", too_large=True)}

    reply = await world.call()

    said = "what picky would be asked is larger, deeper or has more values than hooks have to read"
    assert (said, "too-large") == (reply.answer.reason, reply.answer.code)


@pytest.mark.parametrize(
    ("answer", "ending", "effect", "failed"),
    [
        (ALLOW, "allow", "passed", None),
        (REJECT, "reject", "stopped", None),
        (NoReply(Failure.NO_RESPONDERS, "nobody answers"), "no_responders", "stopped", "nobody answers"),
        (NoReply(Failure.HOOK_ERROR, "", too_large=True), "cut_off", "stopped", "what hook would be asked is larger"),
    ],
)
async def test_each_ask_is_a_span(world, hook, exported, answer, ending, effect, failed):
    """Named alike for all hooks; what differs are bounded attributes, and a failure is marked as one with its words."""
    world.configure({"before:*": [hook("hook", service="validator")]})
    world.hooks.does = {"hook": answer}

    await world.call()

    (span,) = [span for span in exported() if span.name == "interpose.ask"]
    told = {
        "interpose.hook": "hook",
        "interpose.service": "validator",
        "interpose.phase.name": "before",
        "interpose.ending": ending,
        "interpose.effect": effect,
    }
    assert told == {key: span.attributes[key] for key in told}
    assert (failed is None) == span.status.is_unset
    assert (span.status.description or "").startswith(failed or "")
    assert format(span.context.span_id, "016x") == world.ledger.of(Phase.BEFORE).hooks[0].span_id


async def test_a_response_may_become_any_object(world, hook):
    """Schema and action bind parameters only."""
    schema = {"type": "object", "required": ["action"]}
    world.configure({"after:*": [hook("clean", transform=True)]}, tools={"message": {"inputSchema": schema}})
    world.hooks.does = {"clean": output(anything=1)}

    reply = await world.call("message", {"action": "send"})

    assert {"anything": 1} == reply.answer.response


async def test_what_each_hook_did_is_reported(world, hook, takes):
    """In the answer, on the record and to the observer: ending, effect, time, worker, words."""
    world.configure(
        {"before:*": [hook("slow", transform=True), hook("advisory", failMode="warn"), hook("dead", onFailure="warn")]}
    )
    world.hooks.does = {
        "slow": takes(120, ALLOW | {"warnings": ["be careful"], "annotations": {"a": 1}}),
        "advisory": REJECT | {"code": "no-no"},
        "dead": NoReply(Failure.NO_RESPONDERS, "nobody answers"),
    }

    reply = await world.call()

    slow, advisory, dead = reply.answer.hooks
    assert ("slow", "before", "allow", None, "passed", 120.0, "w-1") == (
        slow.name,
        slow.phase,
        slow.verdict,
        slow.failure,
        slow.effect,
        slow.ms,
        slow.worker,
    )
    assert ("reject", None, "warned", "no", 0.0) == (
        advisory.verdict,
        advisory.failure,
        advisory.effect,
        advisory.reason,
        advisory.ms,
    )
    assert (None, "no_responders", "warned", "nobody answers", None) == (
        dead.verdict,
        dead.failure,
        dead.effect,
        dead.reason,
        dead.worker,
    )
    recorded = world.ledger.of(Phase.BEFORE).hooks
    assert [("allow", None, {"a": 1}), ("reject", "no-no", {}), ("no_responders", None, {})] == [
        (one.ending, one.code, one.annotations) for one in recorded
    ]
    assert [
        ("slow", "before", "allow", 0.12, False),
        ("advisory", "before", "reject", 0.0, True),
        ("dead", "before", "no_responders", 0.0, True),
    ] == world.watch.ends
    assert [
        "slow: be careful",
        "advisory (advisory) says reject: no",
        "dead did not judge this call (no_responders): nobody answers",
    ] == reply.answer.warnings


async def test_time_is_counted_from_the_question(world, hook, takes):
    """Milliseconds to a thousandth, whatever was before."""
    world.configure({"before:*": [hook("a", transform=True), hook("b", transform=True)]})
    world.hooks.does = {"a": takes(33.3333), "b": takes(0.5)}

    reply = await world.call()

    assert [33.333, 0.5] == [one.ms for one in reply.answer.hooks]


@pytest.mark.parametrize(
    ("ending", "word"),
    [
        (Failed(Failure.HOOK_ERROR, ""), "hook_error"),
        (CutOff(""), "cut_off"),
        (CutOff("", "too-large"), "cut_off"),
        (Skipped(), "not_asked"),
    ],
)
def test_an_ending_in_one_word(ending, word):
    """Of a closed set: what records and counters say."""
    assert word == ending_word(ending)

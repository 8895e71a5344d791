"""Shadow hooks: they see what the others see, change nothing, hold nobody up, and have a record of their own."""

import asyncio

import pytest
from opentelemetry.trace import NonRecordingSpan, SpanContext

from interpose.contracts.reply import NoReply
from interpose.contracts.words import Failure, Phase
from interpose_gateway.core.ports import RecordImpossible
from interpose_gateway.core.shadows import MOST_AT_ONCE

REJECT = {"verdict": "reject", "reason": "no", "code": "bold"}
QUESTION = {"verdict": "ask", "reason": "sure?"}
CHANGE = {"verdict": "transform", "output": {"step": 9}}


@pytest.fixture
def shadow(hook):
    """`shadow(name, **fields)`: a hook that only looks on."""
    return lambda name, **fields: hook(name, mode="shadow", **fields)


async def said(world) -> list[dict[str, tuple[str, str]]]:
    """What each record of shadows says: how each hook ended, and what it would have done."""
    assert 0 == await world.shadows.drain(5)
    return [{hook.name: (hook.ending, hook.effect) for hook in record.hooks} for record in world.ledger.noted]


@pytest.mark.parametrize(
    ("answer", "ending", "effect"),
    [
        ({"verdict": "allow"}, "allow", "passed"),
        (REJECT, "reject", "stopped"),
        (QUESTION, "ask", "approval"),
        (CHANGE, "transform", "transformed"),
        (b"nonsense", "malformed_verdict", "stopped"),
        (NoReply(Failure.NO_RESPONDERS, "nobody"), "no_responders", "stopped"),
        (NoReply(Failure.HOOK_ERROR, "too much", too_large=True), "cut_off", "stopped"),
        (RuntimeError("boom"), None, None),
    ],
    ids=lambda value: str(value)[:30],
)
@pytest.mark.parametrize("phase", Phase)
async def test_whatever_a_shadow_says_changes_nothing(world, hook, shadow, phase, answer, ending, effect):
    """The call runs and is answered as if it were not there; its own record says what it would have done."""
    world.configure({f"{phase}:*": [shadow("looking", transform=True), hook("judge")]})
    world.hooks.does = {"looking": answer}

    reply = await world.call(parameters={"step": 0})

    assert (200, {"done": True}, {"step": 0}) == (reply.status, reply.answer.response, world.tools.runs[0].parameters)
    assert [] == reply.answer.warnings
    assert "looking" not in [one.name for one in reply.answer.hooks]
    assert "looking" not in [one.name for record in world.ledger.records for one in record.hooks]
    assert ([{"looking": (ending, effect)}] if ending else []) == await said(world)
    assert (int(ending is None), []) == (world.shadows.lost, world.watch.alarms)


async def test_nobody_waits_for_a_shadow(worlds, hook, shadow):
    """A shadow that never answers does not keep the call's answer."""

    class Stuck:
        async def ask(self, question):
            if question.hook == "looking":
                await asyncio.Event().wait()
            return await world.hooks.ask(question)

    world = worlds(Stuck())
    world.configure({"before:*": [shadow("looking"), hook("judge")], "after:*": [shadow("looking")]})

    assert 200 == (await world.call()).status
    assert 2 == await world.shadows.drain(0.01)


async def test_shadows_are_asked_behind_the_record(world, hook, shadow):
    """When the phase is decided and on the record, so that they take none of its time."""
    world.configure({"before:*": [shadow("looking"), hook("judge")]})
    world.hooks.does = {"judge": REJECT}

    await world.call()
    await said(world)

    assert ["ask before judge", "record before refuse", "ask before looking", "note before"] == world.timeline


async def test_a_shadow_sees_the_value_at_its_place(world, hook, shadow):
    """In the chain what the hooks before it left, as a judge the end; what it makes of it feeds nobody."""
    world.configure(
        {
            "before:*": [
                shadow("s1", transform=True),
                hook("t1", transform=True),
                shadow("s2", transform=True),
                hook("t2", transform=True),
                shadow("j"),
            ]
        }
    )
    world.hooks.does = {
        "s1": CHANGE,
        "s2": CHANGE,
        "t1": {"verdict": "transform", "output": {"step": 1}},
        "t2": {"verdict": "transform", "output": {"step": 2}},
    }

    await world.call(parameters={"step": 0})
    await said(world)

    shown = {ask["hook"]: (ask["parameters"]["step"], ask["changed_by"]) for ask in world.hooks.asks}
    assert {"s1": (0, []), "t1": (0, []), "s2": (1, ["t1"]), "t2": (1, ["t1"]), "j": (2, ["t1", "t2"])} == shown
    assert {"step": 2} == world.tools.runs[0].parameters


async def test_where_the_chain_ended_a_shadow_of_it_is_not_asked(world, hook, shadow):
    """As it would not have been; judging shadows see the attempt."""
    world.configure(
        {"before:*": [hook("t1", transform=True), shadow("s", transform=True), shadow("j"), shadow("k", needs=["s"])]}
    )
    world.hooks.does = {"t1": REJECT}

    await world.call()

    assert [{"s": ("not_asked", "not_asked"), "j": ("allow", "passed"), "k": ("not_asked", "not_asked")}] == await said(
        world
    )


async def test_shadows_have_conditions_and_needs(world, hook, shadow):
    """Of the enforced hooks' endings and of each other's."""
    world.configure(
        {
            "before:*": [
                shadow("never", when="tool != 'Bash'"),
                shadow("b", needs=["a"]),
                shadow("a", needs=["judge", "never"]),
                shadow("c", needs=["advisory"]),
                hook("judge"),
                hook("advisory", failMode="warn"),
            ]
        }
    )
    world.hooks.does = {"a": REJECT, "advisory": REJECT}

    await world.call()

    assert [
        {
            "never": ("not_applicable", "not_applicable"),
            "a": ("reject", "stopped"),
            "b": ("not_asked", "not_asked"),
            "c": ("not_asked", "not_asked"),
        }
    ] == await said(world)


async def test_a_shadow_has_its_own_whole_timeout(world, hook, shadow, takes):
    """The call's budget is not its: here nothing of it is left."""
    world.configure({"before:*": [hook("slow", timeout=900), shadow("looking", timeout=5000)]})
    world.hooks.does = {"slow": takes(5000), "looking": takes(4000)}

    reply = await world.call(timeout_ms=500)

    assert "budget-used-up" == reply.answer.code
    assert [{"looking": ("allow", "passed")}] == await said(world)
    assert 5.0 == world.hooks.questions[-1].timeout_s


async def test_the_record_of_shadows_says_whose_it_is(world, hook, shadow):
    """Call, phase, revision, client, tool, and what was decided without them; each hook whole."""
    world.configure({"after:*": [shadow("looking"), hook("judge")]})
    world.hooks.does = {"looking": REJECT | {"warnings": ["w"], "annotations": {"a": 1}}, "judge": REJECT}

    reply = await world.call()
    await said(world)

    (record,) = world.ledger.noted
    (one,) = record.hooks
    assert (reply.answer.call_id, "after", 7, "local", "Bash", "withhold") == (
        record.call_id,
        record.phase,
        record.revision,
        record.client,
        record.tool,
        record.decision,
    )
    assert ("looking", "shadow", "stopped", "no", "bold", ["w"], {"a": 1}, "w-1") == (
        one.name,
        one.mode,
        one.effect,
        one.reason,
        one.code,
        one.warnings,
        one.annotations,
        one.worker,
    )
    assert ("interpose.shadow/1", world.ledger.of(Phase.AFTER).trace_id) == (record.record_schema, record.trace_id)
    assert record.at.timestamp() == world.clock.wall_time()


async def test_the_record_of_shadows_has_the_calls_trace(world, shadow):
    """So that it is found beside the call."""
    world.configure({"before:*": [shadow("looking")]})
    span = NonRecordingSpan(SpanContext(0xA5, 0x5A, is_remote=False))

    await world.gateway.handle(world.caller, b'{"tool": "Bash", "parameters": {}}', span)
    await said(world)

    assert [f"{0xA5:032x}"] == [record.trace_id for record in world.ledger.noted]


async def test_shadows_that_break_are_told_of(world, shadow, caplog):
    """In the log, with the call they belong to."""
    world.configure({"before:*": [shadow("looking")]})
    world.hooks.does = {"looking": RuntimeError("boom")}

    reply = await world.call()
    await said(world)

    assert [f"the shadows of call {reply.answer.call_id} broke"] == [record.message for record in caplog.records]


async def test_without_shadows_there_is_no_record_of_them(world, hook):
    """Nor a task."""
    world.configure({"before:*": [hook("judge")]})

    await world.call()

    assert [] == await said(world)


async def test_a_phase_without_a_record_has_no_shadows(world, shadow):
    """What cannot be recorded is not looked at either."""
    world.configure({"before:*": [shadow("looking")], "after:*": [shadow("looking")]})
    world.ledger.impossible = {Phase.AFTER: RecordImpossible("full", maybe_stored=False)}

    await world.call()

    assert [{"looking": ("allow", "passed")}] == await said(world)
    assert ["before"] == [ask["phase"] for ask in world.hooks.asks]


async def test_too_many_shadows_are_left_out_and_counted(worlds, shadow):
    """They hold what they look at: a bound keeps the gateway's memory."""
    gate = asyncio.Event()

    class Waiting:
        async def ask(self, question):
            await gate.wait()
            return await world.hooks.ask(question)

    world = worlds(Waiting())
    world.configure({"before:*": [shadow("looking")]})
    for _ in range(MOST_AT_ONCE + 3):
        assert 200 == (await world.call()).status
    gate.set()

    assert (MOST_AT_ONCE, 3) == (len(await said(world)), world.shadows.lost)
    assert 200 == (await world.call()).status
    assert MOST_AT_ONCE + 1 == len(await said(world))


async def test_what_is_not_kept_is_counted(world, shadow):
    """Best effort, and one can see how good it was."""

    async def refuse(_record):
        return False

    world.shadows.recorder.note = refuse
    world.configure({"before:*": [shadow("looking")], "after:*": [shadow("looking")]})

    await world.call()

    assert ([], 2) == (await said(world), world.shadows.lost)


async def test_a_dry_run_has_its_shadows_too(world, shadow):
    """They are asked about what would run."""
    world.configure({"before:*": [shadow("looking")]})

    await world.call(dry_run=True)

    assert [{"looking": ("allow", "passed")}] == await said(world)

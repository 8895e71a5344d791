"""A hook's turn: its condition is asked about the very ask it would get, and it waits for those that it needs."""

import asyncio

import pytest

from interpose.contracts.words import Phase

ALLOW = {"verdict": "allow"}
REJECT = {"verdict": "reject", "reason": "no"}
QUESTION = {"verdict": "ask", "reason": "sure?"}


def hooks_of(record) -> dict[str, tuple[str, str]]:
    """How each hook of the plan ended and what that did, in its order."""
    return {hook.name: (hook.ending, hook.effect) for hook in record.hooks if hook.name != "canonicalizer"}


def asked(world) -> list[str]:
    """Whoever was asked, in order."""
    return [ask["hook"] for ask in world.hooks.asks]


async def test_a_hook_whose_condition_is_false_is_not_asked(world, hook):
    """The call goes on, and the record says who was not concerned."""
    world.configure({"before:*": [hook("guard", when="parameters.command.startsWith('git')"), hook("other")]})
    world.hooks.does = {"guard": REJECT}

    reply = await world.call(parameters={"command": "ls"})

    assert (200, ["other"]) == (reply.status, asked(world))
    assert {"guard": ("not_applicable", "not_applicable"), "other": ("allow", "passed")} == hooks_of(
        world.ledger.of(Phase.BEFORE)
    )
    assert ["not_applicable", "passed"] == [one.effect for one in reply.answer.hooks[1:]]
    assert [] == reply.answer.warnings


async def test_a_hook_whose_condition_is_true_is_asked(world, hook):
    """And decides."""
    world.configure({"before:*": [hook("guard", when="parameters.command.startsWith('git')")]})
    world.hooks.does = {"guard": REJECT}

    assert 403 == (await world.call(parameters={"command": "git push"})).status


@pytest.mark.parametrize(
    "when",
    ["parameters.absent == 1", "1 / 0 == 1", "parameters.command", "status == 'error'", "parameters.command > 1"],
)
async def test_a_condition_that_cannot_be_told_asks_the_hook(world, hook, exported, when):
    """A missing field, an error, a value of another type: nothing is left unjudged. The span says why it was asked."""
    world.configure({"before:*": [hook("guard", when=when)]})

    await world.call()

    assert ["guard"] == asked(world)
    (why,) = [span.attributes["interpose.condition"] for span in exported() if span.name == "interpose.ask"]
    assert why.startswith("it gave ")


async def test_a_condition_is_not_told_of_where_it_was_told(world, hook, exported):
    """Only what is odd stands on the span."""
    world.configure({"before:*": [hook("a", when="true"), hook("b", when="false"), hook("c")]})

    await world.call()

    assert [] == [span for span in exported() if "interpose.condition" in span.attributes]


async def test_a_condition_is_asked_at_the_hooks_turn(world, hook):
    """About what the chain has left by then."""
    fresh, changed = "parameters.step == 0", "parameters.step == 1 && 't1' in changed_by"
    world.configure(
        {
            "before:*": [
                hook("t1", transform=True, when=fresh),
                hook("t2", transform=True, when=fresh),
                hook("j1", when=fresh),
                hook("j2", when=changed),
            ]
        }
    )
    world.hooks.does = {"t1": {"verdict": "transform", "output": {"step": 1}}}

    await world.call(parameters={"step": 0})

    assert ["t1", "j2"] == asked(world)
    assert {"step": 1} == world.tools.runs[0].parameters


async def test_a_condition_sees_the_ask_of_its_hook(world, hook):
    """Each field as the hook would get it: its own name, settings and spelling of the tool, and the caller."""
    when = (
        "hook == 'guard' && settings.limit == 3 && tool == 'Bash' && canonical_tool == 'Bash' && kind == 'Execute'"
        " && phase == 'before' && revision == 7 && context.user == 'patrick' && native.arguments.command == 'ls'"
        " && targets[0].command == 'ls' && intents == [] && changed_by == [] && action == null"
    )
    world.configure({"before:*": [hook("guard", when=f"!({when})", native=True, **{"with": {"limit": 3}})]})

    await world.call(context={"user": "patrick"})

    assert [] == asked(world)
    assert "not_applicable" == world.ledger.of(Phase.BEFORE).hooks[1].ending


async def test_an_after_condition_sees_response_and_parameters(world, hook):
    """The parameters that ran, the response so far, and how the tool ended."""
    when = "response.done && parameters.command == 'ls' && status == 'success' && !wrapped && duration_ms >= 0"
    world.configure({"after:*": [hook("guard", when=f"!({when})"), hook("other", when=when)]})

    await world.call()

    assert ["other"] == asked(world)


async def test_a_large_value_is_judged(world, hook):
    """What is too large for a condition is not too large for its hook."""
    world.configure({"before:*": [hook("guard", when="parameters.command == 'ls'")]})
    world.hooks.does = {"guard": REJECT}

    assert 403 == (await world.call(parameters={"command": "x" * 70_000})).status


async def test_a_false_condition_needs_no_time(world, hook, takes):
    """Whatever is left of the budget: the hook would not have been asked with all of it."""
    world.configure({"before:*": [hook("t", transform=True, timeout=900), hook("never", when="false", timeout=60_000)]})
    world.hooks.does = {"t": takes(899)}

    reply = await world.call(timeout_ms=30_000)

    assert (200, ["t"]) == (reply.status, asked(world))


async def test_judges_wait_for_those_they_need(worlds, hook):
    """Each is asked when all that it needs have answered, and nobody waits for anybody else."""
    answered: list[str] = []

    class Slow:
        async def ask(self, question):
            world.timeline.append(f"{question.hook} behind {','.join(sorted(answered))}")
            for _ in range({"slow": 9, "late": 6}.get(question.hook, 3)):
                await asyncio.sleep(0)
            answered.append(question.hook)
            return await world.hooks.ask(question)

    world = worlds(Slow())
    world.configure(
        {
            "before:*": [
                hook("last", needs=["late", "slow"]),
                hook("late", needs=["quick"]),
                hook("slow"),
                hook("quick"),
            ]
        }
    )

    assert 200 == (await world.call()).status
    assert ["slow behind ", "quick behind ", "late behind quick"] == [
        line for line in world.timeline if " behind " in line and not line.startswith("last")
    ]
    assert "last behind late,quick,slow" in world.timeline


@pytest.mark.parametrize(
    ("needed", "answer", "word"),
    [
        ({"failMode": "warn"}, REJECT, "reject"),
        ({"failMode": "warn"}, QUESTION, "ask"),
        ({"failMode": "warn"}, b"nonsense", "malformed_verdict"),
        ({"onFailure": "warn"}, b"nonsense", "malformed_verdict"),
    ],
)
async def test_a_warning_meets_no_need(world, hook, needed, answer, word):
    """The needing hook is not asked and gives no yes; what ended first is named."""
    world.configure({"before:*": [hook("b", needs=["a"]), hook("a", **needed), hook("c", needs=["b"])]})
    world.hooks.does = {"a": answer}

    reply = await world.call()

    assert (403, "not-asked", "b") == (reply.status, reply.answer.code, reply.answer.decided_by)
    assert f"b: it was not asked, because a, which it needs, gave no yes ({word})" == reply.answer.reason
    assert {"a": "warned", "b": "not_asked", "c": "not_asked"} == {
        name: effect for name, (_, effect) in hooks_of(world.ledger.of(Phase.BEFORE)).items()
    }
    assert (["a"], []) == (asked(world), world.tools.runs)


@pytest.mark.parametrize("answer", [ALLOW, {"verdict": "transform", "output": {"x": 1}}])
async def test_a_yes_meets_a_need(world, hook, answer):
    """An allow, and a transform that was used."""
    world.configure({"before:*": [hook("b", needs=["a"]), hook("a", transform=True)]})
    world.hooks.does = {"a": answer}

    assert (200, ["a", "b"]) == ((await world.call()).status, asked(world))


async def test_who_is_not_concerned_holds_nobody_up(world, hook):
    """A need that does not apply to this call is met."""
    world.configure({"before:*": [hook("b", needs=["a"]), hook("a", when="false")]})

    assert (200, ["b"]) == ((await world.call()).status, asked(world))


async def test_a_hook_that_is_not_concerned_needs_nobody(world, hook):
    """It would not have been asked with its need met."""
    world.configure({"before:*": [hook("b", needs=["a"], when="false"), hook("a", failMode="warn")]})
    world.hooks.does = {"a": REJECT}

    reply = await world.call()

    assert (200, ("not_applicable", "not_applicable")) == (
        reply.status,
        hooks_of(world.ledger.of(Phase.BEFORE))["b"],
    )


async def test_a_need_that_the_plan_does_not_hold_imposes_nothing(world, hook):
    """It belongs to other calls."""
    world.configure({"before:*": [hook("b", needs=["a"])], "before:Write": [hook("a")]})
    world.hooks.does = {"a": REJECT}

    assert (200, ["b"]) == ((await world.call()).status, asked(world))


async def test_an_advisory_hook_that_was_not_asked_is_a_warning(world, hook):
    """It could not have stopped the call."""
    world.configure({"before:*": [hook("b", needs=["a"], failMode="warn"), hook("a", failMode="warn")]})
    world.hooks.does = {"a": REJECT}

    reply = await world.call()

    assert [
        "a (advisory) says reject: no",
        "b did not judge this call: it was not asked, because a, which it needs, gave no yes (reject)",
    ] == reply.answer.warnings
    assert {"b": ("not_asked", "warned"), "a": ("reject", "warned")} == hooks_of(world.ledger.of(Phase.BEFORE))
    assert ("b", Phase.BEFORE, "not_asked", 0.0, True) in world.watch.ends


async def test_a_chain_ends_where_a_need_is_unmet(world, hook):
    """Nobody transforms for a call that will not run; judges are still asked."""
    world.configure(
        {
            "before:*": [
                hook("t1", transform=True, failMode="warn"),
                hook("t2", transform=True, needs=["t1"]),
                hook("t3", transform=True),
                hook("audit"),
            ]
        }
    )
    world.hooks.does = {"t1": REJECT}

    reply = await world.call()

    assert (["t1", "audit"], "t2", "not-asked") == (asked(world), reply.answer.decided_by, reply.answer.code)
    assert ["warned", "not_asked", "not_asked", "passed"] == [one.effect for one in reply.answer.hooks[1:]]


async def test_an_advisory_need_in_the_chain_ends_no_chain(world, hook):
    """Who only advises is left out, and the others go on."""
    world.configure(
        {
            "before:*": [
                hook("t1", transform=True, failMode="warn"),
                hook("t2", transform=True, failMode="warn", needs=["t1"]),
                hook("t3", transform=True),
            ]
        }
    )
    world.hooks.does = {"t1": REJECT}

    assert (200, ["t1", "t3"]) == ((await world.call()).status, asked(world))


async def test_a_no_that_others_waited_for_decides(world, hook):
    """Whoever waited says nothing that helps."""
    world.configure({"before:*": [hook("b", needs=["a"]), hook("a")]})
    world.hooks.does = {"a": REJECT | {"code": "bold"}}

    reply = await world.call()

    assert ("a", "bold") == (reply.answer.decided_by, reply.answer.code)


async def test_a_question_that_others_waited_for_decides(world, hook):
    """A person's yes may meet the need."""
    world.configure({"before:*": [hook("b", needs=["a"]), hook("a")]})
    world.hooks.does = {"a": QUESTION}

    reply = await world.call()

    assert ("a", "approval-required") == (reply.answer.decided_by, reply.answer.code)


async def test_an_exception_while_somebody_waits_is_a_refusal(world, hook):
    """Nobody waits for ever."""
    world.configure({"before:*": [hook("b", needs=["a"]), hook("a")]})
    world.hooks.does = {"a": RuntimeError("boom")}

    assert (503, "internal-error") == ((reply := await world.call()).status, reply.answer.code)


async def test_a_question_says_whether_two_workers_may_get_it(world, hook):
    """As its hook's `repeatable` does."""
    world.configure({"before:*": [hook("a"), hook("b", repeatable=False), hook("c", repeatable=True)]})

    await world.call()

    assert [True, False, True] == [question.is_repeatable for question in world.hooks.questions]

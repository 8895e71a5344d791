"""The canary: a tool that every gateway refuses, so that whoever sends it sees a refusal come back."""

from interpose.contracts.evaluation import CANARY


async def test_the_canary_is_refused_whatever_the_rules_say(world, hook):
    """No hook is asked, and nothing runs: also where its name is declared and everything is allowed."""
    world.configure({f"before:{CANARY}": [hook("yes")]}, tools={CANARY: {}})

    reply = await world.call(CANARY, {})

    assert (403, CANARY) == (reply.status, reply.answer.code)
    assert "canary was refused" in str(reply.answer.reason)
    assert [] == world.tools.runs

"""One-line asks."""

import asyncio

import pytest

from interpose import Ask, Hook, Verdict, allow, transform
from interpose.contracts.words import Failure, Phase, Status, VerdictKind
from interpose.testing import NoVerdict, judge, make_ask


def test_judge_gives_the_verdict(no_force):
    """One line for a yes and one for a no."""
    assert VerdictKind.ALLOW is judge(no_force, parameters={}).verdict
    assert "no force" == judge(no_force, parameters={"force": True}).reason


def test_judge_asks_after_hooks_too():
    """With a response the ask is of the after phase."""
    hook = Hook("shout")
    hook.after("web_fetch")(lambda ask: transform({"text": ask.response["text"].upper()}))

    assert {"text": "HI"} == judge(hook, tool="web_fetch", response={"text": "hi"}).output


def test_a_broken_hook_gives_no_verdict():
    """The failure that a gateway would see is raised."""
    hook = Hook("broken")

    @hook.before("*")
    async def check(_ask: Ask) -> Verdict:
        raise ValueError("boom")

    with pytest.raises(NoVerdict, match=r"hook_error: .*ValueError: boom") as caught:
        judge(hook)

    assert Failure.HOOK_ERROR is caught.value.reply.failure


def test_a_slow_hook_is_judged_without_waiting():
    """Ten virtual minutes within a longer timeout are a verdict, beyond a shorter one a failure."""
    hook = Hook("slow")

    @hook.before("*")
    async def check(_ask: Ask) -> Verdict:
        await asyncio.sleep(600)
        return allow()

    assert VerdictKind.ALLOW is judge(hook, timeout_s=601).verdict
    with pytest.raises(NoVerdict, match="deadline_exceeded"):
        judge(hook, timeout_s=599)


def test_a_plain_function_is_judged_in_its_thread():
    """Virtual time does not outrun a handler that blocks."""
    hook = Hook("plain")
    hook.before("*")(lambda _ask: allow(warnings=["seen"]))

    assert ["seen"] == judge(hook).warnings


def test_an_ask_has_defaults_for_everything():
    """Two asks differ in their ids only."""
    first, second = make_ask(), make_ask()

    assert ("Bash", "Bash", {}, Phase.BEFORE, None) == (
        first.tool,
        first.canonical_tool,
        first.parameters,
        first.phase,
        first.response,
    )
    assert first.ask_id != second.ask_id
    assert first.call_id != second.call_id


def test_what_is_given_is_kept():
    """Every field of the ask can be said; the canonical and the native name follow the tool."""
    ask = make_ask(tool="message", action="send", settings={"a": 1}, hook="h", response={"b": 2})

    assert ("message", "send", "message", "message") == (ask.tool, ask.action, ask.canonical_tool, ask.native.tool)
    assert ({"a": 1}, "h", {"b": 2}, Status.SUCCESS, Phase.AFTER) == (
        ask.settings,
        ask.hook,
        ask.response,
        ask.status,
        ask.phase,
    )

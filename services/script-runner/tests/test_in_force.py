"""When the registry is read, and what counts where nobody tells it."""

import asyncio
import base64

import orjson
import pytest

from interpose.bus import subjects
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure, Phase
from interpose.errors import BusUnavailable
from interpose.testing.virtual_time import run
from interpose_script_runner.in_force import FRESH_S, SILENT_S, InForce

SILENT = NoReply(Failure.DEADLINE_EXCEEDED, "no answer")


def stored(revision, script, subject=subjects.REGISTRY_KEY):
    """The broker's answer: a document with one script hook."""
    entry = {"key": "before:*", "hook": {"name": "a", "script": script}, "owner": "file", "source": "/rules.json"}
    applied = {"at": "2026-01-01T00:00:00Z", "by": "x", "what": "x"}
    data = orjson.dumps({"schema": "interpose.registry/1", "entries": [entry], "applied": applied})
    message = {"subject": subject, "seq": revision, "data": base64.b64encode(data).decode()}
    return Replied(orjson.dumps({"message": message}))


class Leader:
    """Answers what it is told to, and counts."""

    def __init__(self, reply):
        self.reply = reply
        self.asked = 0

    async def read(self, _within_s):
        """One reading, which takes a moment."""
        self.asked += 1
        reply = self.reply
        await asyncio.sleep(0.001)
        return reply


@pytest.fixture
def leader():
    """Revision 7 stands there."""
    return Leader(stored(7, "/seven"))


@pytest.fixture
def scripts(leader):
    """What is in force by that leader."""
    return InForce(leader.read)


async def find(scripts, revision):
    """The script of hook `a` for an ask of that revision."""
    hook = await scripts.find("a", Phase.BEFORE, revision, 30)
    return None if hook is None else hook.script


def test_one_reading_serves_many_asks(scripts, leader):
    """Of one revision, while it is fresh; those that arrive together wait for the same one."""

    async def ask_often():
        return [*await asyncio.gather(*(find(scripts, 7) for _ in range(5))), await find(scripts, 7)]

    assert ["/seven"] * 6 == run(ask_often())
    assert 1 == leader.asked


@pytest.mark.parametrize(("wait_s", "asked"), [(FRESH_S - 0.1, 1), (FRESH_S + 0.1, 2)])
def test_an_old_reading_is_read_again(scripts, leader, wait_s, asked):
    """Also for an ask of the very same number: a bucket that was made anew counts from 1 again."""

    async def ask_twice():
        await find(scripts, 7)
        await asyncio.sleep(wait_s)
        await find(scripts, 7)

    run(ask_twice())

    assert asked == leader.asked


def test_another_revision_is_read_at_once(scripts, leader):
    """The gateway is ahead: its ask meets the script that it was planned with."""

    async def ask_before_and_after():
        before = await find(scripts, 7)
        leader.reply = stored(8, "/eight")
        return before, await find(scripts, 8)

    assert ("/seven", "/eight") == run(ask_before_and_after())


def test_the_newest_counts_for_a_call_that_began_before_it(scripts, leader):
    """What was taken out since is not run for anybody."""
    leader.reply = stored(8, "/eight")

    assert "/eight" == run(find(scripts, 7))


def test_what_is_known_counts_while_nobody_tells(scripts, leader):
    """An ask of the revision that is known here is answered; one of another is refused, with the reason."""

    async def ask_in_silence():
        await find(scripts, 7)
        leader.reply = SILENT
        await asyncio.sleep(FRESH_S + 1)
        known = await find(scripts, 7)
        with pytest.raises(BusUnavailable, match=r"revision 8 are not known here.*no answer"):
            await find(scripts, 8)
        leader.reply = stored(8, "/eight")
        await asyncio.sleep(SILENT_S + 0.1)
        return known, await find(scripts, 8)

    assert ("/seven", "/eight") == run(ask_in_silence())


def test_asks_in_silence_wait_for_one_look(scripts, leader):
    """Those that arrive while it is under way do not look one after another, each for as long."""
    leader.reply = SILENT

    async def ask_one_after_another():
        asks = []
        for _ in range(5):
            asks.append(asyncio.create_task(find(scripts, 7)))
            await asyncio.sleep(0.0001)
        return await asyncio.gather(*asks, return_exceptions=True)

    assert [BusUnavailable] * 5 == [type(error) for error in run(ask_one_after_another())]
    assert 1 == leader.asked


def test_without_any_reading_nothing_runs(leader):
    """Neither before the first one nor before there is a connection."""
    leader.reply = SILENT
    with pytest.raises(BusUnavailable, match="not known here"):
        run(find(InForce(leader.read), 7))
    with pytest.raises(BusUnavailable, match="there is none yet"):
        run(find(InForce(), 7))


@pytest.mark.parametrize("subject", ["$KV.CALLS.current", "$KV.HOOKS.other", "tool.record.registry"])
def test_a_message_from_elsewhere_is_no_registry(scripts, leader, subject):
    """Somebody who may name our inbox cannot have another message of the broker's taken for it."""

    async def ask_past_it():
        await find(scripts, 7)
        leader.reply = stored(8, "/planted", subject)
        with pytest.raises(BusUnavailable, match="is about"):
            await find(scripts, 8)
        return await find(scripts, 7)

    assert "/seven" == run(ask_past_it())


def test_what_cannot_be_used_leaves_the_last_good_scripts(scripts, leader, caplog):
    """And is said once."""

    async def ask_on():
        await find(scripts, 7)
        leader.reply = Replied(orjson.dumps({"error": {"err_code": 10037, "description": "no message found"}}))
        return [await find(scripts, revision) for revision in (8, 8, 7)]

    assert ["/seven"] * 3 == run(ask_on())
    assert ["ERROR"] == [record.levelname for record in caplog.records]

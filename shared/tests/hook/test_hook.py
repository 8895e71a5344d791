"""A hook answers what it has a handler for, and everything else is an error and never a yes."""

import asyncio
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

import orjson
import pytest

from interpose import Hook, allow, reject, require_approval, transform
from interpose.bus import headers
from interpose.bus.responder import ServiceError
from interpose.contracts.words import VerdictKind
from interpose.hook.app import encode
from interpose.testing import NoVerdict, judge, make_ask


def said(hook: Hook, **fields) -> str | None:
    """The reason of its verdict."""
    return judge(hook, **fields).reason


@pytest.fixture
def hook() -> Hook:
    """Handlers for keys of every kind, each of which says which one it is."""
    made = Hook("hook")
    for key in ("*", "message", "message.send", "mess*"):
        made.before(key)(lambda _ask, key=key: reject(key))
    made.after("message")(lambda _ask: reject("after"))
    return made


@pytest.mark.parametrize(
    ("fields", "handler"),
    [
        ({"tool": "Bash"}, "*"),
        ({"tool": "messenger"}, "mess*"),
        ({"tool": "message", "action": "delete"}, "message"),
        ({"tool": "message", "action": "send"}, "message.send"),
        ({"tool": "MESSAGE", "action": "Send"}, "message.send"),
        ({"tool": "exec", "canonical_tool": "message", "action": "x"}, "message"),
        ({"tool": "message", "response": {}}, "after"),
    ],
)
def test_the_most_specific_handler_answers(hook, fields, handler):
    """By the keys' own order, whatever order they were registered in; each phase has its own."""
    assert handler == said(hook, **fields)


ALLOW, REJECT, ASK, CHANGE = allow(), reject("no"), require_approval("sure?"), transform({})


@pytest.mark.parametrize(
    ("tool", "send", "delete", "kind"),
    [
        (ALLOW, ALLOW, ALLOW, VerdictKind.ALLOW),
        (ALLOW, ALLOW, REJECT, VerdictKind.REJECT),
        (REJECT, ALLOW, ALLOW, VerdictKind.REJECT),
        (ALLOW, ASK, REJECT, VerdictKind.REJECT),
        (ALLOW, CHANGE, REJECT, VerdictKind.REJECT),
        (ALLOW, ASK, CHANGE, VerdictKind.ASK),
    ],
)
def test_an_action_that_cannot_be_told_needs_every_handlers_yes(tool, send, delete, kind):
    """Those of the tool and of each of its actions; handlers of other tools and of all tools are not asked."""
    hook = Hook("hook")
    verdicts = {"*": REJECT, "mess*": REJECT, "other.send": REJECT}
    verdicts |= {"message": tool, "message.send": send, "message.delete": delete}
    for key, verdict in verdicts.items():
        hook.before(key)(lambda _ask, verdict=verdict: verdict)

    assert kind is judge(hook, tool="message").verdict


def test_a_change_that_the_others_did_not_judge_is_none():
    """Several handlers cannot change one call: it fails, and nothing is allowed by accident."""
    hook = Hook("hook")
    hook.before("message.send")(lambda _ask: CHANGE)
    hook.before("message.delete")(lambda _ask: ALLOW)

    with pytest.raises(NoVerdict, match="judged by none of the others"):
        judge(hook, tool="message")


def test_a_single_handler_of_an_action_may_change_what_it_meets():
    """Nobody else had to agree."""
    hook = Hook("hook")
    hook.before("message.send")(lambda _ask: CHANGE)

    assert VerdictKind.TRANSFORM is judge(hook, tool="message").verdict


def test_without_a_handler_there_is_no_verdict(hook):
    """404, never allow."""
    with pytest.raises(NoVerdict, match="hook has no handler for after:Bash") as caught:
        judge(hook, tool="Bash", response={})

    assert headers.NO_HANDLER == caught.value.reply.error_code


def test_a_key_that_is_none_fails_where_it_is_written():
    """At start, not at the first call."""
    with pytest.raises(ValueError, match="a star stands alone or at the end"):
        Hook("hook").before("a*b")


def test_what_is_no_verdict_is_an_error():
    """A handler that forgot to return allows nothing."""
    hook = Hook("forgetful")
    hook.before("*")(lambda _ask: None)

    with pytest.raises(NoVerdict, match="forgetful returned NoneType, which is no verdict") as caught:
        judge(hook)

    assert headers.BROKE == caught.value.reply.error_code


async def test_a_handler_has_the_time_of_its_ask():
    """Then it is stopped, and the error says that it was late."""
    hook, stopped = Hook("slow"), []

    @hook.before("*")
    async def check(_ask):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(True)
            raise

    with pytest.raises(ServiceError, match="slow did not finish in the time of the ask") as caught:
        await hook.answer(make_ask(), 0.001)

    assert (headers.TIMED_OUT, [True]) == (caught.value.code, stopped)


def test_a_timeout_of_the_handlers_own_is_its_error():
    """A database that did not answer is no late verdict."""
    hook = Hook("impatient")

    @hook.before("*")
    async def check(_ask):
        async with asyncio.timeout(1):
            await asyncio.Event().wait()
        return allow()

    with pytest.raises(NoVerdict, match=r"hook_error: .*TimeoutError"):
        judge(hook, timeout_s=5)


async def test_without_a_deadline_a_test_may_take_its_time():
    """`await hook.answer(ask)` asks without bytes and without a bus."""
    hook = Hook("plain")
    hook.before("*")(lambda _ask: allow())

    assert VerdictKind.ALLOW is (await hook.answer(make_ask())).verdict


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"nested": [None, 1.5, True, "text"]},
        datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        date(2026, 1, 2),
        UUID(int=5),
        Decimal("1.50"),
        {1},
        VerdictKind.ALLOW,
        allow(),
    ],
)
def test_what_an_author_puts_into_a_verdict_is_written_as_pydantic_writes_it(value):
    """The quick way to write a verdict leaves to pydantic whatever it would write in other words."""
    verdict = reject("no", annotations={"value": value})
    expected = verdict.model_dump(mode="json", exclude_none=True) | {"ask_id": "1"}

    written = encode(verdict, make_ask(ask_id="1"))

    assert expected == orjson.loads(written.body)

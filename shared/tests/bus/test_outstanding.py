"""Which of all that comes back is an ask's answer, while one copy or two are out."""

import asyncio

import pytest

from interpose.bus import replies
from interpose.bus.outstanding import Outstanding
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure

YES, NONSENSE = Replied(b"{}", "w-1"), Replied(b"nonsense", "w-2")
BROKE = NoReply(Failure.HOOK_ERROR, "it broke", "w-1")
BAD = NoReply(Failure.MALFORMED_VERDICT, "no verdict", "w-2")
NOBODY = replies.nobody_there()


@pytest.fixture
def ended():
    """`ended(copies, *heard)`: what an ask of so many copies came to after it heard these; None while it waits."""

    async def hear(copies, *heard, again=None):
        waiting = Outstanding("tool.call.before.x", asyncio.get_running_loop().create_future(), again)
        for number in range(copies):
            waiting.sent(f"token-{number}")
        for reply in heard:
            waiting.hear(reply)
        return waiting.answer.result() if waiting.answer.done() else waiting

    return hear


@pytest.mark.parametrize("reply", [YES, NONSENSE, BROKE, BAD, NOBODY])
async def test_one_copy_ends_with_its_reply(ended, reply):
    """Whatever it is."""
    assert reply == await ended(1, reply)


@pytest.mark.parametrize("first", [YES, NONSENSE])
async def test_the_first_answer_counts(ended, first):
    """Also a bad one: a second worker is not asked for a better verdict."""
    assert first == await ended(2, first, Replied(b"other"))


@pytest.mark.parametrize("first", [BROKE, BAD, NOBODY])
async def test_an_error_waits_for_the_other_copy(ended, first):
    """The other worker may be well, and its answer counts."""
    assert YES == await ended(2, first, YES)


@pytest.mark.parametrize(
    ("heard", "failure"),
    [
        ((BROKE, BAD), BROKE),
        ((BAD, BROKE), BAD),
        ((BROKE, NOBODY), BROKE),
        ((NOBODY, BROKE), BROKE),
        ((NOBODY, NOBODY), NOBODY),
    ],
)
async def test_two_that_failed_are_the_first_failure(ended, heard, failure):
    """That nobody had a copy is told only where nobody had any."""
    assert failure == await ended(2, *heard)


@pytest.mark.parametrize(
    ("heard", "failure"),
    [((), Failure.DEADLINE_EXCEEDED), ((BROKE,), Failure.HOOK_ERROR), ((NOBODY,), Failure.DEADLINE_EXCEEDED)],
)
async def test_a_copy_that_stays_out_ends_with_the_time(ended, heard, failure):
    """Where the other one told of a failure, that is the one to mend."""
    waiting = await ended(2, *heard)
    waiting.expire(5.0)

    assert failure is waiting.answer.result().failure


async def test_where_nobody_had_it_it_is_sent_again_once(ended):
    """The second time nobody is there, nobody is there."""
    calls = []
    waiting = await ended(1, NOBODY, again=lambda: calls.append("again"))

    assert ["again"] == calls
    waiting.sent("token")
    waiting.hear(NOBODY)
    assert (["again"], NOBODY) == (calls, waiting.answer.result())


async def test_where_another_copy_is_out_nothing_is_sent_again(ended):
    """Somebody is at work on it."""
    calls = []
    waiting = await ended(2, NOBODY, again=lambda: calls.append("again"))
    waiting.hear(BROKE)

    assert ([], BROKE) == (calls, waiting.answer.result())


async def test_it_knows_the_tokens_of_all_its_copies(ended):
    """So that none is left behind when it has ended."""
    assert ["token-0", "token-1"] == (await ended(2)).tokens


async def test_what_comes_after_the_end_changes_nothing(ended):
    """Nor does the end of its time."""
    assert YES == await ended(2, YES, BROKE, NOBODY, BAD)
    waiting = await ended(1)
    waiting.end(NOBODY)
    waiting.end(YES)
    waiting.expire(1.0)

    assert NOBODY == waiting.answer.result()

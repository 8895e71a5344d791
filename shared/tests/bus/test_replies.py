"""What stands in a reply, read and written."""

import asyncio

import pytest

from interpose.bus import headers
from interpose.bus.replies import read_reply
from interpose.bus.responder import Incoming, Outgoing, ServiceError, attempt, receive, refusal, signed
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure


def test_a_reply_is_bytes_and_a_worker():
    """Nothing about the bytes is judged here."""
    assert Replied(b"anything", "w-1") == read_reply({headers.WORKER: "w-1"}, b"anything")
    assert Replied(b"", None) == read_reply({}, b"")


def test_nobody_there_is_what_the_broker_says():
    """Its status without a body; with one it is a worker's answer."""
    assert Failure.NO_RESPONDERS is read_reply({"Status": "503"}, b"").failure
    assert Replied(b"{}", None) == read_reply({"Status": "503"}, b"{}")
    assert Replied(b"", None) == read_reply({"Status": "100"}, b"")


@pytest.mark.parametrize(
    ("code", "failure", "too_large"),
    [
        ("400", Failure.HOOK_ERROR, False),
        ("404", Failure.HOOK_ERROR, False),
        ("408", Failure.DEADLINE_EXCEEDED, False),
        ("413", Failure.HOOK_ERROR, True),
        ("422", Failure.MALFORMED_VERDICT, False),
        ("500", Failure.HOOK_ERROR, False),
        ("503", Failure.HOOK_ERROR, False),
        ("anything", Failure.HOOK_ERROR, False),
    ],
)
def test_a_service_error_is_a_failure(code, failure, too_large):
    """Whatever stands in the body beside it."""
    fields = {headers.ERROR: "no good", headers.ERROR_CODE: code, headers.WORKER: "w-1"}

    expected = NoReply(
        failure, f"the worker answered with an error ({code}): no good", "w-1", error_code=code, too_large=too_large
    )
    assert expected == read_reply(fields, b'{"verdict":"allow"}')


def test_half_an_error_is_one():
    """A text without a code counts as broken, a code without a text as that code; a long text is cut."""
    assert "500" == read_reply({headers.ERROR: "boom"}, b"").error_code
    assert "404" == read_reply({headers.ERROR_CODE: "404"}, b"").error_code
    assert 600 > len(read_reply({headers.ERROR: "x" * 10_000}, b"").detail)


@pytest.mark.parametrize(
    ("told", "timeout_s"),
    [
        ("1500", 1.5),
        ("0", 0),
        ("999999999", 999_999.999),
        ("", 7),
        ("-1", 7),
        ("1.5", 7),
        ("\u0661", 7),
        ("9" * 10, 7),
        ("soon", 7),
    ],
)
async def test_a_request_brings_its_time(told, timeout_s):
    """In milliseconds of plain digits; otherwise the default."""
    now_s = asyncio.get_running_loop().time()

    request = receive("tool.call.before.x", b"", {headers.TIMEOUT_MS: told}, 7)

    assert timeout_s == pytest.approx(request.deadline - now_s, abs=1)
    assert request.time_left_s <= timeout_s


async def test_without_time_nobody_works():
    """The handler is not called."""

    async def handle(_request: Incoming) -> Outgoing:
        raise AssertionError

    error = await attempt(handle, receive("s", b"", {headers.TIMEOUT_MS: "0"}, 7))

    assert isinstance(error, ServiceError)
    assert headers.TIMED_OUT == error.code


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("two\nlines  and\tmore", "two lines and more"),
        ("schön", "sch?n"),
        ("", "error"),
        ("x" * 600, "x" * 500),
        ("a\r\nForged: header", "a Forged: header"),
    ],
)
def test_an_error_travels_in_headers(message, said):
    """On one line of plain ASCII, so that it can forge no other header."""
    expected = Outgoing(b"", {headers.ERROR: said, headers.ERROR_CODE: "500"})

    assert expected == refusal(ServiceError("500", message))


def test_every_reply_says_who_and_which_version():
    """Beside its own headers."""
    fields = signed(refusal(ServiceError("404", "not mine")), "w-1")

    assert {
        headers.VERSION: "1",
        headers.WORKER: "w-1",
        headers.ERROR: "not mine",
        headers.ERROR_CODE: "404",
    } == fields

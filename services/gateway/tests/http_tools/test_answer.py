"""What of an upstream's answer is read, what is a success, and what is never shown."""

import orjson
import pytest

from interpose.contracts.http_tool import HttpAnswer
from interpose.contracts.limits import RESPONSE_BYTES
from interpose.contracts.url import parse_url
from interpose.contracts.words import Outcome
from interpose_gateway.adapters.http_tools.answer import Answer, Unreadable, check_head, read, sealed
from interpose_gateway.core.ports import Execution

JSON = "application/json"
PAGE = "text/html"


def answer_of(body=b"", status=200, kind=JSON, **headers):
    """An answer of `api.example.com`."""
    sent = body if isinstance(body, bytes) else orjson.dumps(body)
    own = {"content-type": kind} if kind else {}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(parse_url("https://api.example.com/a"), status, own | named, sent)


def read_as(answer, **how):
    """Outcome and response."""
    ended = read(answer, HttpAnswer.model_validate(how, by_name=False))
    return ended.outcome, ended.response


def test_a_body_is_read_by_its_type():
    """JSON as a value, anything else as text, nothing as null."""
    assert (Outcome.SUCCESS, {"a": 1}) == read_as(answer_of({"a": 1}))
    assert (Outcome.SUCCESS, [1]) == read_as(answer_of([1], kind="application/problem+json; charset=utf-8"))
    assert (Outcome.SUCCESS, "{}") == read_as(answer_of(b"{}", kind=PAGE))
    assert (Outcome.SUCCESS, "{}") == read_as(answer_of(b"{}", kind=""))
    assert (Outcome.SUCCESS, None) == read_as(answer_of(b""))


def test_the_file_may_say_how_a_body_is_read():
    """Against its type."""
    assert (Outcome.SUCCESS, {"a": 1}) == read_as(answer_of({"a": 1}, kind=PAGE), body="json")
    assert (Outcome.SUCCESS, '{"a":1}') == read_as(answer_of({"a": 1}), body="text")
    assert (Outcome.SUCCESS, None) == read_as(answer_of({"a": 1}), body="none")


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text/plain", "grün".encode(), "grün"),
        ("text/plain; charset=iso-8859-1", b"gr\xfcn", "grün"),
        ("text/plain; charset=WINDOWS-1252", b"\x80", "€"),
        ("text/plain; charset=utf-16", "grün".encode("utf-16"), "grün"),
        ("text/plain; charset=shift_jis", "日本".encode("shift_jis"), "日本"),
        ("text/plain", b"\xef\xbb\xbfa", "a"),
        ("text/plain", b"a\xff\xed\xa0\x80b", "a����b"),
        ("text/plain; charset=unicode_escape", rb"\ud800", r"\ud800"),
        ("text/plain; charset=utf-7", b"+2AA-", "+2AA-"),
        ("text/plain; charset=hex", b"6161", "6161"),
        ("text/plain; charset=\x00", b"a", "a"),
        ('text/plain; charset="', b"a", "a"),
    ],
)
def test_text_is_decoded_by_its_charset(kind, body, text):
    """UTF-8 where none is told or none that the web knows; what is no text in it becomes a mark."""
    assert (Outcome.SUCCESS, text) == read_as(answer_of(body, kind=kind))


@pytest.mark.parametrize("body", [b'{"a": 1, "a": 2}', b"{", b"NaN", b"[" * 70 + b"]" * 70, b'"\\ud800"'])
def test_json_is_read_strictly(body):
    """What has two readings is an error of the tool."""
    with pytest.raises(Unreadable, match="no acceptable JSON"):
        read_as(answer_of(body))


@pytest.mark.parametrize(
    ("status", "success", "outcome"),
    [
        (200, ["2xx"], Outcome.SUCCESS),
        (299, ["2xx"], Outcome.SUCCESS),
        (404, ["2xx"], Outcome.ERROR),
        (404, ["2xx", "404"], Outcome.SUCCESS),
        (200, ["201"], Outcome.ERROR),
        (302, ["2xx"], Outcome.ERROR),
        (500, ["2xx"], Outcome.ERROR),
    ],
)
def test_statuses_that_are_a_success(status, success, outcome):
    """Only those that the file names."""
    assert outcome == read_as(answer_of({"a": 1}, status), success=success)[0]


def test_an_error_shows_status_and_body():
    """Hooks judge it as they judge a success."""
    said = {"error": "api.example.com:443 answered with status 500", "status": 500, "body": "<h1>oh</h1>"}

    assert (Outcome.ERROR, said) == read_as(answer_of(b"<h1>oh</h1>", 500, PAGE), body="json")


@pytest.mark.parametrize("body", [{"ok": False, "error": "no"}, {"ok": "true"}, {"ok": 1}, {}, [], None])
def test_ok_must_be_true(body):
    """Nothing but `true` at the pointer is a success."""
    outcome, response = read_as(answer_of(body), okPointer="/ok")

    assert (Outcome.ERROR, "api.example.com:443 answered with status 200, and /ok is not true", body) == (
        outcome,
        response["error"],
        response["body"],
    )


def test_ok_is_a_success():
    """With the whole body as the response."""
    assert (Outcome.SUCCESS, {"ok": True, "ts": "1"}) == read_as(answer_of({"ok": True, "ts": "1"}), okPointer="/ok")


def test_a_response_is_put_together_field_by_field():
    """From status, URL, headers and any part of the body; what is not there is null."""
    fields = {"s": "status", "u": "url", "t": "contentType", "e": "header:ETag", "x": "header:x-no"}
    body = {"all": "body", "one": "body/a/0", "none": "body/b"}

    assert (
        Outcome.SUCCESS,
        {"s": 200, "u": "https://api.example.com/a", "t": JSON, "e": "W/1", "x": None}
        | {"all": {"a": [5]}, "one": 5, "none": None},
    ) == read_as(answer_of({"a": [5]}, etag="W/1"), fields=fields | body)


@pytest.mark.parametrize(
    ("answer", "how", "word"),
    [
        (answer_of(kind="image/png"), {}, "'image/png', which is not read"),
        (answer_of(kind="text/html"), {"contentTypes": ["application/json"]}, "'text/html', which is not read"),
        (answer_of(content_encoding="gzip"), {}, "encoding 'gzip'"),
        (answer_of(content_length=str(RESPONSE_BYTES + 1)), {}, "more than 2097152 bytes"),
        (answer_of(content_length="9" * 5000), {}, "more than 2097152 bytes"),
        (answer_of(content_length="11"), {"maxBytes": 10}, "more than 10 bytes"),
    ],
)
def test_what_will_not_be_read_is_told_by_its_head(answer, how, word):
    """Before a byte of the body is read."""
    with pytest.raises(Unreadable, match=word):
        check_head(answer, HttpAnswer.model_validate(how, by_name=False))


@pytest.mark.parametrize(
    ("answer", "how"),
    [
        (answer_of(kind="image/png"), {"body": "none"}),
        (answer_of(kind="image/png", status=204), {}),
        (answer_of(kind="image/svg+xml"), {}),
        (answer_of(kind="image/png"), {"contentTypes": ["image/*"], "body": "text"}),
        (answer_of(kind="TEXT/HTML; charset=x"), {}),
        (answer_of(content_encoding="identity"), {}),
    ],
)
def test_what_will_be_read_passes(answer, how):
    """Text, JSON and XML, whatever the file names, and what has no body."""
    assert check_head(answer, HttpAnswer.model_validate(how, by_name=False)) is None


def test_a_value_of_the_environment_is_never_shown():
    """An upstream that repeats what it was sent shows the variable's name, in keys, texts and lists."""
    said = Execution(Outcome.SUCCESS, {"Bearer s3cret-value": ["a s3cret-value b", 1, None], "x": "short"})

    shown = sealed(said, {"KEY": "s3cret-value", "TEAM": "short"}).response
    assert {"Bearer ${KEY}": ["a ${KEY} b", 1, None], "x": "short"} == shown


@pytest.mark.parametrize("response", ["a" * RESPONSE_BYTES, ["a"] * 50_000, "\x01" * (RESPONSE_BYTES // 2)])
def test_a_response_is_no_larger_than_workers_read(response):
    """Beyond it the call is an error of the tool, and the value is gone."""
    ended = sealed(Execution(Outcome.SUCCESS, response), {})

    assert (Outcome.ERROR, {"error": "the upstream answered with more than a response may hold"}) == (
        ended.outcome,
        ended.response,
    )


def test_other_ends_are_sealed_unchanged():
    """Outcome, detail and code stay."""
    ended = Execution(Outcome.NOT_STARTED, detail="why", code="address-refused")

    assert ended == sealed(ended, {"KEY": "s3cret-value"})

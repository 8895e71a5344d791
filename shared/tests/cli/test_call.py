"""`interpose call`: what is sent, what is shown, which exit code."""

import io
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

DELIVERED = {
    "call_id": "c1",
    "trace_id": "t1",
    "revision": 3,
    "decision": "deliver",
    "ran": True,
    "response": {"ok": 1},
}
REFUSED = {"decision": "refuse", "ran": False, "code": "invalid", "reason": "two faults", "decided_by": "block-kit"}


def told(hook: str, **more: Any) -> dict[str, Any]:
    return {"name": hook, "phase": "before", "effect": "stopped", "ms": 1.25, **more}


@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (200, {"decision": "deliver", "ran": True}, 0),
        (200, {"decision": "run", "ran": False}, 0),
        (200, {"decision": "refuse", "ran": False}, 2),
        (202, {"decision": "ask", "ran": False}, 2),
        (401, {"decision": "refuse", "ran": False}, 2),
        (403, {"decision": "refuse", "ran": False}, 2),
        (403, {"decision": "withhold", "ran": True}, 2),
        (404, {"decision": "refuse", "ran": False}, 2),
        (413, {"decision": "refuse", "ran": False}, 2),
        (422, {"decision": "refuse", "ran": False}, 2),
        (429, {"decision": "refuse", "ran": False}, 2),
        (502, {"decision": "deliver", "ran": True}, 4),
        (503, {"decision": "refuse", "ran": False}, 3),
        (503, {"decision": "withhold", "ran": True}, 3),
        (504, {"decision": "withhold", "ran": "unknown"}, 3),
        (200, {"decision": "deliver", "ran": "unknown"}, 3),
        (200, {}, 2),
    ],
)
def test_the_exit_code(
    interpose: Callable[..., Any], peer: Any, status: int, answer: dict[str, Any], code: int
) -> None:
    """0 delivered, 2 refused or withheld, 3 no decision, 4 the tool itself failed."""
    peer.answers(status, **answer)

    assert code == interpose("call", "x", "--url", peer.url).code


def test_what_is_sent(interpose: Callable[..., Any], peer: Any, tmp_path: Path) -> None:
    """Every option stands in its field; nothing that was not said is sent; the token is the file's."""
    (tmp_path / "token").write_text("s3cret\n")

    interpose(
        *("call", "message", "--action", "send", "--url", peer.url, "--token-file", str(tmp_path / "token")),
        *("--params", '{"text": "a", "n": 1}', "--param", "text=b=c", "-p", "blocks:=[1, null]"),
        *("--user", "patrick", "--session", "s1", "--timeout-ms", "2500", "--dry-run"),
    )

    [asked] = peer.asked
    assert asked["body"] == {
        "tool": "message",
        "action": "send",
        "parameters": {"text": "b=c", "n": 1, "blocks": [1, None]},
        "context": {"user": "patrick", "session": "s1"},
        "timeout_ms": 2500,
        "dry_run": True,
    }
    assert ("/v1/calls", "Bearer s3cret") == (asked["path"], asked["headers"]["Authorization"])


def test_without_options_only_the_tool_is_sent(interpose: Callable[..., Any], peer: Any) -> None:
    """And no token: the state folder's own token goes to its own gateway only."""
    interpose("call", "x", "--url", peer.url)

    [asked] = peer.asked
    assert {"tool": "x", "parameters": {}} == asked["body"]
    assert "Authorization" not in asked["headers"]


def test_parameters_come_from_a_file_or_from_standard_input(
    interpose: Callable[..., Any], peer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--params-file FILE` and `--params-file -`."""
    (tmp_path / "p.json").write_text('{"from": "file"}')
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b'{"from": "stdin"}')))

    for source in ("p.json", "-"):
        interpose("call", "x", "--url", peer.url, "--params-file", source)

    assert [{"from": "file"}, {"from": "stdin"}] == [asked["body"]["parameters"] for asked in peer.asked]


@pytest.mark.parametrize(
    ("params", "place"),
    [('{"a": 1, "a": 2}', r"$.a"), ("[1]", "$"), ('{"a": NaN}', "$.a"), ("{", "$")],
)
def test_parameters_with_two_readings_are_refused_here(
    interpose: Callable[..., Any], peer: Any, params: str, place: str
) -> None:
    """Code 1 with the place, and nothing is sent."""
    ran = interpose("call", "x", "--url", peer.url, "--params", params)

    assert ran.code == 1
    assert place in ran.err
    assert peer.asked == []


def test_a_delivered_answer_in_words(interpose: Callable[..., Any], peer: Any) -> None:
    """Decision, hooks with effect, time and worker, the response, call, trace and revision."""
    hook = told("audit", verdict="allow", effect="passed", worker="audit-1")
    peer.answers(200, **DELIVERED, hooks=[hook], warnings=["careful"])

    out = interpose("call", "message", "--url", peer.url).out

    assert out.startswith("deliver  message  (the tool ran; status 200)")
    for part in ("audit", "allow → passed", "1.2 ms", "audit-1", '"ok": 1', "careful", "call c1, trace t1, revision 3"):
        assert part in out


def test_a_refused_answer_in_words(interpose: Callable[..., Any], peer: Any) -> None:
    """Reason, who decided, and each error with its path and its bounds."""
    error = {"path": "$.blocks[0].text", "message": "too long", "limit": 150, "given": 151}
    peer.answers(403, **REFUSED, errors=[error], hooks=[told("block-kit", verdict="reject")])

    out = interpose("call", "message", "--url", peer.url).out

    assert out.startswith("refuse  message  (the tool did not run; status 403)")
    for part in ("invalid: two faults (decided by block-kit)", "- $.blocks[0].text: too long (limit 150, given 151)"):
        assert part in out


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        ("no_responders", "no worker of .* answers for block-kit"),
        ("deadline_exceeded", "block-kit did not answer within its timeout"),
        ("hook_error", "block-kit broke"),
        ("malformed_verdict", "no verdict"),
        ("connection_lost", "the broker was lost"),
        ("not_permitted", "do not let the gateway ask block-kit"),
    ],
)
def test_a_failed_hook_comes_with_a_remedy(interpose: Callable[..., Any], peer: Any, failure: str, words: str) -> None:
    """Each failure of the contract has a sentence that says what to do."""
    peer.answers(403, **REFUSED, hooks=[told("block-kit", failure=failure)])

    ran = interpose("call", "x", "--url", peer.url)

    [remedy] = [line for line in ran.out.splitlines() if line.startswith("  remedy")]
    assert re.search(words, remedy)
    assert "`interpose " in remedy


def test_json_is_the_answer_as_it_came(interpose: Callable[..., Any], peer: Any) -> None:
    """Status and answer, nothing added."""
    peer.answers(200, **DELIVERED)

    assert {"status": 200, "answer": DELIVERED} == json.loads(interpose("call", "x", "--url", peer.url, "--json").out)


def test_nobody_there_is_code_3(interpose: Callable[..., Any]) -> None:
    """The sentence names the URL and the remedy; nothing ran."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

        ran = interpose("call", "x", "--url", url, "--json")

    assert ran.code == 3
    said = json.loads(ran.out)
    assert said["ran"] is False
    assert url in said["error"]


def test_an_answer_that_breaks_off_leaves_nobody_sure(interpose: Callable[..., Any], peer: Any) -> None:
    """The call was sent: whether the tool ran is unknown, and the remedy is the record."""
    peer.hangs_up = True

    ran = interpose("call", "x", "--url", peer.url)

    assert ran.code == 3
    assert "nobody knows whether the tool ran: look with `interpose records follow`" in ran.err


def test_something_that_is_no_gateway_is_code_3(interpose: Callable[..., Any], peer: Any) -> None:
    """HTML from some other program is told as such."""
    peer.body = b"<html>"

    ran = interpose("call", "x", "--url", peer.url)

    assert ran.code == 3
    assert "no answer of a gateway" in ran.err


@pytest.mark.parametrize("url", ["127.0.0.1:8600", "ftp://x", "http://", "http://x:99999"])
def test_what_is_no_url_is_wrong_use(interpose: Callable[..., Any], url: str) -> None:
    """Code 1, with an example of one."""
    ran = interpose("call", "x", "--url", url)

    assert ran.code == 1
    assert "no URL" in ran.err


def test_escape_sequences_do_not_reach_the_terminal(interpose: Callable[..., Any], peer: Any) -> None:
    """A hostile reason, path, hook name or response cannot move the cursor or change colours."""
    evil = "\x1b[2J\x1b]0;owned\x07"
    hook = told(evil, verdict="reject", worker=evil)
    errors = [{"path": evil, "message": evil}]
    peer.answers(
        403,
        decision=evil,
        ran=False,
        reason=evil,
        code=evil,
        decided_by=evil,
        errors=errors,
        hooks=[hook],
        warnings=[evil],
        response=evil,
        call_id=evil,
    )

    out = interpose("call", evil, "--url", peer.url).out

    assert not {"\x1b", "\x07"} & set(out)

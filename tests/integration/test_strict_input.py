"""Bad input over a real socket to a real gateway process: 4xx with the place, never a 500, a hang or a dead process."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

PATIENCE_S = 60
MIB = 1024 * 1024
DEEP = 1_000_000


def call(parameters: str = "{}", rest: str = "") -> bytes:
    """A call whose parameters, and whatever stands behind them, are written by hand."""
    return f'{{"tool":"echo","action":"gated","parameters":{parameters}{rest}}}'.encode()


def within(value: str) -> bytes:
    """A call with this as a parameter."""
    return call(f'{{"a":{{"b":[0,{value}]}}}}')


PLACED: dict[str, tuple[bytes, str]] = {
    "a million arrays": (b'{"tool":"echo","parameters":{"a":' + b"[" * DEEP, "$.parameters.a" + "[0]" * 62),
    "a million closed arrays": (call('{"a":' + "[" * 500_000 + "]" * 500_000 + "}"), "$.parameters.a" + "[0]" * 62),
    "objects in objects": (b'{"a":' * 200_000, "$" + ".a" * 64),
    "duplicate keys": (call('{"a":1,"a":2}'), "$.parameters.a"),
    "duplicate keys in different spelling": (call('{"a":1,"\\u0061":2}'), "$.parameters.a"),
    "duplicate tools": (b'{"tool":"echo","tool":"other","parameters":{}}', "$.tool"),
    "NaN": (within("NaN"), "$.parameters.a.b[1]"),
    "Infinity": (within("Infinity"), "$.parameters.a.b[1]"),
    "minus Infinity": (within("-Infinity"), "$.parameters.a.b[1]"),
    "a number beyond a double": (within("1e400"), "$.parameters.a.b[1]"),
    "a huge integer": (within("9" * 100_000), "$.parameters.a.b[1]"),
    "an integer beyond 2^53": (within("9007199254740993"), "$.parameters.a.b[1]"),
    "half a surrogate pair": (within('"\\ud800"'), "$.parameters.a.b[1]"),
    "the other half": (within('"x\\udc00y"'), "$.parameters.a.b[1]"),
    "half a pair as a key": (call('{"\\ud800":1}'), "$.parameters"),
    "half a pair in the tool": (b'{"tool":"\\ud800","parameters":{}}', "$.tool"),
    "bad UTF-8": (call('{"a":"x"}').replace(b"x", b"\xff"), "$"),
    "a surrogate in UTF-8": (call('{"a":"x"}').replace(b"x", b"\xed\xa0\x80"), "$"),
    "an overlong slash": (call('{"a":"x"}').replace(b"x", b"\xc0\xaf"), "$"),
    "UTF-16": (call().decode().encode("utf-16"), "$"),
    "a byte order mark": (b"\xef\xbb\xbf" + call(), "$"),
    "a null byte": (call('{"a":"x"}').replace(b"x", b"\x00"), "$.parameters.a"),
    "a bare control character": (call('{"a":"\n"}'), "$.parameters.a"),
    "a leading zero": (within("01"), "$.parameters.a.b[1]"),
    "a comma too many": (within("1,"), "$.parameters.a.b[2]"),
    "single quotes": (b"{'tool': 'echo'}", "$"),
    "a comment": (call("{}/* */"), "$.parameters"),
    "nothing": (b"", "$"),
    "white space": (b" \n\t ", "$"),
    "half a call": (call()[:-1], "$.parameters"),
    "two calls": (call() + call(), "$"),
    "an array": (b"[]", "$"),
    "a string": (b'"echo"', "$"),
    "null": (b"null", "$"),
    "sixty thousand values": (call('{"a":[' + "0," * 60_000 + "0]}"), "$.parameters.a[49995]"),
    "no tool": (b'{"parameters":{}}', "$.tool"),
    "no parameters": (b'{"tool":"echo"}', "$.parameters"),
    "a number for the tool": (b'{"tool":5,"parameters":{}}', "$.tool"),
    "an empty tool": (b'{"tool":"","parameters":{}}', "$.tool"),
    "a long tool": (b'{"tool":"' + b"t" * 257 + b'","parameters":{}}', "$.tool"),
    "a list for the parameters": (call("[]"), "$.parameters"),
    "text for the parameters": (call('"{}"'), "$.parameters"),
    "null for the parameters": (call("null"), "$.parameters"),
    "a number for the action": (b'{"tool":"echo","action":1,"parameters":{}}', "$.action"),
    "text for the timeout": (call(rest=',"timeout_ms":"500"'), "$.timeout_ms"),
    "true for the timeout": (call(rest=',"timeout_ms":true'), "$.timeout_ms"),
    "a half for the timeout": (call(rest=',"timeout_ms":500.5'), "$.timeout_ms"),
    "too little time": (call(rest=',"timeout_ms":99'), "$.timeout_ms"),
    "time below zero": (call(rest=',"timeout_ms":-1'), "$.timeout_ms"),
    "text for a flag": (call(rest=',"dry_run":"yes"'), "$.dry_run"),
    "a number for a flag": (call(rest=',"wait":0'), "$.wait"),
    "an unknown field": (call(rest=',"decision":"run"'), "$.decision"),
    "an unknown field in the context": (call(rest=',"context":{"tenant":"root"}'), "$.context.tenant"),
    "a list for the context": (call(rest=',"context":[]'), "$.context"),
    "a number for the session": (call(rest=',"context":{"session":1}'), "$.context.session"),
}
LARGE = {
    "a byte too many": call('{"a":"' + "x" * (MIB - 8 + 1) + '"}'),
    "two megabytes": call('{"a":"' + "x" * 2 * MIB + '"}'),
    "64 MiB": call('{"a":"' + "x" * 64 * MIB + '"}'),
    "64 MiB of arrays": b"[" * 64 * MIB,
    "64 MiB of white space": b" " * 64 * MIB,
}


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def unharmed(standing: Any, mark: str) -> AsyncIterator[None]:
    """After whatever the test sent the same process answers a good call, and the hook heard of no other."""
    pid, asked = standing.gateway.pid, len(standing.witness.of("asked before"))
    yield
    reply = await standing.call("gated", {"mark": mark})
    assert 200 == reply.status_code
    assert 1 == len(standing.witness.of("ran", mark))
    assert asked + 1 == len(standing.witness.of("asked before"))
    assert (pid, True) == (standing.gateway.pid, standing.gateway.is_running)


async def send(standing: Any, body: bytes | Callable[[], Any]) -> Any:
    """The gateway's answer to these bytes."""
    content = body if isinstance(body, bytes) else body()
    return await standing.http.post("/v1/calls", content=content, headers={"Content-Type": "application/json"})


@pytest.mark.parametrize(("body", "path"), PLACED.values(), ids=PLACED.keys())
async def test_a_body_that_is_no_call_is_told_its_place(standing: Any, body: bytes, path: str) -> None:
    """422 with a sentence and the JSON path; nothing is recorded."""
    reply = await send(standing, body)

    answer = reply.json()
    assert (422, "invalid-call", "refuse", False) == (
        reply.status_code,
        answer["code"],
        answer["decision"],
        answer["ran"],
    )
    assert path == answer["errors"][0]["path"]
    assert all(error["message"] for error in answer["errors"])
    assert [] == await standing.records(answer["call_id"])


async def test_every_fault_of_a_body_is_told_at_once(standing: Any) -> None:
    """Four faults of shape, four errors."""
    body = b'{"tool":1,"parameters":[],"timeout_ms":1,"extra":null}'

    answer = (await send(standing, body)).json()

    assert ["$.extra", "$.parameters", "$.timeout_ms", "$.tool"] == sorted(e["path"] for e in answer["errors"])


@pytest.mark.parametrize("body", LARGE.values(), ids=LARGE.keys())
async def test_a_body_that_is_too_large_is_413(standing: Any, body: bytes) -> None:
    """Whether its length is told beforehand or it comes in chunks without an end in sight."""

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), MIB):
            yield body[start : start + MIB]

    told, untold = await send(standing, body), await send(standing, chunks)

    assert [(413, "too-large")] * 2 == [(reply.status_code, reply.json()["code"]) for reply in (told, untold)]


async def test_a_call_of_the_largest_size_runs(standing: Any, mark: str) -> None:
    """Parameters of exactly 1 MiB pass, with depth 64 and text outside the first plane."""
    parameters: dict[str, Any] = {"mark": mark, "is": "large", "text": "🦉", "deep": None}
    for _ in range(61):
        parameters["deep"] = [parameters["deep"]]
    parameters["text"] += "x" * (MIB - len(json.dumps(parameters, ensure_ascii=False, separators=(",", ":")).encode()))

    reply = await standing.call("plain", parameters)

    [ran] = standing.witness.of("ran", mark)
    assert 200 == reply.status_code
    assert parameters == ran.parameters
    assert parameters == reply.json()["response"]["echo"]
    standing.witness.seen.remove(ran)


NAMES = ["*", ">", "$KV.HOOKS.current", "tool.exec.echo", "echo gated", "ﬁle", "🦉"]


@pytest.mark.parametrize("name", NAMES)
async def test_no_name_of_a_tool_reaches_another_subject(standing: Any, mark: str, name: str) -> None:
    """Whatever a tool is called, it is one token: its records and its order bear it, and nobody else hears of it."""
    heard: list[str] = []

    async def play_the_tool(msg: Any) -> None:
        heard.append(msg.subject)
        if msg.subject.startswith("tool.exec."):
            await standing.operator.publish(msg.reply, b'{"status": "success"}')

    everything = await standing.operator.subscribe("tool.>", cb=play_the_tool)
    await standing.broker.settle(standing.operator)
    reply = await standing.http.post("/v1/calls", json={"tool": name, "parameters": {"mark": mark}})
    await standing.broker.settle(standing.operator)
    await everything.drain()

    token = heard[0].rpartition(".")[2]
    [before, after] = await standing.records(reply.json()["call_id"])
    assert 200 == reply.status_code
    assert re.fullmatch(r"x[0-9a-f]{32}", token)
    assert [f"tool.record.before.{token}", f"tool.exec.{token}", f"tool.record.after.{token}"] == heard
    assert [name, name] == [before.body["tool"], after.body["tool"]]
    assert [] == standing.witness.of("ran", mark)


@pytest.mark.parametrize("name", ["echo\r\nPUB x 1", "\u0000", "ec\u200bho", "\u202eecho", " "])
async def test_a_name_that_nobody_can_see_whole_reaches_nobody(standing: Any, mark: str, name: str) -> None:
    """It is refused at its place: what cannot be shown cannot be judged by anybody who reads it."""
    reply = await standing.http.post("/v1/calls", json={"tool": name, "parameters": {"mark": mark}})

    answer = reply.json()
    assert (422, ["$.tool"]) == (reply.status_code, [error["path"] for error in answer["errors"]])
    assert [] == await standing.records(answer["call_id"])
    assert [] == standing.witness.of("ran", mark)


async def test_a_page_in_a_browser_cannot_call(standing: Any, mark: str) -> None:
    """403, with a good token too, since a page may have found one; and no header that would let it read that."""
    origin = {"Origin": "https://elsewhere.example"}
    called = {"tool": "echo", "parameters": {"mark": mark}}
    for method in ("POST", "OPTIONS"):
        reply = await standing.http.request(method, "/v1/calls", headers=origin, json=called)

        assert {"POST": 403, "OPTIONS": 405}[method] == reply.status_code
        assert [] == [name for name in reply.headers if name.startswith("access-control")]
    assert [] == standing.witness.of("ran", mark)


@pytest.mark.parametrize("size", [0, 64 * MIB])
async def test_without_a_token_no_body_is_read(standing: Any, size: int) -> None:
    """401 for an empty body and for 64 MiB, told or in chunks."""

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(size // MIB):
            yield b"[" * MIB

    for content in (b"[" * size, chunks()):
        reply = await standing.http.post("/v1/calls", content=content, headers={"Authorization": "Bearer wrong"})

        assert (401, "unauthorized") == (reply.status_code, reply.json()["code"])


RAW = {
    "no HTTP": b"hello\r\n\r\n",
    "TLS": bytes.fromhex("16030100a5010000a10303"),
    "a negative length": b"POST /v1/calls HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    "a length that is none": b"POST /v1/calls HTTP/1.1\r\nHost: x\r\nContent-Length: five\r\n\r\n",
    "two lengths": b"POST /v1/calls HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}{",
    "length and chunks": b"POST /v1/calls HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n{}",
    "a chunk that is none": b"POST /v1/calls HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"zz\r\n{}\r\n0\r\n\r\n",
    "an endless header": b"POST /v1/calls HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 2 * MIB + b"\r\n\r\n",
    "an endless line": b"GET /" + b"x" * 2 * MIB + b" HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("bytes_sent", RAW.values(), ids=RAW.keys())
async def test_what_is_no_http_is_hung_up_on(standing: Any, bytes_sent: bytes) -> None:
    """At most a 4xx, then the end of the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", standing.http_port)
    said = b""
    try:
        writer.write(bytes_sent)
        await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
        async with asyncio.timeout(PATIENCE_S):
            said = await reader.read()
    except ConnectionError:
        said = b""
    finally:
        writer.close()

    assert said == b"" or said.startswith(b"HTTP/1.1 4"), said[:200]


@pytest.mark.parametrize("part", [0, 1, 20, 60])
async def test_a_caller_that_leaves_in_mid_call_harms_nobody(standing: Any, part: int) -> None:
    """Hanging up before the body is whole leaves neither a call nor a trace of it."""
    head = b"POST /v1/calls HTTP/1.1\r\nHost: x\r\nAuthorization: %b\r\nContent-Length: 100\r\n\r\n"
    token = standing.http.headers["Authorization"].encode()
    in_flight = await standing.metric("interpose_calls_in_flight")

    _, writer = await asyncio.open_connection("127.0.0.1", standing.http_port)
    writer.write(head % token + call()[:part])
    await writer.drain()
    writer.close()
    await writer.wait_closed()

    assert in_flight == await standing.metric("interpose_calls_in_flight")


async def test_a_caller_that_leaves_does_not_end_its_call(standing: Any, mark: str) -> None:
    """Once a call is in, it is finished and recorded, whoever still waits for it."""
    body = json.dumps(
        {"tool": "echo", "action": "plain", "parameters": {"mark": mark, "is": "left", "hold": "tool"}}
    ).encode()
    head = b"POST /v1/calls HTTP/1.1\r\nHost: x\r\nAuthorization: %b\r\nContent-Length: %d\r\n\r\n"
    _, writer = await asyncio.open_connection("127.0.0.1", standing.http_port)
    writer.write(head % (standing.http.headers["Authorization"].encode(), len(body)) + body)
    [ran] = await standing.witness.sees("ran", mark)

    writer.close()
    await writer.wait_closed()
    standing.witness.release()
    await standing.until_metric("interpose_calls_in_flight", 0)

    assert [("before", None), ("after", "success")] == [
        (each.body["phase"], each.body["outcome"]) for each in await standing.records(ran.call_id)
    ]
    standing.witness.seen.remove(ran)

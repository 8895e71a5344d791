"""One trace of a call through every process, received over OTLP/HTTP."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from interpose.contracts.ids import secret
from interpose.telemetry import names
from interpose.testing.spans import Span, SpanReceiver

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

PATIENCE_S = 60
SPAN_NAMES = {
    *(names.CALL, names.PHASE, names.ASK, names.ANSWER, names.EXECUTE, names.RUN, names.RECORD),
    *(names.EVALUATE, names.REPORT, names.INSTALL, names.RESOLVE),
}


@dataclass(frozen=True)
class Caller:
    """Whoever calls us: its own trace and the span it calls from."""

    trace_id: str
    span_id: str

    @property
    def headers(self) -> dict[str, str]:
        """As W3C Trace Context wants them, with words that must not travel on."""
        parent = f"00-{self.trace_id}-{self.span_id}-01"
        return {"traceparent": parent, "tracestate": "vendor=secret", "baggage": "user=patrick"}


@pytest.fixture
def caller() -> Caller:
    """A caller with a trace of its own."""
    return Caller(secret(), secret()[:16])


@pytest.fixture(scope="module")
def receiver() -> Iterator[SpanReceiver]:
    """The module's own receiver."""
    with SpanReceiver() as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def traced(open_governed: Any, receiver: SpanReceiver) -> AsyncIterator[Any]:
    """Gateway, validator and tool, three processes that export their spans."""
    async with open_governed() as opened:
        opened.environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url}
        await asyncio.gather(
            opened.start_gateway(), opened.start_hook("validator", "validator-1"), opened.start_tool("echo-1")
        )
        yield opened


async def call(system: Any, caller: Caller, action: str, parameters: dict[str, Any]) -> Any:
    """A call under the caller's trace."""
    body = {"tool": "echo", "action": action, "parameters": parameters}
    return await system.http.post("/v1/calls", json=body, headers=caller.headers)


async def trace_of(receiver: SpanReceiver, caller: Caller, count: int) -> list[Span]:
    """The spans of the caller's trace, once there are so many of them."""

    def of_caller(spans: list[Span]) -> list[Span]:
        return [span for span in spans if span.trace_id == caller.trace_id]

    found = await asyncio.to_thread(receiver.until, lambda spans: len(of_caller(spans)) >= count, PATIENCE_S)
    assert len(of_caller(found)) >= count, found
    return of_caller(found)


def chain(spans: list[Span], last: str, caller: Caller) -> list[tuple[str, str]]:
    """Process and name of each span from the caller's down to the only one of that name."""
    by_id = {span.span_id: span for span in spans}
    [span] = [each for each in spans if each.name == last]
    found = [span]
    while found[0].parent_id != caller.span_id:
        found.insert(0, by_id[found[0].parent_id])
    return [(each.process, each.name) for each in found]


async def test_one_trace_goes_through_three_processes(
    traced: Any, receiver: SpanReceiver, caller: Caller, mark: str
) -> None:
    """Every span has the caller's trace id, and the chain from the caller's span to each worker's is unbroken."""
    reply = await call(traced, caller, "checked", {"mark": mark, "text": "short"})
    spans = await trace_of(receiver, caller, 7)

    answer = reply.json()
    records = [each.body for each in await traced.records(answer["call_id"])]
    [root] = [span for span in spans if span.parent_id == caller.span_id]
    parents = {span.span_id for span in spans} | {caller.span_id}
    told = sorted((span.process, span.name) for span in spans)
    assert caller.trace_id == answer["trace_id"]
    assert [(caller.trace_id, root.span_id)] * 2 == [(record["trace_id"], record["span_id"]) for record in records]
    assert told == [
        ("echo-1", names.RUN),
        ("gateway-1", names.CALL),
        ("gateway-1", names.ASK),
        ("gateway-1", names.EXECUTE),
        ("gateway-1", names.RECORD),
        ("gateway-1", names.RECORD),
        ("validator-1", names.ANSWER),
    ]
    assert {span.parent_id for span in spans} <= parents
    assert chain(spans, names.ANSWER, caller) == [
        ("gateway-1", names.CALL),
        ("gateway-1", names.ASK),
        ("validator-1", names.ANSWER),
    ]
    assert chain(spans, names.RUN, caller) == [
        ("gateway-1", names.CALL),
        ("gateway-1", names.EXECUTE),
        ("echo-1", names.RUN),
    ]
    assert not any(span.is_failed for span in spans)


async def test_the_record_names_the_span_of_each_ask(
    traced: Any, receiver: SpanReceiver, caller: Caller, mark: str
) -> None:
    """From the record of a call one finds the very span in which its hook was asked."""
    reply = await call(traced, caller, "checked", {"mark": mark, "text": "short"})
    spans = await trace_of(receiver, caller, 7)

    [before, _] = await traced.records(reply.json()["call_id"])
    [asked] = [span for span in spans if span.name == names.ASK]
    assert [asked.span_id] == [hook["span_id"] for hook in before.body["hooks"][1:]]
    assert ("short-text", "validator", "before", "allow", "passed") == tuple(
        asked.attributes[name] for name in (names.HOOK, names.SERVICE, names.PHASE_NAME, names.ENDING, names.EFFECT)
    )


async def test_a_killed_worker_leaves_the_ask_with_its_failure(
    traced: Any, receiver: SpanReceiver, caller: Caller, mark: str
) -> None:
    """kill -9 in mid-ask: the worker's span never comes, the gateway's says ERROR, the failure and why."""
    warden = await traced.start_hook("warden", "warden-1")
    under_way = asyncio.create_task(call(traced, caller, "strict", {"mark": mark, "hold": "before"}))
    await traced.witness.sees("asked before", mark)

    await warden.kill()
    reply = await under_way
    spans = await trace_of(receiver, caller, 3)

    [asked] = [span for span in spans if span.name == names.ASK]
    assert (403, "deadline-exceeded") == (reply.status_code, reply.json()["code"])
    assert ("deadline_exceeded", "stopped", True) == (
        asked.attributes[names.ENDING],
        asked.attributes[names.EFFECT],
        asked.is_failed,
    )
    assert "no answer within" in asked.said
    assert {"gateway-1"} == {span.process for span in spans}
    assert chain(spans, names.ASK, caller) == [("gateway-1", names.CALL), ("gateway-1", names.ASK)]


async def test_nobody_there_leaves_the_ask_with_its_failure(
    traced: Any, receiver: SpanReceiver, caller: Caller, mark: str
) -> None:
    """An absent service is on the span, too."""
    await call(traced, caller, "unattended", {"mark": mark})
    spans = await trace_of(receiver, caller, 3)

    [asked] = [span for span in spans if span.name == names.ASK]
    assert ("no_responders", True) == (asked.attributes[names.ENDING], asked.is_failed)


async def test_what_an_agent_asks_and_reports_is_one_trace(
    traced: Any, receiver: SpanReceiver, caller: Caller, mark: str
) -> None:
    """The report stands below the evaluation, whoever sends it, also from a trace of its own."""
    asked = {"tool": {"name": "echo.checked"}, "arguments": {"mark": mark, "text": "short"}}
    told = (await traced.http.post("/evaluate", json=asked, headers=caller.headers)).json()
    report = {"evaluation_id": told["evaluation_id"], "status": "success"}
    other = Caller(secret(), secret()[:16])
    reply = await traced.http.post("/audit", json=report, headers=other.headers)
    spans = await trace_of(receiver, caller, 6)

    before, after = [each.body for each in await traced.records(told["evaluation_id"].partition(".")[0])]
    [evaluated], [reported] = ([s for s in spans if s.name == each] for each in (names.EVALUATE, names.REPORT))
    assert (201, caller.trace_id) == (reply.status_code, told["trace_id"])
    assert [(caller.trace_id, evaluated.span_id), (caller.trace_id, reported.span_id)] == [
        (record["trace_id"], record["span_id"]) for record in (before, after)
    ]
    assert (caller.span_id, evaluated.span_id) == (evaluated.parent_id, reported.parent_id)
    expected = {names.EVALUATE: 1, names.ASK: 1, names.ANSWER: 1, names.RECORD: 2, names.REPORT: 1}
    assert expected == Counter(span.name for span in spans)
    assert not any(span.is_failed for span in spans)


async def test_a_broken_traceparent_begins_a_trace_of_its_own(traced: Any, receiver: SpanReceiver, mark: str) -> None:
    """What is no traceparent is nobody's trace: the call has one all the same, and its root has no parent."""
    body = {"tool": "echo", "action": "checked", "parameters": {"mark": mark, "text": "short"}}
    reply = await traced.http.post("/v1/calls", json=body, headers={"traceparent": "00-zz-zz-01"})

    own = Caller(reply.json()["trace_id"], "")
    spans = await trace_of(receiver, own, 7)
    assert [names.CALL] == [span.name for span in spans if not span.parent_id]
    assert {"gateway-1", "validator-1", "echo-1"} == {span.process for span in spans}


async def test_no_name_of_a_span_is_unbounded(traced: Any, receiver: SpanReceiver, caller: Caller, mark: str) -> None:
    """Whatever was called, every span of every process bears a declared name."""
    for number in range(5):
        body = {"tool": f"tool {number} {mark}", "action": f"act-{number}", "parameters": {"mark": mark}}
        await traced.http.post("/v1/calls", json=body, headers=caller.headers)
    await trace_of(receiver, caller, 5)

    assert {span.name for span in receiver.spans} <= SPAN_NAMES


async def test_the_words_of_a_caller_are_on_no_span(
    traced: Any, receiver: SpanReceiver, caller: Caller, mark: str
) -> None:
    """Neither baggage nor tracestate nor a parameter's value stands on any span."""
    await call(traced, caller, "checked", {"mark": mark, "text": "secret"})
    spans = await trace_of(receiver, caller, 7)

    told = repr(spans)
    assert not [word for word in ("patrick", "vendor", "secret", mark) if word in told]


async def test_an_unsampled_call_leaves_its_spans_only_where_it_is_refused(
    traced: Any, receiver: SpanReceiver, caller: Caller, mark: str
) -> None:
    """The refused call's spans stand in the caller's trace with the ids of its record; the accepted one left none."""
    unsampled = {"traceparent": caller.headers["traceparent"][:-2] + "00"}
    answers = []
    for text in ("short", "a text that is much too long for this rule, so that the call is refused"):
        body = {"tool": "echo", "action": "checked", "parameters": {"mark": mark, "text": text}}
        answers.append((await traced.http.post("/v1/calls", json=body, headers=unsampled)).json())
    spans = await trace_of(receiver, caller, 4)

    [before] = [each.body for each in await traced.records(answers[1]["call_id"])]
    assert [True, False] == [answer["ran"] for answer in answers]
    assert chain(spans, names.ANSWER, caller) == [
        ("gateway-1", names.CALL),
        ("gateway-1", names.ASK),
        ("validator-1", names.ANSWER),
    ]
    assert [before["span_id"]] == [span.span_id for span in spans if span.name == names.CALL]
    assert {names.CALL: 1, names.ASK: 1, names.ANSWER: 1, names.RECORD: 1} == Counter(span.name for span in spans)

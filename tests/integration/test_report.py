"""`interpose.report` against a real gateway: what an adapter asks, is told, reports, and keeps meanwhile."""

import asyncio
import importlib.util
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from interpose.report import Gate, Outcome, Receipt, Verb
from interpose.report.counters import Counted

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

LONG_MS = 30_000
SNIPPETS = Path(__file__).parents[2] / "docs" / "snippets" / "report"
HOOK = {"service": "rogue", "timeout": 20_000}
RULES = {
    "hooks": {
        "before:echo*": [{"name": "rewrites", "transform": True, **HOOK}],
        "before:install": [{"name": "packages", **HOOK}],
        "after:echo*": [{"name": "sanitizes", "transform": True, **HOOK}],
    }
}
SHIM = """
import sys
from interpose.report import Gate

gate = Gate.from_environment("an-agent", delivery="drain", report_timeout_ms=60_000, evaluate_timeout_ms=30_000)
if sys.argv[1] == "before":
    print(gate.before("echo", {"n": 1}, session=sys.argv[2]).evaluation_id)
elif sys.argv[1] == "after":
    print(gate.after("echo", session=sys.argv[2], result={"text": "done"}).outcome)
else:
    print(gate.drain(30_000))
"""
MakeGate = Callable[..., Gate]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def agents(open_governed: Any) -> AsyncIterator[Any]:
    """A gateway and one hook that does what calls want."""
    async with open_governed() as opened:
        opened.programs = opened.programs / "agent"
        await opened.configure(RULES)
        await asyncio.gather(opened.start_gateway(), opened.start_hook("rogue", "rogue-1"))
        yield opened


@pytest.fixture
def environ(agents: Any, tmp_path: Path) -> dict[str, str]:
    """What an agent's process is started with."""
    return {
        "INTERPOSE_TOKEN": agents.broker.home.token("local").read_text().strip(),
        "INTERPOSE_GATEWAY_URL": f"http://127.0.0.1:{agents.http_port}",
        "INTERPOSE_REPORT_FOLDER": str(tmp_path / "report"),
    }


@pytest.fixture
def make_gate(environ: dict[str, str]) -> MakeGate:
    """A gate of an adapter, with patience for a busy machine."""

    def make(**options: Any) -> Gate:
        usual = {"delivery": "drain", "evaluate_timeout_ms": LONG_MS, "report_timeout_ms": LONG_MS}
        return Gate.from_environment("an-agent", environ, **(usual | options))

    return make


@pytest.fixture
def gate(make_gate: MakeGate) -> Gate:
    """The usual one."""
    return make_gate()


async def before(gate: Gate, call_id: str, **arguments: Any) -> Any:
    """Ask about a call of `echo`, without holding the test's own loop."""
    return await asyncio.to_thread(gate.before, "echo", arguments, call_id=call_id, session="s-1")


async def after(gate: Gate, call_id: str, **ending: Any) -> Receipt:
    """Report its end."""
    return await asyncio.to_thread(gate.after, "echo", call_id=call_id, session="s-1", **ending)


async def records(agents: Any, evaluation_id: str) -> list[dict[str, Any]]:
    """What is on the record of an evaluated call."""
    return [stored.body for stored in await agents.records(evaluation_id.partition(".")[0])]


def due_now(environ: dict[str, str]) -> list[Path]:
    """What waits in the outbox, as if its time had come."""
    waiting = sorted(Path(environ["INTERPOSE_REPORT_FOLDER"]).glob("an-agent/outbox/*.json"))
    for path in waiting:
        os.utime(path, ns=(0, 0))
    return waiting


async def shim(environ: dict[str, str], *arguments: str) -> asyncio.subprocess.Process:
    """A command shim: a process for every event."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", SHIM, *arguments, env=os.environ | environ, stdout=asyncio.subprocess.PIPE
    )


async def said(process: asyncio.subprocess.Process) -> str:
    """What it printed, when it has ended."""
    return (await process.communicate())[0].decode().strip()


async def test_a_call_is_evaluated_and_its_end_reported(agents: Any, gate: Gate) -> None:
    """One before record and one after record with what the agent says came of it; the response may be delivered."""
    decision = await before(gate, "c", n=1)
    receipt = await after(gate, "c", result={"text": "done"}, duration_ms=12)

    judged, reported = await records(agents, decision.evaluation_id)
    assert (True, {"n": 1}) == (decision.is_allowed, decision.arguments)
    assert ("run", "agent", "success", "deliver") == (
        judged["decision"],
        judged["runner"],
        reported["outcome"],
        reported["decision"],
    )
    assert (Outcome.FINALISED, True, {"text": "done"}, reported["record_id"]) == (
        receipt.outcome,
        receipt.deliver,
        receipt.result,
        receipt.audit_record_id,
    )


async def test_a_refused_call_needs_no_report(agents: Any, gate: Gate) -> None:
    """The rule's own words reach the agent; an end that comes all the same is not sent."""
    decision = await before(gate, "c", before="refuse")
    receipt = await after(gate, "c", result=1)

    (judged,) = await records(agents, decision.evaluation_id)
    assert (Verb.DENY, "the rogue says no", "rogue-no", False) == (
        decision.verb,
        decision.reason,
        decision.code,
        decision.is_local,
    )
    assert ("refuse", Outcome.MISSED) == (judged["decision"], receipt.outcome)


async def test_what_hooks_rewrote_is_what_runs_and_what_is_delivered(gate: Gate) -> None:
    """Arguments before, the result afterwards."""
    decision = await before(gate, "c", before="rewrite", after="rewrite")
    receipt = await after(gate, "c", result={"text": "a secret"})

    assert (True, True) == (decision.is_rewritten, decision.arguments["rewritten"])
    assert (True, True, {"text": "[gone]"}) == (receipt.deliver, receipt.is_rewritten, receipt.result)


async def test_a_response_is_withheld(gate: Gate) -> None:
    """With the hook's reason; the agent gets nothing to deliver."""
    await before(gate, "c", after="withhold")
    receipt = await after(gate, "c", result={"text": "a secret"})

    assert (Outcome.FINALISED, False, None) == (receipt.outcome, receipt.deliver, receipt.result)
    assert ("a-secret", True) == (receipt.code, receipt.reason.startswith("the response holds a secret"))


@pytest.mark.parametrize(
    ("resolution", "runs", "outcome"), [("approved", True, Outcome.FINALISED), ("denied", False, Outcome.MISSED)]
)
async def test_a_person_decides(gate: Gate, resolution: Any, runs: bool, outcome: Outcome) -> None:
    """Only a yes that the gateway confirms lets the call run, and then its end is reported like any other."""
    asked = await before(gate, "c", before="ask")
    resolved = await asyncio.to_thread(gate.resolve, resolution, "echo", call_id="c", session="s-1", resolved_by="p")
    receipt = await after(gate, "c", result=1)

    assert (Verb.REQUIRE_APPROVAL, False) == (asked.verb, asked.is_allowed)
    assert (runs, False, outcome) == (resolved.is_allowed, resolved.is_local, receipt.outcome)


async def test_a_report_that_overtakes_the_answer_waits_for_it(agents: Any, gate: Gate) -> None:
    """It is sent again until the gateway knows that the person said yes."""
    asked = await before(gate, "c", before="ask")
    reporting = asyncio.create_task(after(gate, "c", result={"n": 1}))
    await agents.until(lambda: retried(gate))
    answer = {"resolution": "approved", "resolved_by": "p"}
    assert asked.approval is not None
    resolved = await agents.http.post(f"/v1/approval/{asked.approval.id}/resolve", json=answer)

    assert (200, Outcome.FINALISED, True) == (
        resolved.status_code,
        (await reporting).outcome,
        (await reporting).deliver,
    )


async def retried(gate: Gate) -> bool:
    """Whether a report was sent once more."""
    return gate.counters[Counted.RETRIED] > 0


async def test_an_install_needs_a_yes(gate: Gate) -> None:
    """From a hook that judges packages."""
    refused, allowed = [await asyncio.to_thread(gate.install, name) for name in ("left-pad", "right-pad")]

    assert (False, "this package is not known", False) == (refused.is_allowed, refused.reason, refused.is_local)
    assert allowed.is_allowed


async def test_evidence_is_stored(make_gate: MakeGate) -> None:
    """Each entry that was found, and the answer says so of each."""
    gate = make_gate(evidence=[{"evidence_key": key, "path": ["url", key]} for key in ("host", "port")])
    await before(gate, "c")
    receipt = await after(gate, "c", result={"url": {"host": "a.example"}})

    assert [("host", True)] == [(entry["evidence_key"], entry["stored"]) for entry in receipt.evidence]


@pytest.mark.parametrize(
    ("ending", "shed", "deliver"),
    [
        ({"result": {"text": "x" * 2**20}}, Counted.SHED, False),
        ({"result": list(range(60_000))}, Counted.SHED, False),
        ({"error": "x" * 2**21}, Counted.TRUNCATED, False),
        ({"result": {"text": "x" * 900_000}}, None, True),
    ],
    ids=range(4),
)
async def test_every_report_is_taken(gate: Gate, ending: dict[str, Any], shed: Counted | None, deliver: bool) -> None:
    """However large what it is about; what the gateway did not see is not delivered."""
    await before(gate, "c")
    receipt = await after(gate, "c", **ending)

    assert (Outcome.FINALISED, deliver) == (receipt.outcome, receipt.deliver)
    assert [shed] if shed else [] == [what for what in (shed,) if what and gate.counters[what]]


class Odd:
    """What a tool in the agent's own process may return."""

    def __init__(self) -> None:
        self.me = self
        self.parts = {b"\xff", float("nan"), 2**70}

    def __str__(self) -> str:
        raise RuntimeError


async def test_any_object_is_reported(agents: Any, gate: Gate) -> None:
    """As JSON that the gateway takes; the agent delivers the same."""
    decision = await before(gate, "c")
    receipt = await after(gate, "c", result=[Odd(), (1, "é\ud800")])

    (_, reported) = await records(agents, decision.evaluation_id)
    odd = {"me": "<cycle>", "parts": ["1180591620717411303424", "NaN", {"base64": "/w=="}]}
    assert (True, [odd, [1, "é�"]]) == (receipt.deliver, receipt.result)
    assert {"content": [odd, [1, "é�"]]} == reported["final"]


async def test_many_calls_at_once_each_get_their_own(agents: Any, gate: Gate) -> None:
    """Every after record stands behind its own before record."""

    async def one(number: int) -> tuple[str, Receipt]:
        decision = await before(gate, f"c-{number}", n=number)
        return decision.evaluation_id, await after(gate, f"c-{number}", result={"n": number})

    ended = await asyncio.gather(*(one(number) for number in range(20)))

    assert {(Outcome.FINALISED, True)} == {(receipt.outcome, receipt.deliver) for _, receipt in ended}
    for identifier, receipt in ended:
        judged, reported = await records(agents, identifier)
        assert (judged["final"], {"n": judged["final"]["n"]}) == (judged["final"], receipt.result)
        assert reported["record_id"] == receipt.audit_record_id


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"token": "not-a-token"}, "401"),
        ({"url": "http://127.0.0.1:1"}, "refused"),
        ({"evaluate_timeout_ms": 1}, "1 ms"),
    ],
    ids=["token", "url", "time"],
)
async def test_without_a_decision_nothing_runs(make_gate: MakeGate, options: dict[str, Any], said: str) -> None:
    """A wrong token, nobody there, no time."""
    gate = make_gate(**options)

    refused, not_installed = await before(gate, "c"), await asyncio.to_thread(gate.install, "right-pad")

    assert [False, False] == [refused.is_allowed, not_installed.is_allowed]
    assert refused.reason.startswith("governance unavailable: ")
    assert said in refused.reason.lower()


async def test_the_same_report_twice_is_one(agents: Any, gate: Gate, environ: dict[str, str]) -> None:
    """A process that dies once the gateway has it leaves it in the outbox: it is taken again, and is one record."""
    decision = await before(gate, "c")
    outbox = Path(environ["INTERPOSE_REPORT_FOLDER"]) / "an-agent" / "outbox"
    first = await after(gate, "c", result={"n": 1})
    body = f'{{"evaluation_id":"{decision.evaluation_id}","status":"success","result":{{"n":1}}}}'
    (outbox / "00000000000001-again.json").write_text(body)
    (outbox / "00000000000001-again.json").rename(outbox / f"{2**44:014d}-again.json")
    due_now(environ)

    assert (Outcome.FINALISED, 0) == (first.outcome, await asyncio.to_thread(gate.drain, LONG_MS))
    assert 2 == gate.counters[Counted.FINALISED]
    assert 2 == len(await records(agents, decision.evaluation_id))


async def test_the_two_halves_of_a_shim_are_two_processes(agents: Any, environ: dict[str, str]) -> None:
    """The second reports what the first was allowed."""
    evaluation_id = await said(await shim(environ, "before", "s-shim"))
    outcome = await said(await shim(environ, "after", "s-shim"))

    assert "finalised" == outcome
    assert ["run", "deliver"] == [record["decision"] for record in await records(agents, evaluation_id)]


async def test_a_gateway_that_is_killed_gets_the_report_when_it_is_back(
    agents: Any, make_gate: MakeGate, environ: dict[str, str]
) -> None:
    """Between evaluate and audit; the agent is told to deliver nothing meanwhile, and the call ends exactly once."""
    gate = make_gate(report_timeout_ms=300)
    decision = await before(gate, "c")
    await agents.gateway.kill()
    kept, blocked = await after(gate, "c", result={"n": 1}), await before(gate, "d")
    body = [path.read_bytes() for path in due_now(environ)]
    await agents.start_gateway()
    left = await asyncio.to_thread(make_gate().drain, LONG_MS)

    assert (Outcome.KEPT, False, False) == (kept.outcome, kept.deliver, blocked.is_allowed)
    assert (1, 0) == (len(body), left)
    assert ["run", "deliver"] == [record["decision"] for record in await records(agents, decision.evaluation_id)]


async def test_a_gateway_that_is_stopped_gets_the_report_when_it_goes_on(
    agents: Any, make_gate: MakeGate, environ: dict[str, str]
) -> None:
    """Nobody waits longer than he was told to; what was sent twice is one record."""
    gate = make_gate(report_timeout_ms=300, evaluate_timeout_ms=LONG_MS)
    decision = await before(gate, "c")
    agents.gateway.send(signal.SIGSTOP)
    try:
        kept = await after(gate, "c", result={"n": 1})
        blocked = await before(make_gate(evaluate_timeout_ms=300), "d")
    finally:
        agents.gateway.send(signal.SIGCONT)
    await agents.until(lambda: drained(make_gate(), environ))

    assert (Outcome.KEPT, "governance unavailable: no answer within 300 ms") == (kept.outcome, blocked.reason)
    assert ["run", "deliver"] == [record["decision"] for record in await records(agents, decision.evaluation_id)]


async def drained(gate: Gate, environ: dict[str, str]) -> bool:
    """Whether the outbox is empty after another try."""
    due_now(environ)
    return await asyncio.to_thread(gate.drain, LONG_MS) == 0


async def test_an_agent_that_is_killed_loses_no_report(agents: Any, environ: dict[str, str]) -> None:
    """kill -9 while the gateway does not answer; the next process of the agent sends the same bytes."""
    evaluation_id = await said(await shim(environ, "before", "s-killed"))
    agents.gateway.send(signal.SIGSTOP)
    try:
        killed = await shim(environ, "after", "s-killed")
        await agents.until(lambda: kept(environ))
        killed.kill()
        await killed.wait()
        (waiting,) = due_now(environ)
        body = waiting.read_bytes()
    finally:
        agents.gateway.send(signal.SIGCONT)

    assert evaluation_id.encode() in body
    assert "0" == await said(await shim(environ, "drain"))
    assert ["run", "deliver"] == [record["decision"] for record in await records(agents, evaluation_id)]


async def test_the_agent_of_the_page_obeys(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What it runs, refuses, rewrites, withholds and reports as failed is what its page says."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    spec = importlib.util.spec_from_file_location("page_agent", SNIPPETS / "agent.py")
    assert spec is not None
    assert spec.loader is not None
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    ran: list[dict[str, Any]] = []

    def echo(**arguments: Any) -> dict[str, Any]:
        ran.append(arguments)
        if "fail" in arguments:
            raise ValueError("it broke")
        return {"text": "a secret"}

    wanted = [
        {"n": 1},
        {"before": "refuse"},
        {"before": "rewrite", "after": "rewrite"},
        {"after": "withhold"},
        {"fail": 1},
    ]
    seen = [
        await asyncio.to_thread(page.run, {"echo": echo}, "echo", arguments, f"c-{number}")
        for number, arguments in enumerate(wanted)
    ]

    assert [wanted[0], wanted[2] | {"rewritten": True}, wanted[3], wanted[4]] == ran
    assert [{"text": "a secret"}, {"refused": "the rogue says no"}, {"text": "[gone]"}] == seen[:3]
    assert ["withheld", "failed"] == [key for one in seen[3:] for key in one]


@pytest.mark.parametrize(
    ("phase", "event", "code", "out"),
    [
        ("before", {"tool": "echo", "arguments": {"n": 1}}, 0, {"n": 1}),
        ("before", {"tool": "echo", "arguments": {"before": "rewrite"}}, 0, {"before": "rewrite", "rewritten": True}),
        ("before", {"tool": "echo", "arguments": {"before": "refuse"}}, 2, None),
        ("after", {"tool": "echo", "result": {"text": "done"}}, 2, None),
        ("before", {"tool": "echo"}, 2, None),
        ("neither", {}, 2, None),
    ],
    ids=range(6),
)
async def test_the_shim_of_the_page_blocks_by_its_exit_code(
    environ: dict[str, str], phase: str, event: dict[str, Any], code: int, out: object
) -> None:
    """0 with the arguments to run with; 2 for a refusal, an end that nobody evaluated, and its own mistakes."""
    ended, printed = await play(environ, phase, event)

    assert (code, out) == (ended, json.loads(printed) if printed else None)


async def test_the_two_halves_of_the_page_s_shim_find_each_other(environ: dict[str, str]) -> None:
    """The second delivers what the gateway lets through, or blocks."""
    asked = [{"tool": "echo", "arguments": {"after": word}, "id": word} for word in ("allow", "withhold")]
    before_ = [await play(environ, "before", event) for event in asked]
    after_ = [await play(environ, "after", event | {"result": {"text": "done"}}) for event in asked]

    assert [0, 0] == [code for code, _ in before_]
    assert [(0, '{"text": "done"}'), (2, "")] == after_


async def play(environ: dict[str, str], phase: str, event: dict[str, Any]) -> tuple[int | None, str]:
    """Run the shim of the page with an event: its exit code and what it printed."""
    patience = {"INTERPOSE_EVALUATE_TIMEOUT_MS": str(LONG_MS), "INTERPOSE_REPORT_TIMEOUT_MS": str(LONG_MS)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(SNIPPETS / "shim.py"),
        phase,
        env=os.environ | environ | patience,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate(json.dumps(event).encode())
    return process.returncode, printed.decode()


async def kept(environ: dict[str, str]) -> bool:
    """Whether a report is in the outbox."""
    return bool(due_now(environ))

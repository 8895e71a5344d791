"""`POST /evaluate` over real HTTP: what an agent may run, and what stands on record before it is told."""

import asyncio
import json
from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

NO = {"verdict": "reject", "reason": "the gatekeeper says no", "code": "closed"}


async def test_a_call_without_an_objection_is_allowed(agent: Any) -> None:
    """200 with `allow`; one open record that ends in `.agent`, stands where the id says, and names who runs it."""
    reply = await agent.evaluate("judged", {"text": "hi"}, session_id="s-1", origin="openclaw", agent_id="main")

    told = reply.json()
    call_id, _, sequence = told["evaluation_id"].partition(".")
    [stored] = await agent.system.records(call_id)
    body = stored.body
    assert (200, "allow", None) == (reply.status_code, told["decision"], told["matched_rule"])
    assert ("tool.record.before.judged.agent", int(sequence)) == (stored.subject, stored.sequence)
    assert ("run", "agent", "s-1") == (body["decision"], body["runner"], body["context"]["session"])
    assert {"origin": "openclaw", "agent_id": "main"} == body["context"]["claimed"]
    assert body["open_until"] > body["at"]
    assert told["trace_id"] == body["trace_id"]


@pytest.mark.parametrize("prefix", ["", "/v1"])
async def test_a_refusal_is_an_answer_and_no_error(agent: Any, prefix: str) -> None:
    """200 with `deny`, the rule and its reason, under both paths; its record is closed."""
    body = {"tool": {"name": "judged"}, "arguments": {"before": NO}}

    reply = await agent.post(f"{prefix}/evaluate", body)

    told = reply.json()
    [record] = await agent.records(told["evaluation_id"])
    assert (200, "deny", "gate", "closed") == (
        reply.status_code,
        told["decision"],
        told["matched_rule"],
        told["code"],
    )
    assert {"message": "the gatekeeper says no"} == told["feedback"]
    assert ("refuse", None) == (record["decision"], record["open_until"])


async def test_every_decision_has_its_word(agent: Any) -> None:
    """What the hook said, and what the agent is told."""
    limits = {"limits": {"remaining": 0}}
    limited = {"verdict": "reject", "reason": "slowly", "code": "rate-limited", "annotations": limits}
    asking = {"verdict": "ask", "reason": "may it?"}
    said = {
        "allow": {},
        "deny": {"before": NO},
        "rate_limited": {"before": limited},
        "require_approval": {"before": asking},
    }

    told = {word: (await agent.evaluate("judged", arguments)).json() for word, arguments in said.items()}
    dry = (await agent.evaluate("judged", said["deny"], dry_run=True)).json()

    assert list(said) == [each["decision"] for each in told.values()]
    assert {"remaining": 0} == told["rate_limited"]["limits"]
    approval = told["require_approval"]["approval"]
    assert {
        "id": approval["id"],
        "timeout_ms": 120_000,
        "resolve_path": f"/approval/{approval['id']}/resolve",
    } == approval
    assert ("dry_run", {"decision": "deny"}) == (dry["decision"], dry["dry_run"])


async def test_a_dry_run_is_closed_at_once(agent: Any) -> None:
    """Both records, and nothing to report."""
    told = (await agent.evaluate(dry_run=True)).json()

    assert [("run", None), ("withhold", "not_executed")] == await agent.outcomes(told["evaluation_id"])


async def test_rewritten_parameters_come_in_the_platforms_own_names(agent: Any) -> None:
    """`read` calls its file `path`; hooks call it `file_path`; the agent is told what to run instead."""
    given = {"path": "/etc/passwd", "before": {"verdict": "transform", "output": {"file_path": "/safe"}}}

    told = (await agent.evaluate("read", given)).json()

    assert ("allow", {"path": "/safe"}) == (told["decision"], told["arguments"])
    assert {"file_path": "/safe"} == (await agent.records(told["evaluation_id"]))[0]["final"]


async def test_parameters_that_break_the_schema_are_denied_with_the_place(agent: Any) -> None:
    """No error of the protocol: the agent's model can mend it."""
    told = (await agent.evaluate("strict", {"text": 5})).json()

    assert ("deny", "invalid-call") == (told["decision"], told["code"])
    assert ["$.parameters.text"] == [error["path"] for error in told["feedback"]["errors"]]


@pytest.mark.parametrize(
    ("body", "status", "error", "place"),
    [
        (b"{", 400, "invalid_request", "$"),
        (b'{"tool":{"name":"a"},"tool":{"name":"b"}}', 400, "invalid_request", "$.tool"),
        ({"tool": {"name": "a"}, "colour": 1}, 400, "invalid_request", "$.colour"),
        ({"tool": {"name": "a"}, "origin": "A B"}, 400, "invalid_request", "$.origin"),
        ({"tool": {"name": "a"}, "arguments": {"x": "y" * 65_536}}, 413, "too_large", "$.arguments"),
        ({"tool": {"name": "a"}, "metadata": {"x": "y" * 4_096}}, 413, "too_large", "$.metadata"),
        ({"tool": {"name": "a"}, "arguments": {"x": "y" * 1_048_576}}, 413, "too_large", None),
    ],
)
async def test_what_is_no_evaluation_is_told_with_its_place(
    agent: Any, body: Any, status: int, error: str, place: str | None
) -> None:
    """In the one shape that errors have."""
    reply = await agent.post("/evaluate", body)

    told = reply.json()
    assert (status, error) == (reply.status_code, told["error"])
    assert told["message"]
    assert place is None or place in [each["path"] for each in told["errors"]]


PATHS = ["/evaluate", "/audit", "/install-scan", "/approval/x/resolve"]


@pytest.mark.parametrize("path", [*PATHS, *(f"/v1{path}" for path in PATHS)])
async def test_every_request_wants_a_token_and_no_browser(agent: Any, operator: Any, path: str) -> None:
    """401 without one and for an unknown one; 403 where a browser asks, before anything is looked at."""
    replies = [
        await agent.post(path, b"{", headers={"Authorization": said}) for said in ("", "Bearer wrong", "Basic wrong")
    ]
    browsers = await agent.post(path, {}, headers={"Origin": "https://a.example", "Authorization": ""})
    with_token = await agent.post(path, {}, headers={"Origin": "null"})

    assert {(401, "unauthorized")} == {(reply.status_code, reply.json()["error"]) for reply in replies}
    assert {"Bearer"} == {reply.headers["WWW-Authenticate"] for reply in replies}
    assert [(403, "forbidden")] * 2 == [(each.status_code, each.json()["error"]) for each in (browsers, with_token)]
    scope = await operator.post(path, b"{")
    expected = (400, "invalid_request") if "approval" in path else (401, "unauthorized")
    assert expected == (scope.status_code, scope.json()["error"])


async def test_what_is_no_path_is_told_as_json(agent: Any) -> None:
    """404 and 405 like every other answer."""
    for method, path, status in (("POST", "/evaluated", 404), ("GET", "/evaluate", 405), ("GET", "/approval/x", 404)):
        reply = await agent.http.request(method, path)

        assert (status, "application/json") == (reply.status_code, reply.headers["content-type"])
        assert reply.json()


async def test_over_the_bus_it_is_the_same(agent: Any) -> None:
    """`gateway.evaluate.<client>` and what follows; the status stands in a header."""
    client = await agent.system.broker.connect("client-local")

    async def ask(verb: str, body: dict[str, Any]) -> tuple[str, Any]:
        reply = await client.request(f"gateway.{verb}.local", json.dumps(body).encode(), timeout=30)
        return reply.headers["Interpose-Status"], json.loads(reply.data)

    status, told = await ask("evaluate", {"tool": {"name": "plain"}})
    evaluation = told["evaluation_id"]
    reported = await ask("audit", {"evaluation_id": evaluation, "status": "success"})
    installed = await ask("install-scan", {"package": {"name": "x"}})
    question = await agent.asked()
    answered = await ask("approval", {"id": question, "resolution": "denied", "resolved_by": "ann"})

    assert ("200", "allow") == (status, told["decision"])
    assert ("201", True) == (reported[0], reported[1]["ok"])
    assert ("200", "allow") == (installed[0], installed[1]["decision"])
    assert ("200", "deny") == (answered[0], answered[1]["decision"])


async def test_a_client_without_the_scope_is_refused_over_the_bus(agent: Any) -> None:
    """401 in the header, and where the scope is added."""
    client = await agent.system.broker.connect("client-other")

    reply = await client.request("gateway.evaluate.other", b'{"tool":{"name":"plain"}}', timeout=30)

    assert ("401", "unauthorized") == (reply.headers["Interpose-Status"], json.loads(reply.data)["error"])


async def test_decisions_and_reports_are_counted(agent: Any) -> None:
    """By decision, and by what became of each report."""
    counted = [
        ("interpose_evaluations_total", {"decision": "allow"}),
        ("interpose_reports_total", {"ending": "recorded"}),
    ]
    before = [await agent.system.metric(name, **labels) for name, labels in counted]

    await agent.report(await agent.allowed("plain"))

    assert [count + 1 for count in before] == [await agent.system.metric(name, **labels) for name, labels in counted]


async def test_too_much_at_once_is_told_to_come_again(alone: Any, agent_of: Any, mark: str) -> None:
    """429 with Retry-After; what is under way is answered."""
    await alone.start_gateway(INTERPOSE_MOST_IN_FLIGHT="1")
    agent = agent_of(alone)
    under_way = asyncio.create_task(agent.evaluate("judged", {"mark": mark, "hold": "before"}))
    await alone.witness.sees("asked before", mark)

    busy = await agent.evaluate()
    alone.witness.release()

    assert (429, "too_many_calls", "1") == (busy.status_code, busy.json()["error"], busy.headers["Retry-After"])
    assert 200 == (await under_way).status_code


async def test_without_rules_or_broker_nothing_is_decided(alone: Any, agent_of: Any) -> None:
    """503 with Retry-After, and it works again when the broker is back."""
    await alone.start_gateway()
    agent = agent_of(alone)
    evaluation = await agent.allowed("plain")
    await alone.broker.stop()

    away = [await agent.evaluate("plain"), await agent.report(evaluation), await agent.resolve(evaluation)]
    install = await agent.post("/install-scan", {"package": {"name": "x"}})

    assert {(503, "governance_unavailable", "1")} == {
        (reply.status_code, reply.json()["error"], reply.headers["Retry-After"]) for reply in (*away, install)
    }
    await alone.broker.start()

    async def is_ready() -> bool:
        return (await alone.http.get("/readyz")).status_code == 200

    await alone.until(is_ready)
    assert 201 == (await agent.report(evaluation)).status_code

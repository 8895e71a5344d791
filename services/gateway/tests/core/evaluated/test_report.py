"""Reporting a call: judged once, recorded once, whoever else reports it too, and told the same again."""

from typing import Any

import orjson
import pytest
from opentelemetry.context import Context

from interpose.contracts.clients import ClientEntry
from interpose.contracts.digest import digest
from interpose.contracts.record import Runner
from interpose.contracts.words import Decision, Outcome, Phase
from interpose.telemetry import spans
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.ports import ClaimState, Ended
from interpose_gateway.core.ports import RecordImpossible

REJECT = {"verdict": "reject", "reason": "no", "code": "no-no"}


def output(**value: Any) -> dict[str, Any]:
    """A transform to this value."""
    return {"verdict": "transform", "output": value}


def body_of(evaluation: Any, status: str = "success", **more: Any) -> dict[str, Any]:
    """A report as it is sent."""
    return {"evaluation_id": evaluation.evaluation_id, "status": status} | more


async def test_a_report_ends_the_call(agents):
    """201, one after record that says what came of it, and a claim that says what ended it."""
    evaluation = await agents.evaluate()

    told = await agents.report(evaluation, result={"a": 1}, duration_ms=5.5)

    record, claim = agents.after(), agents.claims.claim(agents.call_id(evaluation))
    assert (201, True, record.record_id, "deliver") == (told.status, told.ok, told.audit_record_id, told.decision)
    assert (Outcome.SUCCESS, Runner.AGENT, {"a": 1}, None) == (
        record.outcome,
        record.runner,
        record.final,
        record.open_until,
    )
    assert digest(body_of(evaluation, result={"a": 1}, duration_ms=5.5)) == record.report_digest == claim.digest
    assert (ClaimState.FINISHED, Ended.REPORT, 2) == (claim.state, claim.ended, claim.sequence)
    assert ["recorded"] == agents.counts.reports
    assert (Phase.AFTER, "deliver") == agents.world.watch.decisions[-1]


async def test_after_hooks_judge_what_was_reported(agents, hook):
    """With the final parameters and the time that it took; what they make of it is in the answer."""
    agents.world.configure({"before:Bash": [hook("t", transform=True)], "after:Bash": [hook("a", transform=True)]})
    agents.hooks.does = {"t": output(command="ls -1"), "a": output(content="clean")}
    evaluation = await agents.evaluate("exec", {"command": "ls"})

    told = await agents.report(evaluation, result="dirty", duration_ms=12.5)

    ask = agents.hooks.asks[-1]
    assert ({"command": "ls -1"}, {"content": "dirty"}, "success", 12.5, True) == tuple(
        ask[name] for name in ("parameters", "response", "status", "duration_ms", "wrapped")
    )
    assert ("deliver", "clean") == (told.decision, told.result)
    assert ["a"] == [change.hook for change in agents.after().changes]


async def test_a_result_that_nobody_changed_is_not_sent_back(agents, hook):
    """Nor one that came back as it was."""
    agents.world.configure({"after:Bash": [hook("a", transform=True)]})
    agents.hooks.does = {"a": output(a=1)}

    assert "result" not in (await agents.report(await agents.evaluate(), result={"a": 1})).body


async def test_a_result_may_be_rewritten_to_nothing(agents, hook):
    """null is a result like any other."""
    agents.world.configure({"after:Bash": [hook("a", transform=True)]})
    agents.hooks.does = {"a": output(content=None)}

    told = await agents.report(await agents.evaluate(), result="dirty")

    assert (True, None) == ("result" in told.body, told.result)


async def test_a_withheld_result_stands_nowhere_in_the_answer(agents, hook):
    """Only why, and that the tool has run."""
    agents.world.configure({"after:Bash": [hook("t", transform=True), hook("a")]})
    agents.hooks.does = {"t": output(content="less secret"), "a": REJECT}

    told = await agents.report(await agents.evaluate(), result="secret")

    assert (201, "withhold", "no-no") == (told.status, told.decision, told.code)
    assert told.reason.startswith("no (the tool HAS run")
    assert b"secret" not in orjson.dumps(told.body)
    assert (Outcome.SUCCESS, Decision.WITHHOLD) == (agents.after().outcome, agents.after().decision)


@pytest.mark.parametrize(
    ("fields", "response"),
    [
        ({"error": "boom"}, {"error": "boom"}),
        ({"result": {"code": 7}}, {"code": 7}),
        ({"error": "boom", "result": [1]}, {"error": "boom", "result": [1]}),
        ({}, {"error": "the agent reports an error and does not say which"}),
    ],
)
async def test_an_error_is_judged_too(agents, hook, fields, response):
    """In the one shape that tools' errors have."""
    agents.world.configure({"after:Bash": [hook("a")]})

    told = await agents.report(await agents.evaluate(), "error", **fields)

    assert (201, "deliver", Outcome.ERROR) == (told.status, told.decision, agents.after().outcome)
    assert (response, "error") == (agents.hooks.asks[-1]["response"], agents.hooks.asks[-1]["status"])


async def test_a_rewritten_error_gives_back_what_the_tool_said(agents, hook):
    """The result beside the error, or the whole of it where there was none."""
    agents.world.configure({"after:Bash": [hook("a", transform=True)]})
    agents.hooks.does = {"a": lambda ask: output(**dict.fromkeys(ask["response"], "x"))}

    beside = await agents.report(await agents.evaluate(), "error", error="boom", result=[1])
    alone = await agents.report(await agents.evaluate(), "error", error="boom")

    assert ("x", {"error": "x"}) == (beside.result, alone.result)


async def test_what_did_not_run_is_closed_and_nobody_is_asked(agents, hook):
    """With the agent's own words, where it has some."""
    agents.world.configure({"after:*": [hook("a")]})

    told = await agents.report(await agents.evaluate(), "not_executed", error="the user stopped it")

    assert (201, "withhold", "not-executed", "the user stopped it") == (
        told.status,
        told.decision,
        told.code,
        told.reason,
    )
    assert Outcome.NOT_EXECUTED == agents.after().outcome
    assert [] == agents.hooks.asks


async def test_the_same_report_again_is_told_the_same(agents, hook):
    """200, from the record, whatever the order of its keys, by any gateway; hooks are not asked again."""
    agents.world.configure({"after:Bash": [hook("a", transform=True)]})
    agents.hooks.does = {"a": output(content="clean")}
    evaluation = await agents.evaluate(session_id="s")
    sent = body_of(evaluation, result="dirty", evidence=[{"evidence_key": "k", "evidence_data": 1}])

    first = await agents.send(sent)
    again = await agents.send(dict(reversed(sent.items())), agents.gateway("gateway-2"))

    assert (201, 200, True) == (first.status, again.status, again.already_finalized)
    assert first.body | {"already_finalized": True} == again.body
    assert 1 == len(agents.hooks.asks)
    assert ["recorded", "repeated"] == agents.counts.reports
    assert 2 == len(agents.ledger.records)


@pytest.mark.parametrize("changed", [{"result": {"a": 2}}, {"status": "error"}, {"shed": ["result"]}])
async def test_another_report_is_a_conflict(agents, changed):
    """The first one stands."""
    evaluation = await agents.evaluate()
    sent = body_of(evaluation, result={"a": 1})
    await agents.send(sent)

    told = await agents.send(sent | changed)

    assert (409, "evaluation_conflict") == (told.status, told.error)
    assert {"a": 1} == agents.after().final
    assert ["recorded", "evaluation_conflict"] == agents.counts.reports


async def test_what_was_refused_is_final(agents, hook):
    """200 with the before record, no second record; and an alarm where it ran all the same."""
    agents.world.configure({"before:Bash": [hook("b")]})
    agents.hooks.does = {"b": REJECT}
    evaluation = await agents.evaluate()

    honest, ran = await agents.report(evaluation, "not_executed"), await agents.report(evaluation, "success")

    for told in (honest, ran):
        assert (200, True, "evaluate", agents.before().record_id) == (
            told.status,
            told.already_finalized,
            told.finalized_by,
            told.audit_record_id,
        )
    assert ["ran-although-refused"] == agents.world.watch.alarms
    assert [Phase.BEFORE] == [record.phase for record in agents.ledger.records]
    assert ["final", "final"] == agents.counts.reports


async def test_a_dry_run_is_final_too(agents):
    """Whoever ran it was not allowed to."""
    told = await agents.report(await agents.evaluate(dry_run=True))

    assert (200, "evaluate") == (told.status, told.finalized_by)
    assert ["ran-although-refused"] == agents.world.watch.alarms


@pytest.mark.parametrize(
    "identifier",
    [
        "",
        "x",
        "{call_id}",
        "{call_id}.",
        "{call_id}.0",
        "{call_id}.01",
        "{call_id}.2",
        "{call_id}.1.1",
        "{call_id}.1 ",
        "{call_id}.1\n",
        "{call_id}.-1",
        "{call_id}.1e0",
        "{call_id}.٣",
        "{call_id}.99999999999999999999",
        "01900000-0000-7000-8000-000000000000.1",
        "{upper}.1",
    ],
)
async def test_what_nobody_evaluated_is_unknown(agents, identifier):
    """Whatever is wrong with its name: 404, or 400 for none at all."""
    evaluation = await agents.evaluate()
    call_id = agents.call_id(evaluation)

    told = await agents.report(identifier.format(call_id=call_id, upper=call_id.upper()))

    expected = (404, "evaluation_unknown") if identifier else (400, "invalid_request")
    assert expected == (told.status, told.error)
    assert [Phase.BEFORE] == [record.phase for record in agents.ledger.records]


async def test_a_call_of_another_client_is_unknown(agents):
    """The same answer as for none."""
    evaluation = await agents.evaluate()
    agents.caller = Caller("other", ClientEntry(token_sha256="1" * 64, scopes=["evaluate", "operate"]))

    assert (404, "evaluation_unknown") == ((told := await agents.report(evaluation)).status, told.error)


async def test_a_call_that_the_gateway_ran_is_unknown(agents):
    """Its records cannot be reported on."""
    answer = (await agents.world.call()).answer

    for place in (1, 2):
        assert 404 == (await agents.report(f"{answer.call_id}.{place}")).status


async def test_an_after_record_is_no_evaluation(agents):
    """Its place is none."""
    evaluation = await agents.evaluate()
    await agents.report(evaluation)

    assert 404 == (await agents.report(f"{agents.call_id(evaluation)}.2")).status


async def test_a_late_report_is_told_that_the_call_is_closed(agents):
    """404 from the moment on that the record says; up to it, it is taken."""
    late, just = await agents.evaluate(), await agents.evaluate()
    agents.clock.now_s += 600
    assert 201 == (await agents.report(just)).status
    agents.clock.now_s += 0.001

    told = await agents.report(late)

    assert (404, "evaluation_expired") == (told.status, told.error)
    assert 3 == len(agents.ledger.records)


async def test_a_repetition_is_known_although_the_time_is_over(agents):
    """As long as the claim is kept."""
    evaluation = await agents.evaluate()
    agents.clock.now_s += 599
    await agents.report(evaluation)
    agents.clock.now_s += 599

    assert (200, True) == ((told := await agents.report(evaluation)).status, told.already_finalized)


@pytest.mark.parametrize("state", list(ClaimState))
async def test_a_call_that_is_being_closed_has_expired(agents, state):
    """Whether its closing is under way or done."""
    evaluation = await agents.evaluate()
    agents.under_work(evaluation, "", state=state, ended="expiry", sequence=9)

    assert (404, "evaluation_expired") == ((told := await agents.report(evaluation)).status, told.error)


async def test_the_same_report_at_another_gateway_is_waited_for(agents):
    """Then it is told what that one came to."""
    evaluation = await agents.evaluate()
    sent = body_of(evaluation)
    await agents.send(sent)
    done = agents.claims.claim(agents.call_id(evaluation))
    agents.under_work(evaluation, digest(sent))
    agents.waits = lambda: agents.claims.put(agents.call_id(evaluation), done, 60)

    told = await agents.send(sent)

    assert (200, True, 0.2) == (told.status, told.already_finalized, agents.waited_s)


async def test_it_is_not_waited_for_without_end(agents):
    """503 and when to come again."""
    evaluation = await agents.evaluate()
    sent = body_of(evaluation)
    agents.under_work(evaluation, digest(sent))

    told = await agents.send(sent)

    assert (503, "governance_unavailable", 1) == (told.status, told.error, told.retry)
    assert 0 < agents.waited_s <= 10


async def test_another_report_does_not_wait(agents):
    """Whoever holds the claim is first."""
    evaluation = await agents.evaluate()
    agents.under_work(evaluation, "sha256:other")

    assert (409, 0) == ((await agents.report(evaluation)).status, agents.waited_s)


async def test_a_claim_whose_holder_died_is_taken_over(agents):
    """When its lease is over."""
    evaluation = await agents.evaluate()
    agents.under_work(evaluation, digest(body_of(evaluation)))
    agents.waits = lambda: agents.clock.pass_ms(60_000)

    assert 201 == (await agents.report(evaluation)).status


async def test_a_lease_has_room_for_the_whole_plan(agents, hook):
    """The worst case of the after hooks, evidence, the record; and never without end."""
    agents.world.configure({"after:Bash": [hook("a", timeout=60_000)]})
    await agents.report(await agents.evaluate())
    agents.world.configure({"after:Bash": [hook(f"a{n}", transform=True, timeout=600_000) for n in range(9)]})
    await agents.report(await agents.evaluate())

    assert [75, 540] == agents.claims.takes


async def test_nothing_is_written_when_the_lease_may_be_over(agents, hook, takes):
    """Somebody else may be ending the call by then."""
    agents.world.configure({"after:Bash": [hook("a", timeout=1000)]})
    agents.hooks.does = {"a": lambda _ask: agents.clock.pass_ms(15_100) or {"verdict": "allow"}}

    told = await agents.report(await agents.evaluate())

    assert (503, "governance_unavailable") == (told.status, told.error)
    assert [Phase.BEFORE] == [record.phase for record in agents.ledger.records]
    assert [] == agents.ledger.owed


async def test_a_record_that_is_not_confirmed_ends_nothing(agents):
    """503 and an alarm; nothing is owed, because whoever writes it holds the claim. The report comes again."""
    evaluation = await agents.evaluate()
    agents.ledger.impossible = {Phase.AFTER: RecordImpossible("no answer", maybe_stored=True)}

    told = await agents.report(evaluation)

    assert (503, "governance_unavailable", 1) == (told.status, told.error, told.retry)
    assert ["record-impossible"] == agents.world.watch.alarms
    assert [] == agents.ledger.owed
    agents.ledger.impossible = {}
    agents.clock.now_s += 60
    assert 201 == (await agents.report(evaluation)).status


async def test_a_gateway_that_died_behind_its_record_is_made_good(agents):
    """The record that stands is what ended the call: its report is told so, another one is a conflict."""
    evaluation = await agents.evaluate()
    await agents.report(evaluation, result=1)
    agents.claims.held.clear()
    agents.ledger.impossible = {Phase.AFTER: RecordImpossible("stands already", maybe_stored=False, stands_at=2)}

    again = await agents.report(evaluation, result=1)
    agents.claims.held.clear()
    other = await agents.report(evaluation, result=2)

    assert (200, True, agents.after().record_id) == (again.status, again.already_finalized, again.audit_record_id)
    assert (409, "evaluation_conflict") == (other.status, other.error)
    claim = agents.claims.claim(agents.call_id(evaluation))
    assert (ClaimState.FINISHED, 2, agents.after().report_digest) == (claim.state, claim.sequence, claim.digest)


async def test_a_record_whose_acknowledgement_was_lost_is_our_own(agents):
    """201: it was this very report that ended the call."""
    evaluation = await agents.evaluate()
    write = agents.ledger.write

    async def write_and_lose(record: Any, timeout_s: float) -> int:
        await write(record, timeout_s)
        raise RecordImpossible("stands already", maybe_stored=True, stands_at=len(agents.ledger.records))

    agents.ledger.write = write_and_lose

    assert 201 == (await agents.report(evaluation)).status


async def test_a_call_that_was_closed_behind_our_back_has_expired(agents):
    """By its record."""
    evaluation = await agents.evaluate()
    expired = agents.before().model_copy(update={"phase": Phase.AFTER, "outcome": Outcome.EXPIRED})
    agents.ledger.records.append(expired)
    agents.ledger.impossible = {Phase.AFTER: RecordImpossible("stands already", maybe_stored=False, stands_at=2)}

    assert (404, "evaluation_expired") == ((told := await agents.report(evaluation)).status, told.error)
    assert Ended.EXPIRY == agents.claims.claim(agents.call_id(evaluation)).ended


@pytest.mark.parametrize("stands_at", [1, 7])
async def test_a_record_that_cannot_be_found_is_no_end(agents, stands_at):
    """Another call's, or none: nothing can be told now."""
    evaluation = await agents.evaluate()
    agents.ledger.impossible = {Phase.AFTER: RecordImpossible("stands", maybe_stored=False, stands_at=stands_at)}

    assert (503, "governance_unavailable") == ((told := await agents.report(evaluation)).status, told.error)


@pytest.mark.parametrize("trouble", ["lost", "finish"])
async def test_a_recorded_report_is_taken_whatever_becomes_of_its_claim(agents, trouble):
    """The record is what counts."""
    evaluation = await agents.evaluate()
    agents.claims.lost = trouble == "lost"
    agents.claims.away = {trouble}

    assert 201 == (await agents.report(evaluation)).status


@pytest.mark.parametrize("away", ["take", "read", "stream", "registry"])
async def test_where_nothing_can_be_told_nothing_is(agents, away):
    """503, and no record."""
    evaluation = await agents.evaluate()
    if away == "read":
        agents.under_work(evaluation, "")
    agents.claims.away, agents.stream.away = {away}, away == "stream"
    if away == "registry":
        agents.world.rules.revision = None

    told = await agents.report(evaluation)

    assert (503, "governance_unavailable", 1) == (told.status, told.error, told.retry)
    assert [Phase.BEFORE] == [record.phase for record in agents.ledger.records]


async def test_the_rules_of_now_judge_the_report(agents, hook):
    """The gateway that takes it may have been started since: the after record names them."""
    evaluation = await agents.evaluate()
    agents.world.configure({"after:Bash": [hook("a")]}, number=8)
    agents.hooks.does = {"a": REJECT}

    told = await agents.report(evaluation)

    assert ("withhold", 7, 8) == (told.decision, agents.before().revision, agents.after().revision)


async def test_what_the_rules_of_now_cannot_read_is_withheld(agents, hook):
    """It ran all the same, so it is recorded; nobody can judge it."""
    agents.world.configure({"after:*": [hook("a")]})
    evaluation = await agents.evaluate("frob", {"path": "/a", "file_path": "/b"})
    aliased = {"frob": "read"}
    agents.world.configure({"after:*": [hook("a")]}, toolAliases=aliased)

    told = await agents.report(evaluation, result="secret")

    assert (201, "withhold", "invalid-call") == (told.status, told.decision, told.code)
    assert [] == agents.hooks.asks
    assert Outcome.SUCCESS == agents.after().outcome


async def test_after_hooks_meet_every_name_of_the_call(agents, hook):
    """Views and targets are read again from what ran."""
    agents.world.configure({"after:Write": [hook("a")]})
    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n"
    evaluation = await agents.evaluate("apply_patch", {"input": patch})

    await agents.report(evaluation)

    assert ["a"] == [ask["targets"][0]["path"] for ask in agents.hooks.asks]


async def test_shadows_look_on_at_reports(agents, hook):
    """Behind the agent's back, as at every call."""
    agents.world.configure({"after:Bash": [hook("s", mode="shadow")]})
    await agents.report(await agents.evaluate())
    await agents.world.shadows.drain(1)

    assert [Phase.AFTER] == [record.phase for record in agents.ledger.noted]


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"status": "maybe"}, ["$.status"]),
        ({"status": None}, ["$.status"]),
        ({"duration_ms": -1}, ["$.duration_ms"]),
        ({"duration_ms": "5"}, ["$.duration_ms"]),
        ({"evidence": [{"evidence_key": ""}]}, ["$.evidence[0].evidence_key", "$.evidence[0].evidence_data"]),
        ({"evidence": [{"evidence_key": "k", "evidence_data": 1, "ttl_seconds": 0}]}, ["$.evidence[0].ttl_seconds"]),
        ({"more": 1}, ["$.more"]),
    ],
)
async def test_what_is_no_report_is_told_with_its_places(agents, fields, places):
    """400, and the call stays open."""
    evaluation = await agents.evaluate()

    told = await agents.send(body_of(evaluation) | fields)

    assert (400, "invalid_request", places) == (told.status, told.error, told.places)
    assert [Phase.BEFORE] == [record.phase for record in agents.ledger.records]


async def test_bytes_that_are_no_report(agents):
    """No JSON is 400, too much of it 413."""
    for body, status in ((b"{", 400), (b"[]", 400), (b'{"evaluation_id":"' + b"x" * 1_048_576 + b'"}', 413)):
        assert status == (await agents.calls.report(agents.caller, body, Context())).status


async def test_a_report_is_below_its_evaluation_in_one_trace(agents, exported):
    """Whoever reports it under a trace of its own is linked."""
    evaluation = await agents.evaluate()
    other = {"traceparent": "00-" + "a" * 32 + "-" + "b" * 16 + "-01"}
    await agents.calls.report(agents.caller, orjson.dumps(body_of(evaluation)), spans.extract(other))

    by_name = {span.name: span for span in exported()}
    asked, reported = by_name["interpose.evaluate"], by_name["interpose.report"]
    assert asked.context.trace_id == reported.context.trace_id == int(agents.after().trace_id, 16)
    assert asked.context.span_id == reported.parent.span_id
    assert [int("a" * 32, 16)] == [link.context.trace_id for link in reported.links]

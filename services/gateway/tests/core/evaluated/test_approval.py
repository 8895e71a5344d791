"""A person's answer: the first one counts, in its time, for the parameters that were asked about and no others."""

from typing import Any

import orjson
import pytest
from opentelemetry.context import Context

from interpose.contracts.clients import ClientEntry
from interpose.contracts.evaluation import Resolution
from interpose.contracts.words import Decision, Outcome, Phase
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.ports import Answered
from interpose_gateway.core.ports import RecordImpossible

REJECT = {"verdict": "reject", "reason": "no", "code": "no-no"}
ASK = {"verdict": "ask", "reason": "sure?"}


def output(**value: Any) -> dict[str, Any]:
    """A transform to this value."""
    return {"verdict": "transform", "output": value}


@pytest.fixture
async def asked(agents, hook):
    """An evaluation about which a person is asked, for 120 seconds."""
    agents.world.configure({"before:Bash": [hook("b"), hook("c")]})
    agents.hooks.does = {"b": ASK}
    return await agents.evaluate()


async def test_a_yes_lets_the_call_run(agents, asked):
    """On record with who gave it, asked again under the rules of now; then its report is taken like any other."""
    told = await agents.resolve(asked, reason="go on", scope="always")

    (record,) = agents.stream.approvals
    assert (200, True, "allow") == (told.status, told.ok, told.decision)
    assert ("patrick", "go on", "always", Decision.RUN) == (
        record.resolved_by,
        record.said,
        record.scope,
        record.decision,
    )
    assert ("approved Bash: it may run", "patrick", "local") == (record.what, record.by, record.resolver)
    assert (agents.before().call_id, asked.evaluation_id, agents.before().final_digest) == (
        record.call_id,
        record.evaluation_id,
        record.final_digest,
    )
    assert [("b", "ask", "passed"), ("c", "allow", "passed")] == [
        (one.name, one.verdict, one.effect) for one in record.hooks[1:]
    ]
    assert ["approved"] == agents.counts.resolutions
    assert (201, Outcome.SUCCESS) == ((await agents.report(asked)).status, agents.after().outcome)


@pytest.mark.parametrize("resolution", ["denied", "timeout", "cancelled"])
async def test_any_other_answer_is_a_no(agents, asked, resolution):
    """Nobody is asked again; a report is told that it is final, with an alarm where the call ran all the same."""
    told = await agents.resolve(asked, resolution, reason="not today")

    assert (200, "deny", "approval-denied") == (told.status, told.decision, told.code)
    assert told.reason.endswith(": not today")
    assert 2 == len(agents.hooks.asks)
    assert (Decision.REFUSE, resolution) == (agents.stream.approvals[0].decision, agents.stream.approvals[0].resolution)
    reported = await agents.report(asked)
    assert (200, "approval", True) == (reported.status, reported.finalized_by, reported.already_finalized)
    assert agents.before().record_id == reported.audit_record_id
    assert ["ran-although-refused"] == agents.world.watch.alarms


@pytest.mark.parametrize("resolution", ["timeout", "cancelled"])
async def test_what_nobody_said_needs_nobodys_name(agents, asked, resolution):
    """The client that told it stands on the record."""
    assert 200 == (await agents.resolve(asked, resolution, resolved_by=None)).status
    assert (None, "local") == (agents.stream.approvals[0].resolved_by, agents.stream.approvals[0].by)


@pytest.mark.parametrize("resolution", ["approved", "denied"])
async def test_a_yes_or_a_no_names_who_gave_it(agents, asked, resolution):
    """400 with the place; the question stays open."""
    told = await agents.resolve(asked, resolution, resolved_by=None)

    assert (400, "invalid_request", ["$.resolved_by"]) == (told.status, told.error, told.places)
    assert [] == agents.stream.approvals


@pytest.mark.parametrize("fields", [{"resolution": "maybe"}, {"scope": "never"}, {"more": 1}, {"resolved_by": ""}])
async def test_what_is_no_answer_is_told_with_its_place(agents, asked, fields):
    """400."""
    told = await agents.resolve(asked, **{"resolution": "approved"} | fields)

    assert (400, [f"$.{next(iter(fields))}"]) == (told.status, told.places)


async def test_without_an_answer_a_report_waits_and_then_is_final(agents, asked):
    """409 while the person may still answer; afterwards the silence is a no, for good."""
    early = await agents.report(asked)
    agents.clock.now_s += 120.1

    late = await agents.report(asked, "not_executed")

    assert (409, "approval_unresolved", 1) == (early.status, early.error, early.retry)
    assert (200, "approval") == (late.status, late.finalized_by)
    assert Resolution.TIMEOUT == agents.approvals.of[agents.call_id(asked)].resolution
    assert (409, "already_resolved") == ((told := await agents.resolve(asked)).status, told.error)
    assert ["approval_unresolved", "final"] == agents.counts.reports


async def test_a_yes_that_came_at_the_last_moment_counts(agents, asked, monkeypatch):
    """Whoever is first at the answers."""
    agents.clock.now_s += 120.1
    yes = Answered(resolution=Resolution.APPROVED, by="gateway-2", runs=True)
    read, seen = agents.approvals.read, []

    async def read_late(call_id: str) -> Answered | None:
        found = await read(call_id)
        agents.approvals.of.setdefault(call_id, yes)
        seen.append(found)
        return found

    monkeypatch.setattr(agents.approvals, "read", read_late)

    assert (201, [None, yes]) == ((await agents.report(asked)).status, seen)


async def test_an_answer_that_comes_too_late_is_none(agents, asked):
    """409, and nothing on record."""
    agents.clock.now_s += 120.1

    assert (409, "already_resolved") == ((told := await agents.resolve(asked)).status, told.error)
    assert [] == agents.stream.approvals


async def test_the_same_answer_of_the_same_person_is_told_the_same(agents, asked):
    """Whatever else stands beside it; one record."""
    first = await agents.resolve(asked, reason="go on")

    again = await agents.resolve(asked)

    assert first.body == again.body
    assert (200, 1, ["approved"]) == (again.status, len(agents.stream.approvals), agents.counts.resolutions)


@pytest.mark.parametrize(("resolution", "who"), [("denied", "patrick"), ("approved", "ann"), ("cancelled", None)])
async def test_another_answer_comes_too_late(agents, asked, resolution, who):
    """The first one stands."""
    await agents.resolve(asked)

    told = await agents.resolve(asked, resolution, resolved_by=who)

    assert (409, "already_resolved") == (told.status, told.error)
    assert Resolution.APPROVED == agents.approvals.of[agents.call_id(asked)].resolution


async def test_a_yes_is_no_yes_to_what_refuses_by_now(agents, asked):
    """Planned again under the rules of that moment: another hook's no stands."""
    agents.hooks.does |= {"c": REJECT}

    told = await agents.resolve(asked)

    assert (200, "deny", "no-no") == (told.status, told.decision, told.code)
    assert "approved Bash: it may not run (no-no)" == agents.stream.approvals[0].what
    assert (200, "approval") == ((reported := await agents.report(asked)).status, reported.finalized_by)


async def test_a_yes_answers_only_those_who_had_asked(agents, asked):
    """Whoever asks only now was not asked about."""
    agents.hooks.does |= {"c": ASK}

    assert ("deny", "approval-required") == ((told := await agents.resolve(asked)).decision, told.code)


async def test_a_yes_binds_the_parameters_that_were_asked_about(agents, asked, hook):
    """Others that would run by now were not."""
    agents.world.configure({"before:Bash": [hook("t", transform=True), hook("b")]}, number=8)
    agents.hooks.does |= {"t": output(command="rm")}

    told = await agents.resolve(asked)

    assert ("deny", "approval-changed") == (told.decision, told.code)
    assert 8 == agents.stream.approvals[0].revision


async def test_a_yes_is_for_the_parameters_behind_the_question(agents, hook):
    """The chain went on behind it, so that the second plan comes to the same."""
    agents.world.configure({"before:Bash": [hook("b", transform=True), hook("t", transform=True)]})
    agents.hooks.does = {"b": ASK, "t": output(command="ls -1")}
    asked = await agents.evaluate()

    assert ("allow", {"command": "ls -1"}) == ((await agents.resolve(asked)).decision, asked.arguments)


async def test_a_yes_to_an_unknown_tool(agents, hook):
    """The configuration's own question has its yes; with a hook's question beside it, both have."""
    agents.world.configure({"before:*": [hook("b")]}, defaults={"unknownTool": "ask"})
    alone, early = await agents.evaluate("frobnicate"), await agents.evaluate("frobnicate")
    agents.hooks.does = {"b": ASK}
    both = await agents.evaluate("frobnicate")

    granted = await agents.resolve(both)
    uncovered = await agents.resolve(early)
    agents.hooks.does = {}
    plain = await agents.resolve(alone)

    assert ["allow", "deny", "allow"] == [told.decision for told in (granted, uncovered, plain)]
    assert "approval-required" == uncovered.code


async def test_a_tool_that_became_unknown_was_not_asked_about(agents, asked, hook):
    """A yes to a hook's question is none to the configuration's."""
    agents.world.configure({"before:Bash": [hook("b")]}, defaults={"unknownTool": "ask"})

    assert ("deny", "approval-required") == ((told := await agents.resolve(asked)).decision, told.code)


async def test_a_schema_of_now_counts(agents, asked):
    """What breaks it is denied, and nobody is asked."""
    agents.world.configure({}, tools={"Bash": {"inputSchema": {"type": "object", "maxProperties": 0}}})

    assert ("deny", "invalid-call") == ((told := await agents.resolve(asked)).decision, told.code)


async def test_what_cannot_be_read_by_now_is_denied(agents, hook):
    """Its arguments are told twice under another name."""
    agents.world.configure({"before:*": [hook("b")]})
    agents.hooks.does = {"b": ASK}
    asked = await agents.evaluate("frob", {"path": "/a", "file_path": "/b"})
    agents.world.configure({"before:*": [hook("b")]}, toolAliases={"frob": "read"})

    assert ("deny", "invalid-call") == ((told := await agents.resolve(asked)).decision, told.code)


async def test_what_cannot_be_decided_now_leaves_the_question_open(agents, asked):
    """503; the person's answer is taken when it comes again."""
    agents.hooks.does |= {"c": RuntimeError("broken")}
    broken = await agents.resolve(asked)
    agents.hooks.does |= {"c": {"verdict": "allow"}}

    assert (503, "governance_unavailable", 1) == (broken.status, broken.error, broken.retry)
    assert "allow" == (await agents.resolve(asked)).decision


async def test_an_answer_that_cannot_be_recorded_has_no_effect(agents, asked):
    """503 and an alarm."""
    agents.stream.impossible = RecordImpossible("the disk is full", maybe_stored=True)

    told = await agents.resolve(asked)

    assert (503, "governance_unavailable") == (told.status, told.error)
    assert ["record-impossible"] == agents.world.watch.alarms
    assert {} == agents.approvals.of


async def test_an_answer_that_is_only_on_record_comes_into_force_when_it_is_repeated(agents, asked):
    """A gateway died between the two: the record that stands is the answer, and nobody else's."""
    await agents.resolve(asked)
    agents.approvals.of.clear()

    other = await agents.resolve(asked, "denied")
    again = await agents.resolve(asked)

    assert (409, 200, "allow") == (other.status, again.status, again.decision)
    assert 1 == len(agents.stream.approvals)


async def test_two_answers_at_once_are_one(agents, asked, monkeypatch):
    """The second finds the first one's, whichever way."""
    yes = Answered(resolution=Resolution.APPROVED, resolved_by="ann", by="gateway-2", runs=True)

    async def first(call_id: str, _answered: Answered, _keep_s: float) -> bool:
        agents.approvals.of[call_id] = yes
        return False

    monkeypatch.setattr(agents.approvals, "answer", first)

    assert (409, "already_resolved") == ((told := await agents.resolve(asked, "denied")).status, told.error)


async def test_an_answer_outlives_the_time_of_its_call(agents, asked):
    """Whoever closes it asks for it."""
    await agents.resolve(asked)

    assert 600 < min(agents.approvals.kept_s)


@pytest.mark.parametrize("what", ["allowed", "refused", "dry run", "install", "nothing"])
async def test_where_nobody_was_asked_there_is_no_question(agents, hook, what):
    """404."""
    agents.world.configure({"before:Bash": [hook("b")], "before:install": [hook("i")]})
    agents.hooks.does = {"b": {"allowed": {"verdict": "allow"}, "dry run": ASK}.get(what, REJECT)}
    made = await (agents.install({"name": "x"}) if what == "install" else agents.evaluate(dry_run=what == "dry run"))

    told = await agents.resolve("x" if what == "nothing" else made)

    assert (404, "approval_unknown") == (told.status, told.error)


async def test_a_question_belongs_to_its_client_unless_one_operates(agents, asked):
    """Another client's token answers nothing; one with the scope `operate` answers everybody's."""
    agents.caller = Caller("other", ClientEntry(token_sha256="1" * 64, scopes=["evaluate", "call"]))
    refused = await agents.resolve(asked)
    agents.caller = Caller("console", ClientEntry(token_sha256="2" * 64, scopes=["operate"]))

    assert (404, "approval_unknown") == (refused.status, refused.error)
    assert (200, "console") == ((await agents.resolve(asked)).status, agents.stream.approvals[0].resolver)
    assert "local" == agents.stream.approvals[0].client


async def test_over_the_bus_the_body_says_which_question(agents, asked):
    """Beside the answer."""
    body = {"id": asked.evaluation_id, "resolution": "denied", "resolved_by": "ann"}

    told = agents.told(await agents.calls.resolve(agents.caller, None, orjson.dumps(body), Context()))
    without = agents.told(await agents.calls.resolve(agents.caller, None, b'{"resolution":"timeout"}', Context()))

    assert (200, "deny") == (told.status, told.decision)
    assert (400, ["$.id"]) == (without.status, without.places)


async def test_an_approved_call_that_nobody_reports_stays_open(agents, asked):
    """Until its own time is over."""
    await agents.resolve(asked)
    agents.clock.now_s += 600.1

    assert (404, "evaluation_expired") == ((told := await agents.report(asked)).status, told.error)
    assert [Phase.BEFORE] == [record.phase for record in agents.ledger.records]

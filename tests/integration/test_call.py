"""A governed call from end to end: gateway, hooks and tool are processes, the broker is real, the record is read."""

import asyncio
from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]


async def test_an_accepted_call_runs_with_exactly_what_was_judged(standing: Any, mark: str) -> None:
    """The hook, the tool and the record saw the same parameters, and the tool ran once."""
    sent = {"mark": mark, "text": "Grüße ✓", "deep": {"list": [1, 2.5, None, True, {"": 9007199254740991}]}}

    answer = (await standing.call("gated", sent)).json()

    [asked], [ran] = standing.witness.of("asked before", mark), standing.witness.of("ran", mark)
    before, _ = await standing.records(answer["call_id"])
    assert sent == asked.parameters
    assert sent == ran.parameters
    assert sent == answer["response"]["echo"]
    assert (sent, sent) == (before.body["original"], before.body["final"])


async def test_an_accepted_call_has_one_record_of_each_phase(standing: Any, mark: str) -> None:
    """Before says run, after says how it ended; both name the call, the hook and the worker."""
    reply = await standing.call("checked", {"mark": mark, "text": "short"})

    answer = reply.json()
    before, after = await standing.records(answer["call_id"])
    assert (200, "deliver", True) == (reply.status_code, answer["decision"], answer["ran"])
    assert ("tool.record.before.echo", f"{answer['call_id']}.before") == (before.subject, before.message_id)
    assert ("tool.record.after.echo", f"{answer['call_id']}.after") == (after.subject, after.message_id)
    assert ("run", None) == (before.body["decision"], before.body["outcome"])
    assert ("deliver", "success") == (after.body["decision"], after.body["outcome"])
    assert ["canonicalizer", "short-text"] == [each["name"] for each in before.body["hooks"]]
    assert {before.body["hooks"][1]["worker"]} <= {"validator-1", "validator-2"}


async def test_the_before_record_stands_before_the_tool_runs(standing: Any, mark: str) -> None:
    """While the tool runs the stream holds the before record, and the after record comes behind it."""
    call = standing.later("plain", {"mark": mark, "hold": "tool"})
    [running] = await standing.witness.sees("ran", mark)
    during = await standing.records(running.call_id)
    standing.witness.release()

    await call

    assert ["run"] == [each.body["decision"] for each in during]
    assert ["before", "after"] == [each.body["phase"] for each in await standing.records(running.call_id)]


async def test_a_refused_call_does_not_run_and_says_where_it_is_wrong(standing: Any, mark: str) -> None:
    """403 with the place, the limit and the given size; one record that says refuse; the tool heard nothing."""
    reply = await standing.call("checked", {"mark": mark, "text": "longer than ten"})

    answer = reply.json()
    [record] = await standing.records(answer["call_id"])
    assert (403, "refuse", False) == (reply.status_code, answer["decision"], answer["ran"])
    assert ["$.parameters.text"] == [error["path"] for error in answer["errors"]]
    assert ("short-text", "invalid") == (answer["decided_by"], answer["code"])
    assert ("before", "refuse", "short-text") == tuple(
        record.body[name] for name in ("phase", "decision", "decided_by")
    )
    assert "response" not in answer
    assert [] == standing.witness.of("ran", mark)


async def test_every_fault_is_told_at_once(standing: Any) -> None:
    """A call that is wrong in one place says so, and one without the field says what is missing."""
    answer = (await standing.call("checked", {"text": 5})).json()
    missing = (await standing.call("checked", {})).json()

    assert ["$.parameters.text"] == [error["path"] for error in answer["errors"]]
    assert "text" in missing["errors"][0]["message"] + missing["errors"][0]["path"]


async def test_the_workers_of_a_queue_group_share_the_asks(standing: Any) -> None:
    """Of many calls each is judged by exactly one of two workers, and both judge some."""
    replies = await asyncio.gather(*(standing.call("checked", {"text": str(number)}) for number in range(40)))

    judges = [[hook["worker"] for hook in reply.json()["hooks"][1:]] for reply in replies]
    assert {200} == {reply.status_code for reply in replies}
    assert {1} == {len(each) for each in judges}
    assert {"validator-1", "validator-2"} == {each[0] for each in judges}


async def test_a_withheld_response_says_that_the_tool_has_run(standing: Any, mark: str) -> None:
    """An after hook's no keeps the response back, with `ran: true` in the answer and the outcome on the record."""
    reply = await standing.call("sifted", {"mark": mark, "say": "reject"})

    answer = reply.json()
    before, after = await standing.records(answer["call_id"])
    assert (403, "withhold", True, True) == (
        reply.status_code,
        answer["decision"],
        answer["withheld"],
        answer["ran"],
    )
    assert "HAS run" in answer["reason"]
    assert "response" not in answer
    assert ("run", "withhold", "success") == (before.body["decision"], after.body["decision"], after.body["outcome"])
    assert 1 == len(standing.witness.of("ran", mark))


async def test_a_question_is_a_refusal_until_somebody_can_answer_it(standing: Any, mark: str) -> None:
    """`ask` refuses with the code approval-required and the hook's question as the reason."""
    reply = await standing.call("gated", {"mark": mark, "say": "ask"})

    answer = reply.json()
    assert (403, "approval-required", "may it?") == (reply.status_code, answer["code"], answer["reason"])
    assert [] == standing.witness.of("ran", mark)


async def test_a_dry_run_is_judged_and_recorded_and_does_not_run(standing: Any, mark: str) -> None:
    """The decision comes back, the record closes with not_executed, and the tool heard nothing."""
    reply = await standing.call("checked", {"mark": mark, "text": "short"}, dry_run=True)

    answer = reply.json()
    _, after = await standing.records(answer["call_id"])
    assert (200, "run", False) == (reply.status_code, answer["decision"], answer["ran"])
    assert "not_executed" == after.body["outcome"]
    assert [] == standing.witness.of("ran", mark)


async def test_nobody_without_a_token_is_heard(standing: Any, mark: str) -> None:
    """A missing and a wrong token are 401, whatever the body; nothing runs."""
    body = {"tool": "echo", "action": "plain", "parameters": {"mark": mark}}

    replies = [
        await standing.http.post("/v1/calls", json=body, headers={"Authorization": told})
        for told in ("", "Bearer", "Bearer wrong", "Basic bG9jYWw6", "Bearer " + "x" * 4000)
    ]

    assert [401] * 5 == [reply.status_code for reply in replies]
    assert {"Bearer"} == {reply.headers["WWW-Authenticate"] for reply in replies}
    assert [] == standing.witness.of("ran", mark)

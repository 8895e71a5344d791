"""Random policies on a real server with real workers, against a small sequential model of what should happen.

Every worker answers in a time of its own and each call is made several times at once, so that what is the same for
all of them does not depend on who was first.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from interpose.contracts.digest import digest

EXAMPLES = 120
AT_ONCE = 3
ANSWERED_MS, SILENT_MS = 20_000, 150
TOOLS = {
    "echo": {
        "executor": {"bus": {}},
        "actionFrom": "/verb",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}},
    }
}
FAILURES = {
    "garbled": "malformed_verdict",
    "hollow": "malformed_verdict",
    "foreign": "malformed_verdict",
    "raise": "hook_error",
    "silent": "deadline_exceeded",
    "absent": "no_responders",
}
EFFECTS = {"allow": "passed", "transform": "transformed", "reject": "stopped", "ask": "approval"}
MATCHING = ["*", "e*", "ec*", "echo", "echo.go"]
"""The keys that match `echo` with action `go`, in the order in which they are asked before."""
KEYS = [f"{phase}:{key}" for phase in ("before", "after") for key in [*MATCHING, "ECHO", "echo.stop", "other"]]
BAD_BEFORE = ({"a": "no integer"}, {"verb": "stop"})
"""Changes that a before hook may not make: they break the tool's schema, or change its action."""

Hook = dict[str, Any]
Policy = tuple[Hook, ...]
Value = dict[str, Any]
Told = list[tuple[str, str, str | None, str]]
"""Phase, hook, ending and effect of each hook, in the order of the plan."""


def hooks(name: str) -> st.SearchStrategy[Hook]:
    """One hook: where it is hung, what the operator wants of it, and what it will do."""
    made = st.fixed_dictionaries(
        {
            "name": st.just(name),
            "keys": st.lists(st.sampled_from(KEYS), min_size=1, max_size=2, unique=True),
            "failMode": st.sampled_from(["reject", "reject", "warn", "transform"]),
            "onFailure": st.sampled_from([None, None, "warn", "reject"]),
            "transform": st.booleans(),
            "say": st.sampled_from(["allow"] * 6 + ["transform"] * 5 + ["reject", "ask", *FAILURES]),
            "set": st.one_of(
                st.dictionaries(st.sampled_from("bcd"), st.integers(0, 3) | st.text(max_size=3), max_size=2),
                st.sampled_from([{"a": 7}, {"verb": "go"}, *BAD_BEFORE]),
            ),
        }
    )
    return made.filter(lambda hook: (hook["failMode"], hook["onFailure"]) != ("warn", "reject"))


POLICIES = st.integers(0, 6).flatmap(lambda count: st.tuples(*(hooks(f"h{number}") for number in range(count))))
PARAMETERS = st.fixed_dictionaries(
    {"verb": st.just("go"), "do": st.sampled_from(["echo", "list", "fail"])},
    optional={"a": st.integers(-3, 3), "b": st.text(max_size=3), "list": st.lists(st.floats(0, 1), max_size=2)},
)


def written(policy: Policy) -> dict[str, Any]:
    """The policy as the file that an operator would write."""
    listed: dict[str, list[dict[str, Any]]] = {}
    for hook in policy:
        for key in hook["keys"]:
            listed.setdefault(key, []).append(_written(hook))
    return {"hooks": listed, "tools": TOOLS}


def _written(hook: Hook) -> dict[str, Any]:
    return {
        "name": hook["name"],
        "service": "nobody" if hook["say"] == "absent" else "performer",
        "failMode": hook["failMode"],
        "timeout": SILENT_MS if hook["say"] == "silent" else ANSWERED_MS,
        "transform": hook["transform"],
        "with": {"say": hook["say"], "set": hook["set"]},
    } | ({} if hook["onFailure"] is None else {"onFailure": hook["onFailure"]})


@dataclass
class Expected:
    """What the caller should be told."""

    status: int
    decision: str
    decided_by: str | None
    ran: bool
    parameters: Value
    hooks: Told = field(default_factory=list)
    response: Any = None


def expect(policy: Policy, parameters: Value) -> Expected:
    """The model: one hook after another, nothing at once, by the sentences of DESIGN.md, sections 5 and 6."""
    value, told, decided_by = walk(policy, "before", parameters)
    if decided_by:
        return Expected(403, "refuse", decided_by, False, value, told)
    response = {"fail": {"error": "no such page"}, "list": [1, 2], "echo": {"echo": value}}[value["do"]]
    wrapped = response if isinstance(response, dict) else {"content": response}
    final, after, decided_by = walk(policy, "after", wrapped)
    if decided_by:
        return Expected(403, "withhold", decided_by, True, value, told + after)
    delivered = response if final == wrapped else final
    return Expected(502 if value["do"] == "fail" else 200, "deliver", None, True, value, told + after, delivered)


def walk(policy: Policy, phase: str, value: Value) -> tuple[Value, Told, str | None]:
    """One phase: the final value, what each hook did, and who stopped it."""
    planned, told = plan(policy, phase), []
    for hook in [hook for hook in planned if may_transform(hook)]:
        has_stopped = any(effect in ("stopped", "approval") for *_, effect in told)
        ending, effect = (None, "not_asked") if has_stopped else end(hook, phase)
        told.append((phase, hook["name"], ending, effect))
        value = value | hook["set"] if effect == "transformed" else value
    told += [(phase, hook["name"], *end(hook, phase)) for hook in planned if not may_transform(hook)]
    deciding = [name for wanted in ("stopped", "approval") for _, name, _, effect in told if effect == wanted]
    return value, told, deciding[0] if deciding else None


def plan(policy: Policy, phase: str) -> list[Hook]:
    """The hooks whose keys match, each once, at the place of the first of its keys."""
    rank = {f"{phase}:{key}": place for place, key in enumerate(MATCHING if phase == "before" else MATCHING[::-1])}
    keys = dict.fromkeys(key for hook in policy for key in hook["keys"])
    order = sorted((key for key in keys if key.lower() in rank), key=lambda key: rank[key.lower()])
    return list({hook["name"]: hook for key in order for hook in policy if key in hook["keys"]}.values())


def may_transform(hook: Hook) -> bool:
    """Whether it declares transform; failMode transform implies it."""
    return hook["transform"] or hook["failMode"] == "transform"


def end(hook: Hook, phase: str) -> tuple[str, str]:
    """How its ask ends, and what that does to the call."""
    say, is_advisory = hook["say"], hook["failMode"] == "warn"
    is_forbidden = not may_transform(hook) or (phase == "before" and hook["set"] in BAD_BEFORE)
    failure = "malformed_verdict" if say == "transform" and is_forbidden else FAILURES.get(say)
    if failure:
        return failure, "warned" if is_advisory or hook["onFailure"] == "warn" else "stopped"
    return say, "warned" if is_advisory and say in ("reject", "ask") else EFFECTS[say]


def assert_as_expected(expected: Expected, status: int, answer: dict[str, Any]) -> None:
    """Same decision, same bytes."""
    first, *planned = answer["hooks"]
    told = [(one["phase"], one["name"], one.get("verdict", one.get("failure")), one["effect"]) for one in planned]

    assert ("canonicalizer", "transformed") == (first["name"], first["effect"])
    assert expected.hooks == told
    assert (expected.status, expected.decision) == (status, answer["decision"])
    assert (expected.decided_by, expected.ran) == (answer["decided_by"], answer["ran"])
    assert orjson.dumps(expected.parameters) == orjson.dumps(answer["parameters"])
    assert ("response" in answer) == (expected.decision == "deliver")
    assert orjson.dumps(expected.response) == orjson.dumps(answer.get("response"))


def assert_authorised(policy: Policy, record: dict[str, Any], value: Value) -> None:
    """Each enforcing hook's own word is yes: the chain's link by link, the judging ones' for exactly this value."""
    told = {one["name"]: one for one in record["hooks"]}
    changes = {change["hook"]: change for change in record["changes"]}
    link = digest(record["original"])
    for hook in sorted(plan(policy, record["phase"]), key=may_transform, reverse=True):
        one, change = told[hook["name"]], changes.get(hook["name"])
        is_waived = hook["failMode"] == "warn" or (hook["onFailure"] == "warn" and one["failure"] is not None)
        saw = link if may_transform(hook) else digest(value)
        yes = {"hook": hook["name"], "call": record["call_id"], "saw": saw, "said": "transform" if change else "allow"}
        link = change["digest_after"] if change else link

        assert is_waived or yes == one["annotations"]

    assert (digest(value), value) == (link, record["final"])


@pytest.mark.server
@settings(
    max_examples=EXAMPLES,
    deadline=None,  # a silent hook takes its whole timeout
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],  # explaining would take hundreds of calls more
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # nothing in the system outlives an example
)
@given(policy=POLICIES, parameters=PARAMETERS)
async def test_every_policy_decides_as_the_model_and_runs_only_what_was_judged(system, policy, parameters) -> None:
    """Decision and bytes are the model's for any timing; what ran has each enforcing hook's yes and its records."""
    expected = expect(policy, parameters)
    event(f"{expected.decision}, {len(expected.hooks)} hooks")
    await system.apply(written(policy))

    replies = await asyncio.gather(*(system.call(parameters) for _ in range(AT_ONCE)))

    call_ids = [answer["call_id"] for _, answer in replies]
    stored, runs = await system.new_records(), system.runs_of(call_ids)
    records = {(each["call_id"], each["phase"]): each for each in stored}
    for status, answer in replies:
        assert_as_expected(expected, status, answer)
        assert ("run" if expected.ran else "refuse") == records[answer["call_id"], "before"]["decision"]
        if expected.decision == "deliver":
            after = records[answer["call_id"], "after"]
            assert_authorised(policy, after, after["final"])
    for call_id, ran in runs:
        assert_authorised(policy, records[call_id, "before"], ran)
    assert sorted(call_ids if expected.ran else []) == sorted(call_id for call_id, _ in runs)
    assert len(call_ids) * (2 if expected.ran else 1) == len(stored) == len(records)

"""Any hooks, keys, orders, verdicts, failures and delays: the decision is the sequential reference's, for any timing.

Real `Hook`s answer over the bus in memory, in virtual time, so that thousands of calls with seconds of delay each
take no longer than their arithmetic.
"""

import asyncio
import os
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from interpose import Ask, Hook, Verdict, allow, reject, require_approval, transform
from interpose.bus import replies, subjects
from interpose.bus.responder import Incoming, Outgoing
from interpose.contracts.reply import NoReply, Replied
from interpose.hook.worker import Endpoint
from interpose.testing import MemoryBus, run
from interpose_gateway.core.ports import Question

TIMEOUT_MS = 1000
NEVER_MS = 10 * TIMEOUT_MS
KEYS = ["*", "m*", "mess*", "message.*", "message.de*", "message", "message.send", "message.delete", "other"]
YES = ["allow", "allow", "transform", "transform"]
NO = ["reject", "ask"]
OUTSIDE = {
    "no_responders": replies.nobody_there(),
    "connection_lost": replies.connection_lost(),
    "not_permitted": replies.not_permitted(),
}
"""Failures that a bus reports, whoever would have answered."""


class LoopClock:
    """The running loop's own time."""

    def monotonic(self) -> float:
        """Virtual seconds."""
        return asyncio.get_running_loop().time()

    def wall_time(self) -> float:
        """A moment in 2026."""
        return 1_795_000_000.0 + self.monotonic()


@dataclass
class Line:
    """The asker: a bus in memory, delays that are the test's, and a list of who was shown what and said what."""

    bus: MemoryBus
    delays_ms: dict[str, float]
    broken: dict[str, NoReply]
    told: list[tuple[str, str, dict[str, Any], dict[str, Any] | None]] = field(default_factory=list)

    async def ask(self, question: Question) -> Replied | NoReply:
        """Delayed, asked, remembered in the order of the answers."""
        failure = self.broken.get(question.hook)
        if failure is None:
            subject = subjects.ask(question.phase, question.service)
            reply = await self.bus.request(subject, question.body, question.timeout_s)
        else:
            await asyncio.sleep(self.delays_ms[question.hook] / 1000)
            reply = failure
        ask = orjson.loads(question.body)
        shown = ask["parameters"] if question.phase == "before" else ask["response"]
        self.told.append((question.phase, question.hook, shown, _spoken(reply)))
        return reply


def _spoken(reply: Replied | NoReply) -> dict[str, Any] | None:
    if isinstance(reply, NoReply) or not reply.body.startswith(b"{"):
        return None
    return orjson.loads(reply.body)


@dataclass(frozen=True)
class Nonsense:
    """A service that answers what is no verdict, at its own time."""

    name: str
    delay_ms: float

    def endpoint(self) -> Endpoint:
        """Served like a hook."""
        return Endpoint("service", self.name, "1", subjects.asks(self.name), subjects.queue(self.name), self.answer)

    async def answer(self, _request: Incoming) -> Outgoing:
        """Half a verdict."""
        await asyncio.sleep(self.delay_ms / 1000)
        return Outgoing(b'"half a ver')


def serve(rule, reference, delay_ms: float):
    """A real hook that answers as its rule says, after a while."""
    if rule.answer == "malformed_verdict":
        return Nonsense(rule.name, delay_ms)
    hook = Hook(rule.name)

    async def judge(ask: Ask) -> Verdict:
        await asyncio.sleep((NEVER_MS if rule.answer == "deadline_exceeded" else delay_ms) / 1000)
        match rule.answer:
            case "allow":
                return allow()
            case "transform":
                shown = ask.parameters if ask.phase == "before" else ask.response
                return transform(reference.changed(shown, rule.name))
            case "reject":
                return reject("no")
            case "ask":
                return require_approval("sure?")
            case _:
                raise RuntimeError(rule.answer)

    hook.before("*")(judge)
    hook.after("*")(judge)
    return hook


@st.composite
def rulebooks(draw) -> list[dict[str, Any]]:
    """Some hooks, each under one or two keys, in the file's order."""
    names = draw(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=6, unique=True))
    rules = []
    for name in names:
        fail_mode = draw(st.sampled_from(["reject", "warn", "transform"]))
        hook = {
            "name": name,
            "fail_mode": fail_mode,
            "on_failure": draw(st.sampled_from([None, "warn"] if fail_mode == "warn" else [None, "warn", "reject"])),
            "transform": draw(st.booleans()),
            "answer": draw(st.sampled_from([*YES, *YES, *NO, *NO, *FAILURES])),
            "when": draw(st.sampled_from(["true", "true", "true", "false", "parameters.absent"])),
            "shadow": draw(st.sampled_from([False, False, False, True])),
        }
        keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=2, unique=True))
        rules += [hook | {"key": key, "phase": draw(st.sampled_from(["before", "after"]))} for key in keys]
    needs = {name: draw(_needs(name, names, rules)) for name in names}
    return [rule | {"needs": needs[rule["name"]]} for rule in draw(st.permutations(rules))]


def _needs(name, names, rules):
    """Some of the hooks drawn before it, so that nobody waits in a ring; whom it may wait for and ever meets."""
    hooks = {rule["name"]: rule for rule in rules}
    phases = {one: {rule["phase"] for rule in rules if rule["name"] == one} for one in names}
    own, may = hooks[name], []
    for other in names[: names.index(name)]:
        is_in_reach = _transforms(hooks[other]) or not _transforms(own)
        is_seen = own["shadow"] or not hooks[other]["shadow"]
        if is_in_reach and is_seen and phases[name] & phases[other]:
            may.append(other)
    return st.lists(st.sampled_from(may), max_size=2, unique=True).map(tuple) if may else st.just(())


def _transforms(hook) -> bool:
    return hook["transform"] or hook["fail_mode"] == "transform"


FAILURES = [*OUTSIDE, "deadline_exceeded", "malformed_verdict", "hook_error"]
delays = st.fixed_dictionaries({name: st.integers(0, TIMEOUT_MS - 1) for name in "abcdefg"})
thorough = settings(
    max_examples=1000 if os.environ.get("CI") else 60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def configuration(rules) -> dict[str, list[dict[str, Any]]]:
    """The rules as a file has them: keys in the order of their first rule."""
    hooks: dict[str, list[dict[str, Any]]] = {}
    for rule in rules:
        hook = {"name": rule.name, "service": rule.name, "failMode": rule.fail_mode, "timeout": TIMEOUT_MS}
        told = {} if rule.on_failure is None else {"onFailure": rule.on_failure}
        turn = {"when": rule.when, "needs": list(rule.needs), "mode": "shadow" if rule.shadow else "enforce"}
        hooks.setdefault(f"{rule.phase}:{rule.key}", []).append(hook | told | turn | {"transform": rule.transform})
    return hooks


@dataclass
class Play:
    """One call and everything that came of it."""

    reply: Any
    world: Any
    line: Line


async def play(worlds, reference, rules, action, delays_ms) -> Play:
    """Let every rule's hook answer after its delay."""
    bus = MemoryBus()
    for rule in {rule.name: rule for rule in rules}.values():
        bus.attach(serve(rule, reference, delays_ms[rule.name]))
    line = Line(bus, delays_ms, {rule.name: OUTSIDE[rule.answer] for rule in rules if rule.answer in OUTSIDE})
    world = worlds(line, LoopClock())
    world.configure(configuration(rules))
    parameters = {"text": "hi"} if action is None else {"text": "hi", "action": action}
    reply = await world.call("message", parameters)
    assert 0 == await world.shadows.drain(NEVER_MS)
    return Play(reply, world, line)


def in_file_order(drawn, reference) -> list[Any]:
    """Rules as the file says them: all of one key stand together."""
    rules = [reference.Rule(**rule) for rule in drawn]
    keys = list(dict.fromkeys((rule.phase, rule.key) for rule in rules))
    return sorted(rules, key=lambda rule: keys.index((rule.phase, rule.key)))


@pytest.fixture(scope="session")
def same_for(worlds, reference):
    """`same_for(drawn, action, delays)`: the rules, and the call played with these delays."""

    def make(drawn, action, delays_ms):
        rules = in_file_order(drawn, reference)
        return rules, run(play(worlds, reference, rules, action, delays_ms))

    return make


actions = st.sampled_from([None, "send", "delete"])


@thorough
@given(rulebooks(), actions, delays)
def test_the_decision_is_the_references(same_for, reference, drawn, action, delays_ms):
    """Effects in plan order, who decided, with which code, the parameters that ran, the response that was delivered."""
    rules, played = same_for(drawn, action, delays_ms)
    parameters = {"text": "hi"} if action is None else {"text": "hi", "action": action}
    before = reference.judge(rules, "before", "message", action, parameters)
    after = reference.judge(rules, "after", "message", action, {"done": True})
    answer, hooks = played.reply.answer, played.reply.answer.hooks
    event(f"{answer.decision}, {len(hooks)} hooks")

    assert before.effects == [(one.name, one.effect) for one in hooks[1:] if one.phase == "before"]
    assert before.value == answer.parameters
    assert before.shadows == _shadows(played, "before")
    assert before.shown == _shown(played, "before")
    if before.stopped_by is not None:
        assert (403, "refuse", *before.stopped_by) == _ends(played.reply)
        assert [] == played.world.tools.runs
        return
    assert [before.value] == [one.parameters for one in played.world.tools.runs]
    assert after.effects == [(one.name, one.effect) for one in hooks if one.phase == "after"]
    assert after.shadows == _shadows(played, "after")
    assert after.shown == _shown(played, "after")
    if after.stopped_by is not None:
        assert (403, "withhold", *after.stopped_by) == _ends(played.reply)
        assert "response" not in answer.model_fields_set
    else:
        assert (200, "deliver", None, None) == _ends(played.reply)
        assert after.value == answer.response


def _shadows(played, phase) -> list[tuple[str, str]]:
    """What shadows would have done in this phase."""
    return [(hook.name, hook.effect) for one in played.world.ledger.noted if one.phase == phase for hook in one.hooks]


def _shown(played, phase) -> dict[str, Any]:
    """What each hook of this phase was asked about; nobody is asked twice."""
    told = [(hook, shown) for asked_in, hook, shown, _ in played.line.told if asked_in == phase]
    assert len(told) == len(dict(told))
    return dict(told)


def _ends(reply) -> tuple:
    return reply.status, reply.answer.decision, reply.answer.decided_by, reply.answer.code


@thorough
@given(rulebooks(), actions, delays, delays)
def test_timing_changes_nothing(same_for, drawn, action, some, other):
    """The same call under the same rules: the same answer, the same records, the same bytes to every hook and tool."""
    first, second = same_for(drawn, action, some)[1], same_for(drawn, action, other)[1]

    assert _told(first) == _told(second)
    assert [one.parameters for one in first.world.tools.runs] == [one.parameters for one in second.world.tools.runs]
    assert _timeless(first.reply.answer.to_wire()) == _timeless(second.reply.answer.to_wire())
    assert [_timeless(record.to_wire()) for record in first.world.ledger.records] == [
        _timeless(record.to_wire()) for record in second.world.ledger.records
    ]


def _told(played: Play) -> list[str]:
    return sorted(f"{phase} {hook} {orjson.dumps(shown)!r}" for phase, hook, shown, _ in played.line.told)


def _timeless(wire: dict[str, Any]) -> bytes:
    """As bytes, without what is another one for every call."""
    own = ("call_id", "record_id", "at", "trace_id", "span_id")
    hooks = [{key: value for key, value in hook.items() if key not in ("ms", "span_id")} for hook in wire["hooks"]]
    return orjson.dumps({key: value for key, value in wire.items() if key not in own} | {"hooks": hooks})


@thorough
@given(rulebooks(), actions, delays)
def test_nothing_passes_without_every_yes(same_for, reference, drawn, action, delays_ms):
    """What ran, and what was delivered, every matching enforcing hook has said yes to, to exactly those bytes."""
    rules, played = same_for(drawn, action, delays_ms)
    told = played.line.told
    for one in played.world.tools.runs:
        start = {"text": "hi"} if action is None else {"text": "hi", "action": action}
        _check_yes(reference, rules, "before", action, told, start, one.parameters)
    if "response" in played.reply.answer.model_fields_set:
        _check_yes(reference, rules, "after", action, told, {"done": True}, played.reply.answer.response)


def _check_yes(reference, rules, phase, action, told, start, final) -> None:
    matching = [
        rule for rule in rules if rule.phase == phase and reference.specificity(rule.key, "message", action) is not None
    ]
    chain = {rule.name for rule in matching if rule.transforms and not rule.shadow}
    heard = [(hook, shown, said) for asked_in, hook, shown, said in told if asked_in == phase]
    value = start
    for hook, shown, said in heard:
        if hook in chain:
            assert value == shown
            value = said["output"] if said is not None and said["verdict"] == "transform" else value
    assert value == final
    for rule in (rule for rule in matching if rule.enforces):
        ((shown, said),) = [(shown, said) for hook, shown, said in heard if hook == rule.name]
        assert said is not None
        assert said["verdict"] in (("allow", "transform") if rule.transforms else ("allow",))
        assert rule.transforms or shown == final


@thorough
@given(rulebooks(), actions, delays, st.data())
def test_one_no_of_an_enforcing_hook_is_enough(same_for, reference, drawn, action, delays_ms, data):
    """However many others say yes: with every other hook allowing, each way to say no stops the call."""
    before = [rule for rule in drawn if rule["phase"] == "before"]
    matching = [rule for rule in before if reference.specificity(rule["key"], "message", action) is not None]
    if not matching:
        return
    chosen = data.draw(st.sampled_from(sorted({rule["name"] for rule in matching})))
    no = data.draw(st.sampled_from(["reject", "ask", *FAILURES]))
    stubborn = {
        "when": "true",
        "shadow": False,
        "fail_mode": data.draw(st.sampled_from(["reject", "transform"])),
        "on_failure": None,
        "answer": no,
    }
    rulebook = [rule | {"needs": ()} | (stubborn if rule["name"] == chosen else {"answer": "allow"}) for rule in drawn]

    _, played = same_for(rulebook, action, delays_ms)

    assert [] == played.world.tools.runs
    assert chosen == played.reply.answer.decided_by

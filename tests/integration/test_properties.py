"""Random policies on a real server with real workers, against a small sequential model of what should happen.

The gateway's core runs in the test's process over its real adapters; hooks and the tool are processes of their own,
several of each, and answer in times of their own. Each example is called several times at once.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from interpose_gateway.adapters.asking import BusAsker
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.adapters.clock import SystemClock
from interpose_gateway.adapters.door import Door
from interpose_gateway.adapters.executing import BusExecutor
from interpose_gateway.adapters.metrics import Metrics
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.adapters.registry_file import FileRegistry
from interpose_gateway.core.journey import Gateway
from interpose_gateway.core.judge import Judge
from interpose_gateway.core.records import RecordMaker
from interpose_gateway.core.travel import Stations
from opentelemetry.context import Context

from interpose.bus import connection, subjects
from interpose.bus.asker import Asker
from interpose.bus.settings import BusSettings
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
MATCHING = {
    "before": ["*", "e*", "ec*", "echo", "ECHO", "echo.go"],
    "after": ["echo.go", "echo", "ECHO", "ec*", "e*", "*"],
}
"""The keys that match `echo` with action `go`, in the order in which they are asked; the two spellings are one key."""
KEYS = [f"{phase}:{key}" for phase, keys in MATCHING.items() for key in [*keys, "echo.stop", "other"]]
BAD_BEFORE = ({"a": "no integer"}, {"verb": "stop"})
"""Changes that a before hook may not make: they break the tool's schema, or change its action."""


# --- examples -------------------------------------------------------------------------------------------------------


def hooks(name: str) -> st.SearchStrategy[dict[str, Any]]:
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


def configuration(policy: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """The policy as the file that an operator would write."""
    listed: dict[str, list[dict[str, Any]]] = {}
    for hook in policy:
        for key in hook["keys"]:
            listed.setdefault(key, []).append(_written(hook))
    return {"hooks": listed, "tools": TOOLS}


def _written(hook: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": hook["name"],
        "service": "nobody" if hook["say"] == "absent" else "performer",
        "failMode": hook["failMode"],
        "timeout": SILENT_MS if hook["say"] == "silent" else ANSWERED_MS,
        "transform": hook["transform"],
        "with": {"say": hook["say"], "set": hook["set"]},
    } | ({} if hook["onFailure"] is None else {"onFailure": hook["onFailure"]})


# --- the model: one hook after another, nothing at once ---------------------------------------------------------------


@dataclass
class Expected:
    """What the caller and the record should be told of one call."""

    status: int
    decision: str
    decided_by: str | None
    ran: bool
    parameters: dict[str, Any]
    hooks: list[tuple[str, str, str | None, str]] = field(default_factory=list)
    response: Any = None


def expect(policy: tuple[dict[str, Any], ...], parameters: dict[str, Any]) -> Expected:
    """The whole call, by the sentences of DESIGN.md, sections 5 and 6."""
    value, told, decided_by = walk(policy, "before", parameters)
    if decided_by:
        return Expected(403, "refuse", decided_by, False, value, told)
    response, status = answer_of_the_tool(value)
    wrapped = response if isinstance(response, dict) else {"content": response}
    final, after, decided_by = walk(policy, "after", wrapped)
    if decided_by:
        return Expected(403, "withhold", decided_by, True, value, told + after)
    delivered = final["content"] if final == wrapped and wrapped is not response else final
    return Expected(status, "deliver", None, True, value, told + after, delivered)


def walk(
    policy: tuple[dict[str, Any], ...], phase: str, value: dict[str, Any]
) -> tuple[dict[str, Any], list[tuple[str, str, str | None, str]], str | None]:
    """One phase: the final value, what each hook did, and who stopped it."""
    planned = plan(policy, phase)
    chain = [hook for hook in planned if may_transform(hook)]
    judging = [hook for hook in planned if not may_transform(hook)]
    told: list[tuple[str, str, str | None, str]] = []
    for hook in chain:
        if any(effect in ("stopped", "approval") for *_, effect in told):
            told.append((phase, hook["name"], None, "not_asked"))
            continue
        ending, effect = end(hook, phase)
        told.append((phase, hook["name"], ending, effect))
        value = value | hook["set"] if effect == "transformed" else value
    told += [(phase, hook["name"], *end(hook, phase)) for hook in judging]
    deciding = [name for wanted in ("stopped", "approval") for _, name, _, effect in told if effect == wanted]
    return value, told, deciding[0] if deciding else None


def plan(policy: tuple[dict[str, Any], ...], phase: str) -> list[dict[str, Any]]:
    """The hooks whose keys match, each once, at the place of the first of its keys."""
    written = list(dict.fromkeys(key for hook in policy for key in hook["keys"]))
    order = sorted(
        (key for key in written if key.startswith(f"{phase}:") and key.partition(":")[2] in MATCHING[phase]),
        key=lambda key: MATCHING[phase].index(key.partition(":")[2].replace("ECHO", "echo")),
    )
    return list({hook["name"]: hook for key in order for hook in policy if key in hook["keys"]}.values())


def may_transform(hook: dict[str, Any]) -> bool:
    """Whether it declares transform; failMode transform implies it."""
    return hook["transform"] or hook["failMode"] == "transform"


def end(hook: dict[str, Any], phase: str) -> tuple[str, str]:
    """How its ask ends, and what that does to the call."""
    say, is_advisory = hook["say"], hook["failMode"] == "warn"
    forbidden = not may_transform(hook) or (phase == "before" and hook["set"] in BAD_BEFORE)
    failure = "malformed_verdict" if say == "transform" and forbidden else FAILURES.get(say)
    if failure:
        return failure, "warned" if is_advisory or hook["onFailure"] == "warn" else "stopped"
    effects = {"allow": "passed", "transform": "transformed", "reject": "stopped", "ask": "approval"}
    return say, "warned" if is_advisory and say in ("reject", "ask") else effects[say]


def answer_of_the_tool(parameters: dict[str, Any]) -> tuple[Any, int]:
    """What programs/echo.py answers, and the status of a delivered answer."""
    match parameters["do"]:
        case "fail":
            return {"error": "no such page"}, 502
        case "list":
            return [1, 2], 200
        case _:
            return {"echo": parameters}, 200


# --- the system -------------------------------------------------------------------------------------------------------


@dataclass
class System:
    """The gateway of this process, and what the others' processes and the stream tell."""

    governed: Any
    registry: FileRegistry
    door: Door
    caller: Any
    seen_records: int = 0

    def apply(self, policy: tuple[dict[str, Any], ...]) -> None:
        """Put the policy into force by its file, and look at it at once."""
        self.governed.configure(configuration(policy))
        self.registry.look()

    async def call(self, parameters: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """One call: status and answer as they leave the gateway."""
        body = orjson.dumps({"tool": "echo", "parameters": parameters})
        reply = await self.door.call(self.caller, body, Context())
        return reply.status, orjson.loads(orjson.dumps(reply.answer.to_wire()))

    async def new_records(self) -> list[dict[str, Any]]:
        """The records that the stream got since the last time, in its order."""
        streams = self.governed.operator.jetstream()
        first, self.seen_records = self.seen_records + 1, (await streams.stream_info("TOOL_CALLS")).state.last_seq
        return [
            orjson.loads((await streams.get_msg("TOOL_CALLS", sequence)).data)
            for sequence in range(first, self.seen_records + 1)
        ]


@pytest.fixture
async def system(governed: Any) -> AsyncIterator[System]:
    """Three workers of one service and two of the tool, each a process, and the gateway's core in this one."""
    await governed.broker.add_service("performer")
    workers = [governed.start_hook("performer", f"performer-{number}") for number in range(3)]
    tools = [governed.start_tool(f"echo-{number}") for number in range(2)]
    await asyncio.gather(*workers, *tools)
    listeners, inbox = connection.Listeners(), f"{subjects.GATEWAY_INBOX}.properties"
    bus = BusSettings(nats_url=governed.broker.url, nats_seed=governed.broker.seed("gateway"))
    client = await connection.connect(bus, name="properties", inbox_prefix=inbox, listeners=listeners)
    asker, clock, metrics = Asker(client, f"{inbox}.asks"), SystemClock(), Metrics()
    await asker.start(listeners)
    stations = Stations(
        judge=Judge(BusAsker(asker), clock, metrics),
        recorder=StreamRecorder(asker),
        records=RecordMaker("properties", clock),
        executor=BusExecutor(asker),
        clock=clock,
        observer=metrics,
    )
    registry = FileRegistry(governed.config, pytest.fail)
    caller = ClientsFile(governed.broker.home.clients).by_subject_token("local")
    yield System(governed, registry, Door(Gateway(registry, stations, clock), metrics, 100), caller)
    await client.close()


# --- the properties ---------------------------------------------------------------------------------------------------


def assert_as_expected(expected: Expected, status: int, answer: dict[str, Any]) -> None:
    """Same decision, same bytes."""
    told = [(one["phase"], one["name"], _ending(one), one["effect"]) for one in answer["hooks"]]

    assert expected.hooks == told
    assert (expected.status, expected.decision) == (status, answer["decision"])
    assert (expected.decided_by, expected.ran) == (answer["decided_by"], answer["ran"])
    assert orjson.dumps(expected.parameters) == orjson.dumps(answer["parameters"])
    assert orjson.dumps(expected.response) == orjson.dumps(answer.get("response"))
    assert ("response" in answer) == (expected.decision == "deliver")


def _ending(one: dict[str, Any]) -> str | None:
    return one.get("verdict") or one.get("failure")


def assert_authorised(policy: tuple[dict[str, Any], ...], ran: dict[str, Any], record: dict[str, Any]) -> None:
    """Each enforcing hook that was to be asked said yes: the chain link by link, the judging ones to what ran."""
    hooks = {hook["name"]: hook for hook in policy}
    yes = {one["name"]: one["annotations"] for one in record["hooks"] if one["effect"] in ("passed", "transformed")}
    link = digest(record["original"])
    changes = {change["hook"]: change for change in record["changes"]}
    for hook in plan(policy, "before"):
        is_enforcing = hook["failMode"] != "warn" and not (hook["onFailure"] == "warn" and hook["say"] in FAILURES)
    raise NotImplementedError(hooks, yes, link, changes, is_enforcing, ran)

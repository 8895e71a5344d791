"""The registry of a running gateway: none, garbage, deleted, mended, emptied, changed in mid-call."""

import json
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest
import pytest_asyncio

from interpose.bus import presence, subjects
from interpose.embedded import stream
from interpose.errors import RegistryConflict
from interpose.registry.changes import now
from interpose.registry.presence import wait_for_gateways
from interpose.registry.store import Store

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

OPEN: dict[str, Any] = {"hooks": {}, "tools": {"echo": {"executor": {"bus": {}}}}}
CLOSED: dict[str, Any] = OPEN | {"hooks": {"before:*": [{"name": "unattended", "service": "nobody"}]}}
BARE = {
    "schema": "interpose.registry/1",
    "entries": [],
    "applied": {"at": "2026-01-01T00:00:00Z", "by": "x", "what": "x"},
}
ENTRY = {"key": "before:echo", "owner": "file", "source": "x"}
GARBAGE = {
    "nothing": b"",
    "no JSON": b'{"entries": [',
    "no UTF-8": b"\xff\xfe",
    "no document": b"{}",
    "another schema": json.dumps(BARE | {"schema": "interpose.registry/2"}).encode(),
    "an unknown field": json.dumps(BARE | {"hooks": {}}).encode(),
    "a key that is none": json.dumps(
        BARE | {"entries": [ENTRY | {"key": "befor:echo", "hook": {"name": "a", "service": "b"}}]}
    ).encode(),
    "an unknown fail mode": json.dumps(
        BARE | {"entries": [ENTRY | {"hook": {"name": "a", "service": "b", "failMode": "close"}}]}
    ).encode(),
    "what this version does not do": json.dumps(BARE | {"registration": "signed"}).encode(),
    "a schema that is none": json.dumps(BARE | {"tools": {"echo": {"inputSchema": {"type": "strange"}}}}).encode(),
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def ruled(open_governed: Any) -> AsyncIterator[Any]:
    """A gateway and a tool on a broker of their own, whose registry these tests change."""
    async with open_governed() as opened:
        await opened.configure(OPEN)
        await opened.start_tool("echo-1")
        await opened.start_gateway("gateway-1")
        yield opened


async def state(system: Any) -> dict[str, Any]:
    """What `/readyz` says."""
    told: dict[str, Any] = (await system.http.get("/readyz")).json()
    return told


async def apply(system: Any, configuration: dict[str, Any]) -> int:
    """Put a configuration in force, never the same twice, and return its revision when the gateway has it."""
    number = (await Store(system.operator).read()).revision
    never_called = f"tool-{number + 1}"
    revision = await system.configure(configuration | {"tools": configuration["tools"] | {never_called: {}}})

    async def is_in_force() -> bool:
        return bool(revision == (await state(system))["revision"])

    await system.until(is_in_force)
    return int(revision)


async def alarms(system: Any) -> float:
    """How many unusable registries the gateway has met."""
    return float(await system.metric("interpose_alarms_total", kind="registry-unusable"))


async def until_refused(system: Any, before: float) -> None:
    """Return when the gateway has met one more."""

    async def is_refused() -> bool:
        return before + 1 == await alarms(system)

    await system.until(is_refused)


async def test_without_a_registry_every_call_is_refused(open_governed: Any, mark: str) -> None:
    """503 with the reason, nothing recorded, nothing run, not ready; the first good document opens the door."""
    async with open_governed() as bare:
        await bare.operator.jetstream().delete_stream(subjects.REGISTRY_STREAM)
        await bare.start_tool("echo-1")
        gateway = await bare.start_gateway("gateway-1", until="/healthz")
        without_bucket = await bare.call("plain", {"mark": mark})
        await stream.ensure(bare.operator)
        await bare.until(lambda: says(bare, "nothing was ever put in force"))

        reply = await bare.call("plain", {"mark": mark})
        ready = await bare.http.get("/readyz")
        records = await bare.records()
        await apply(bare, OPEN)
        opened = await bare.call("plain", {"mark": mark})

    answer = reply.json()
    assert (503, "no-registry", "refuse", False) == (
        reply.status_code,
        answer["code"],
        answer["decision"],
        answer["ran"],
    )
    assert "there is no bucket HOOKS" in without_bucket.json()["reason"]
    assert "interpose hooks apply" in answer["reason"]
    assert "1" == reply.headers["Retry-After"]
    assert (503, False, None) == (ready.status_code, ready.json()["ready"], ready.json()["revision"])
    assert [] == records
    assert [opened.json()["call_id"]] == [each.call_id for each in bare.witness.of("ran", mark)]
    assert "Traceback" not in gateway.log


async def says(system: Any, words: str) -> bool:
    """Whether the gateway's trouble has these words."""
    return words in " ".join((await state(system))["trouble"])


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE.keys())
async def test_garbage_leaves_the_last_good_one_in_force(ruled: Any, mark: str, data: bytes) -> None:
    """It is logged and alarmed with the remedy, the gateway stays ready, and its predecessor's rules still refuse."""
    revision, before = await apply(ruled, CLOSED), await alarms(ruled)

    await ruled.scribble(data)
    await until_refused(ruled, before)
    reply = await ruled.call("plain", {"mark": mark})

    told = await state(ruled)
    assert (403, revision, "unattended") == (
        reply.status_code,
        reply.json()["revision"],
        reply.json()["decided_by"],
    )
    assert (True, revision, []) == (told["ready"], told["revision"], told["trouble"])
    assert (
        f"revision {revision} stays in force. Put a good one in force with `interpose hooks apply" in ruled.gateway.log
    )
    assert [] == ruled.witness.of("ran", mark)


@pytest.mark.parametrize("operation", ["DEL", "PURGE"])
async def test_a_deleted_registry_leaves_the_last_good_one_in_force(ruled: Any, mark: str, operation: str) -> None:
    """Deleting the key, in either way that a KV client can, switches no rule off."""
    revision, before = await apply(ruled, CLOSED), await alarms(ruled)

    bucket = await ruled.operator.jetstream().key_value(subjects.REGISTRY_BUCKET)
    await (bucket.delete("current") if operation == "DEL" else bucket.purge("current"))
    await until_refused(ruled, before)
    reply = await ruled.call("plain", {"mark": mark})

    assert (403, revision) == (reply.status_code, reply.json()["revision"])
    assert "was deleted from the bucket" in ruled.gateway.log
    assert [] == ruled.witness.of("ran", mark)


async def test_a_lost_bucket_leaves_the_last_good_one_in_force(ruled: Any, mark: str) -> None:
    """Also without its bucket the rules stay; a new bucket counts from one again, and its document comes in force."""
    revision, before = await apply(ruled, CLOSED), await alarms(ruled)

    await ruled.operator.jetstream().delete_stream(subjects.REGISTRY_STREAM)
    await until_refused(ruled, before)
    reply = await ruled.call("plain", {"mark": mark})
    await stream.ensure(ruled.operator)
    fresh = await apply(ruled, OPEN)
    opened = await ruled.call("plain", {"mark": mark})

    assert (403, revision) == (reply.status_code, reply.json()["revision"])
    assert (200, 1, 1) == (opened.status_code, opened.json()["revision"], fresh)


GATED: dict[str, Any] = OPEN | {
    "hooks": {"before:echo": [{"name": "gate", "service": "gatekeeper", "timeout": 60_000}]}
}
IN_MID_CALL = {
    "deleted": (subjects.REGISTRY_KEY, b"", {"KV-Operation": "DEL"}),
    "garbage": (subjects.REGISTRY_KEY, b"{", {}),
    "emptied": (subjects.REGISTRY_KEY, json.dumps(BARE).encode(), {}),
    "shrunk to an advisory hook": (
        subjects.REGISTRY_KEY,
        json.dumps(
            BARE | {"entries": [ENTRY | {"hook": {"name": "gate", "service": "gatekeeper", "failMode": "warn"}}]}
        ).encode(),
        {},
    ),
}


@pytest.mark.parametrize(("key", "data", "headers"), IN_MID_CALL.values(), ids=IN_MID_CALL.keys())
async def test_what_happens_in_mid_call_lets_nothing_through(
    ruled: Any, mark: str, key: str, data: bytes, headers: dict[str, str]
) -> None:
    """A call that waits for its hook ends by the rules that it began under, and the hook's no is a no."""
    await ruled.start_hook("gatekeeper", f"gatekeeper-{mark}")
    revision, before = await apply(ruled, GATED), await alarms(ruled)
    call = ruled.later("plain", {"mark": mark, "hold": "before", "say": "reject"})
    await ruled.witness.sees("asked before", mark)

    number = (await ruled.operator.jetstream().publish(key, data, headers=headers)).seq
    await ruled.until(lambda: has_noticed(ruled, number, before))
    ruled.witness.release()
    reply = await call

    assert (403, revision, "gate") == (reply.status_code, reply.json()["revision"], reply.json()["decided_by"])
    assert [] == ruled.witness.of("ran", mark)


async def has_noticed(system: Any, number: int, before: float) -> bool:
    """Whether the gateway has that revision in force, or has refused it."""
    return await has(system, number) or await alarms(system) > before


async def test_a_gateway_that_cannot_use_a_revision_is_named(ruled: Any) -> None:
    """Whoever applies it waits for every present gateway and is told which one stays behind, and with what."""
    revision = await apply(ruled, OPEN)

    number = await ruled.scribble(b"{}")
    told = await wait_for_gateways(ruled.operator, number, "sha256:of it", 500, ["gateway-1", "gone"])
    good = await ruled.configure(OPEN)
    again = (await Store(ruled.operator).read()).document()
    mended = await wait_for_gateways(ruled.operator, good, again.digest, 60_000)

    assert [("gateway-1", revision, False), ("gone", None, False)] == [
        (each.instance, each.revision, each.has) for each in told
    ]
    assert [("gateway-1", good, True)] == [(each.instance, each.revision, each.has) for each in mended]


async def test_the_same_fault_is_told_again_when_it_comes_back(ruled: Any) -> None:
    """Garbage, mended and garbage again: two alarms."""
    await apply(ruled, OPEN)
    before = await alarms(ruled)

    await ruled.scribble(b"{}")
    await until_refused(ruled, before)
    await apply(ruled, CLOSED)
    await ruled.scribble(b"{}")

    await until_refused(ruled, before + 1)


async def test_a_disabled_hook_is_not_in_force(ruled: Any, mark: str) -> None:
    """The call runs, and the entry still stands in the registry for whoever enables it again."""
    await apply(ruled, CLOSED)
    version = await Store(ruled.operator).read()
    document = orjson.loads(version.data or b"")
    document["entries"][0]["enabled"] = False
    revision = await ruled.scribble(orjson.dumps(document))

    await ruled.until(lambda: has(ruled, revision))
    reply = await ruled.call("plain", {"mark": mark})

    assert (200, revision) == (reply.status_code, reply.json()["revision"])


async def has(system: Any, revision: int) -> bool:
    """Whether the gateway has this revision in force."""
    return bool(revision == (await state(system))["revision"])


async def test_a_present_gateway_tells_its_revision(ruled: Any) -> None:
    """`$SRV.INFO` and `$SRV.STATS` say what is in force at the time of asking, with its digest."""
    told = []
    for configuration in (OPEN, CLOSED):
        revision = await apply(ruled, configuration)
        document = (await Store(ruled.operator).read()).document()
        [info] = await presence.info(ruled.operator, "gateway")
        told.append((info.instance, info.metadata["revision"], info.metadata["digest"]))

        assert ("gateway-1", str(revision), document.digest) == told[-1]

    assert 2 == len(set(told))


async def test_two_that_apply_at_once_lose_nothing(ruled: Any) -> None:
    """Only one of two writes after the same revision is taken; the other is told to look again."""
    await apply(ruled, OPEN)
    store = Store(ruled.operator)
    version = await store.read()
    document = version.document().model_copy(update={"applied": now("one", "first")})
    first = await store.put(document, version.revision)

    with pytest.raises(RegistryConflict, match=f"since revision {version.revision}"):
        await store.put(document.model_copy(update={"applied": now("two", "second")}), version.revision)

    assert ("one", first) == ((await store.read()).document().applied.by, (await store.read()).revision)


async def test_a_changed_registry_rules_the_next_call(ruled: Any, mark: str) -> None:
    """The same call runs, is refused and runs again; each record names the revision that judged it."""
    revisions, replies = [], []
    for configuration in (OPEN, CLOSED, OPEN):
        revisions.append(await apply(ruled, configuration))
        replies.append(await ruled.call("plain", {"mark": mark}))

    answers = [reply.json() for reply in replies]
    records = [(await ruled.records(answer["call_id"]))[0].body for answer in answers]
    assert [200, 403, 200] == [reply.status_code for reply in replies]
    assert revisions == [answer["revision"] for answer in answers]
    assert revisions == [record["revision"] for record in records]
    assert 3 == len({record["registry_digest"] for record in records})
    assert 2 == len(ruled.witness.of("ran", mark))


async def test_a_call_keeps_the_revision_it_started_with(ruled: Any, mark: str) -> None:
    """A call held at its tool meets the after hooks of its own revision, though the registry has changed meanwhile."""
    first = await apply(ruled, OPEN)
    call = ruled.later("plain", {"mark": mark, "hold": "tool"})
    await ruled.witness.sees("ran", mark)

    second = await apply(ruled, OPEN | {"hooks": {"after:*": [{"name": "unattended", "service": "nobody"}]}})
    ruled.witness.release()
    old = (await call).json()
    new = (await ruled.call("plain", {"mark": mark})).json()

    assert ("deliver", first) == (old["decision"], old["revision"])
    assert ("withhold", second) == (new["decision"], new["revision"])

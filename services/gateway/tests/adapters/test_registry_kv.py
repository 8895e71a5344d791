"""The registry of a gateway by its own clock: confirmed for 10 s from the moment of asking, and whole or not at all."""

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure
from interpose_gateway.adapters.registry_kv import KvRegistry

SILENCE = NoReply(Failure.DEADLINE_EXCEEDED, "no answer within 1000 ms")
HOOK = {"name": "a", "service": "a"}
ENTRY = {"key": "before:*", "hook": HOOK, "owner": "worker", "source": "a-1"}


def stored(revision: int, **changes: Any) -> Replied:
    """The broker's answer when this document stands."""
    bare = {"schema": "interpose.registry/1", "entries": [ENTRY]}
    applied = {"applied": {"at": "2026-01-01T00:00:00Z", "by": "x", "what": "x"}}
    return raw(revision, json.dumps(bare | applied | changes).encode())


def raw(revision: int, data: bytes, headers: str = "", subject: str = "$KV.HOOKS.current") -> Replied:
    """The broker's answer when these bytes stand."""
    message: dict[str, Any] = {"subject": subject, "seq": revision, "data": base64.b64encode(data).decode()}
    if headers:
        message["hdrs"] = base64.b64encode(f"NATS/1.0\r\n{headers}\r\n\r\n".encode()).decode()
    return Replied(json.dumps({"message": message}).encode(), None)


def error(code: int, number: int) -> Replied:
    """The broker's own error."""
    told = {"code": code, "err_code": number, "description": "so it is"}
    return Replied(json.dumps({"error": told}).encode(), None)


class Broker:
    """Answers what the test says, after as long as it says, on a clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.reply: Replied | NoReply = SILENCE
        self.takes_s = 0.0
        self.asked: list[str] = []

    async def ask(
        self, subject: str, _body: bytes, _timeout_s: float, _extra: Mapping[str, str] | None = None
    ) -> Replied | NoReply:
        """One read."""
        self.asked.append(subject)
        self.now += self.takes_s
        return self.reply


@pytest.fixture
def broker() -> Broker:
    """A broker without an answer."""
    return Broker()


@pytest.fixture
def faults() -> list[str]:
    """What was alarmed."""
    return []


@pytest.fixture
def registry(broker: Broker, faults: list[str]) -> KvRegistry:
    """A registry that was never read."""
    return KvRegistry(broker, faults.append, lambda: broker.now)  # type: ignore[arg-type]  # all it needs of an asker


def numbers(registry: KvRegistry) -> int | None:
    """The revision that calls are planned on."""
    revision = registry.confirmed()
    return None if revision is None else revision.number


async def test_a_revision_is_confirmed_for_ten_seconds_from_asking(broker: Broker, registry: KvRegistry) -> None:
    """The time that the answer took counts as well; then every call is refused, and the trouble says why."""
    broker.reply, broker.takes_s = stored(7), 1.0
    await registry.look()
    broker.reply, broker.takes_s = SILENCE, 0.0

    broker.now = 10.0
    at_ten = numbers(registry)
    broker.now = 10.001
    await registry.look()

    assert (7, None) == (at_ten, numbers(registry))
    assert "revision 7 was not confirmed for 10 s" in registry.trouble()
    assert "no answer within 1000 ms" in registry.trouble()
    assert {"$JS.API.STREAM.MSG.GET.KV_HOOKS"} == set(broker.asked)


async def test_a_broker_that_is_back_confirms_again(broker: Broker, registry: KvRegistry) -> None:
    """The same revision goes on being the same object: no call sees a change."""
    broker.reply = stored(7)
    await registry.look()
    first = registry.confirmed()
    broker.now, broker.reply = 60.0, SILENCE
    await registry.look()
    gone = registry.confirmed()
    broker.reply = stored(7)
    is_new = await registry.look()

    assert (None, False) == (gone, is_new)
    assert first is registry.confirmed()


UNUSABLE: dict[str, Callable[[], Replied]] = {
    "garbage": lambda: raw(8, b"{"),
    "nothing": lambda: raw(8, b""),
    "another schema": lambda: stored(8, schema="interpose.registry/2"),
    "a schema of a tool that is none": lambda: stored(8, tools={"t": {"inputSchema": {"type": "strange"}}}),
    "a condition that is none": lambda: stored(8, entries=[ENTRY | {"hook": HOOK | {"when": "("}}]),
    "a circle of needs": lambda: stored(8, entries=[ENTRY | {"hook": HOOK | {"needs": ["a"]}}]),
    "deleted": lambda: raw(8, b"", "KV-Operation: DEL"),
    "purged": lambda: raw(8, b"", "KV-Operation: PURGE"),
    "emptied bucket": lambda: error(404, 10037),
    "no bucket": lambda: error(404, 10059),
}


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE.keys())
async def test_what_cannot_be_used_changes_nothing(
    broker: Broker, registry: KvRegistry, faults: list[str], reply: Callable[[], Replied]
) -> None:
    """The last good revision stays, confirmed by each reading; one alarm with the remedy, however often it is read."""
    broker.reply = stored(7)
    await registry.look()
    broker.reply = reply()
    for second in range(1, 60):
        broker.now = float(second)
        await registry.look()

    assert (7, 1) == (numbers(registry), len(faults))
    assert "revision 7 stays in force" in faults[0]
    assert "interpose hooks" in faults[0]


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE.keys())
async def test_without_a_good_one_nothing_is_in_force(
    broker: Broker, registry: KvRegistry, reply: Callable[[], Replied]
) -> None:
    """Every call is refused, and the trouble says what to do."""
    broker.reply = reply()
    await registry.look()

    assert numbers(registry) is None
    assert "every call is refused" in registry.trouble()
    assert "interpose hooks apply" in registry.trouble()


TELLS_NOTHING = {
    "silence": SILENCE,
    "a broker's trouble": error(503, 10008),
    "no JSON": Replied(b"{", None),
    "another form": Replied(b"[]", None),
    "no base64": Replied(b'{"message": {"subject": "$KV.HOOKS.current", "seq": 9, "data": "?"}}', None),
    "a message from elsewhere": raw(9, b"{}", subject="$KV.CALLS.current"),
}


@pytest.mark.parametrize("reply", TELLS_NOTHING.values(), ids=TELLS_NOTHING.keys())
async def test_an_answer_that_tells_nothing_confirms_nothing(
    broker: Broker, registry: KvRegistry, faults: list[str], reply: Replied | NoReply
) -> None:
    """It is no news of the registry, good or bad: after 10 s of it nothing is planned any more."""
    broker.reply = stored(7)
    await registry.look()
    broker.reply, broker.now = reply, 11.0
    await registry.look()

    assert (None, []) == (numbers(registry), faults)


async def test_the_same_fault_is_news_when_it_comes_back(
    broker: Broker, registry: KvRegistry, faults: list[str]
) -> None:
    """Unusable, good, unusable again: two alarms."""
    for reply in (raw(7, b"{"), stored(8), raw(9, b"{")):
        broker.reply = reply
        await registry.look()

    assert (8, 2) == (numbers(registry), len(faults))


async def test_a_new_bucket_counts_from_one(broker: Broker, registry: KvRegistry) -> None:
    """Its first document is the registry, though its number is lower than the last one's; so is one of equal number."""
    broker.reply = stored(7)
    await registry.look()
    broker.reply = stored(7, entries=[])
    await registry.look()
    other = registry.confirmed()
    broker.reply = stored(1)
    await registry.look()

    assert other is not None
    assert (0, 1) == (len(other.entries), numbers(registry))


async def test_an_entry_tells_who_brought_it_in(broker: Broker, registry: KvRegistry) -> None:
    """A refusal for an absent hook can say it."""
    broker.reply = stored(7)
    await registry.look()

    revision = registry.confirmed()
    assert revision is not None
    assert ["the worker (a-1)"] == [entry.origin for entry in revision.entries]

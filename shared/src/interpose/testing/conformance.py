"""The exam that every hook service passes, in memory and on a real server.

Each question is an async function of a `Target`, which carries bytes to the service, and of a sample ask that the
service judges. It returns when the service passes and raises NotConformant with a sentence when not. `EXAM` lists
them all, `sit` asks them all; a test of yours runs them one by one:

    @pytest.mark.parametrize("question", conformance.EXAM, ids=lambda question: question.__name__)
    async def test_conformance(question): await question(BusTarget(bus, "my-hook"), make_ask(tool="Bash"))
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from interpose.bus import headers, subjects
from interpose.contracts.ask import Ask
from interpose.contracts.digest import encode
from interpose.contracts.ids import secret
from interpose.contracts.limits import ASK_BYTES, DEPTH, NODES, VERDICT_BYTES
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.strict import read_model
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Phase
from interpose.errors import InterposeError, InvalidInput
from interpose.testing.memory_bus import MemoryBus

AT_ONCE = 20
"""Asks that a worker must take at the same time."""


class NotConformant(InterposeError):
    """The service did not pass: the message says what it did and what every hook must do."""


class Target(Protocol):
    """The service under examination, however it is reached."""

    async def ask(self, raw: bytes, fields: Mapping[str, str]) -> Replied | NoReply:
        """Send these bytes as one ask. `fields` are headers that win over the usual ones."""
        ...


@dataclass(frozen=True, slots=True)
class MemoryTarget:
    """A service attached to a bus in memory."""

    bus: MemoryBus
    service: str
    phase: Phase = Phase.BEFORE
    timeout_s: float = 5.0

    async def ask(self, raw: bytes, fields: Mapping[str, str]) -> Replied | NoReply:
        """One request."""
        return await self.bus.request(subjects.ask(self.phase, self.service), raw, self.timeout_s, fields)


Question = Callable[[Target, Ask], Awaitable[None]]


async def answers_with_a_verdict(target: Target, sample: Ask) -> None:
    """An ask that it serves is answered with a verdict, on that very ask."""
    await _judged(target, sample.to_wire())


async def ignores_what_it_does_not_know(target: Target, sample: Ask) -> None:
    """Fields of a newer gateway change nothing."""
    known = await _judged(target, sample.to_wire())
    newer: dict[str, Any] = sample.to_wire() | {"of_version_2": {"a": [1]}}
    newer["context"] = newer["context"] | {"of_version_2": True}
    newer["native"] = newer["native"] | {"of_version_2": None}
    _demand(known == await _judged(target, newer), "an unknown field of the ask changed its verdict; ignore those")


async def is_deterministic(target: Target, sample: Ask) -> None:
    """The same ask gets the same verdict."""
    first, second = [await _judged(target, sample.to_wire()) for _ in range(2)]
    _demand(first == second, f"it said {first.verdict} and then {second.verdict} to the same ask, or not the same way")


async def answers_many_at_once(target: Target, sample: Ask) -> None:
    """Asks that come together are each answered, none with another's ask_id."""
    asks = [sample.to_wire() | {"ask_id": secret()} for _ in range(AT_ONCE)]
    await asyncio.gather(*(_judged(target, ask) for ask in asks))


async def refuses_garbage(target: Target, sample: Ask) -> None:
    """What is no ask gets a service error, never a verdict and never silence."""
    wire = sample.to_wire()
    whole = encode(wire)
    for name in ("tool", "parameters", "phase", "call_id", "hook", "ask_id", "native"):
        await _refused(target, encode({key: value for key, value in wire.items() if key != name}), f"no {name}")
    await _refused(target, encode(wire | {"parameters": []}), "parameters that are no object")
    await _refused(target, encode(wire | {"phase": "during"}), "an unknown phase")
    await _refused(target, whole[:-1], "half an ask")
    await _refused(target, whole[:-1] + b',"tool":"Other"}', "a key that stands twice")
    await _refused(target, whole[:-1] + b',"more":NaN}', "a number that is none")
    for garbage in (b"", b"ask", b"[]", b"\xff\xfe", b'"\\ud800"', b"0" * 1000):
        await _refused(target, garbage, repr(garbage[:10]))


async def refuses_what_is_too_large(target: Target, sample: Ask) -> None:
    """Beyond the limits of an ask (size, depth, number of values) there is a service error."""
    whole = encode(sample.to_wire())[:-1]
    await _refused(target, whole + b" " * ASK_BYTES + b"}", "more bytes than an ask may have")
    await _refused(target, whole + b',"more":' + b"[" * DEPTH + b"]" * DEPTH + b"}", "too much depth")
    await _refused(target, whole + b',"more":[' + b"0," * NODES + b"0]}", "too many values")


async def refuses_other_versions(target: Target, sample: Ask) -> None:
    """An ask of another wire version is not guessed at."""
    for version in ("0", "2"):
        reply = await target.ask(encode(sample.to_wire()), {headers.VERSION: version})
        _demand_error(reply, f"version {version!r} of the wire format")


async def refuses_used_up_time(target: Target, sample: Ask) -> None:
    """An ask whose time is used up before work begins is answered 408, and nobody works for nobody."""
    reply = await target.ask(encode(sample.to_wire()), {headers.TIMEOUT_MS: "0"})
    code = _demand_error(reply, "an ask without time left")
    _demand(code == headers.TIMED_OUT, f"an ask without time left is answered {headers.TIMED_OUT}, not {code}")


async def answers_what_is_not_its_own(target: Target, sample: Ask) -> None:
    """A tool, a phase or a hook it knows nothing of gets a service error or a verdict: always an answer."""
    wire = sample.to_wire()
    other = {"tool": "nobody_s", "canonical_tool": "nobody_s", "native": wire["native"] | {"tool": "nobody_s"}}
    after = {"phase": "after", "response": {}, "status": "success", "wrapped": False, "duration_ms": 1.0}
    before = {"phase": "before"}
    for strange in (other, {"hook": "nobody-s"}, before if sample.phase is Phase.AFTER else after):
        reply = await target.ask(encode(wire | strange), {})
        if isinstance(reply, Replied):
            _verdict(reply, sample.ask_id)
        else:
            _demand_error(reply, f"an ask with {strange}")


EXAM: tuple[Question, ...] = (
    answers_with_a_verdict,
    ignores_what_it_does_not_know,
    is_deterministic,
    answers_many_at_once,
    refuses_garbage,
    refuses_what_is_too_large,
    refuses_other_versions,
    refuses_used_up_time,
    answers_what_is_not_its_own,
)


async def sit(target: Target, sample: Ask) -> None:
    """Ask every question. Raises NotConformant with all that failed."""
    failed: list[str] = []
    for question in EXAM:
        try:
            await question(target, sample)
        except NotConformant as error:
            failed.append(f"{getattr(question, '__name__', question)}: {error}")
    _demand(not failed, "\n".join(failed))


def check_reply_headers(fields: Mapping[str, str]) -> None:
    """Every answer on a real bus, errors too, says which version it speaks and which worker gave it."""
    version = fields.get(headers.VERSION)
    _demand(
        version == headers.WIRE_VERSION, f"its answer has {headers.VERSION} {version!r}, not {headers.WIRE_VERSION}"
    )
    _demand(bool(fields.get(headers.WORKER)), f"its answer has no {headers.WORKER}")


async def _judged(target: Target, ask: Mapping[str, Any]) -> Verdict:
    reply = await target.ask(encode(ask), {})
    if isinstance(reply, NoReply):
        raise NotConformant(f"an ask that it serves got no verdict: {reply.failure} ({reply.detail})")
    return _verdict(reply, ask["ask_id"])


def _verdict(reply: Replied, ask_id: str) -> Verdict:
    """The verdict without its ask_id, so that two can be compared."""
    try:
        verdict = read_model(Verdict, reply.body, limit=VERDICT_BYTES, what="the verdict")
    except InvalidInput as error:
        raise NotConformant(f"its verdict breaks the contract: {error}") from error
    _demand(verdict.ask_id == ask_id, f"its verdict echoes ask_id {verdict.ask_id!r} and was asked as {ask_id!r}")
    return verdict.model_copy(update={"ask_id": None})


async def _refused(target: Target, raw: bytes, what: str) -> None:
    _demand_error(await target.ask(raw, {}), what)


def _demand_error(reply: Replied | NoReply, what: str) -> str:
    """The code of a service error; silence and verdicts are none."""
    if isinstance(reply, Replied):
        raise NotConformant(f"{what} was answered {reply.body[:200]!r}; answer a service error")
    if reply.error_code is None:
        raise NotConformant(f"{what} was not answered ({reply.failure}: {reply.detail}); answer a service error")
    return reply.error_code


def _demand(is_so: bool, sentence: str) -> None:
    if not is_so:
        raise NotConformant(sentence)

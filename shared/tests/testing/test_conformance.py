"""The exam: who does everything right passes, and each question finds the one who does not."""

import itertools

import orjson
import pytest

from interpose import Hook, allow, reject
from interpose.bus import headers
from interpose.bus.responder import Incoming, Outgoing, ServiceError
from interpose.contracts.words import Phase
from interpose.hook.app import encode, read_ask
from interpose.testing import MemoryBus, make_ask
from interpose.testing.conformance import (
    EXAM,
    MemoryTarget,
    NotConformant,
    check_reply_headers,
    refuses_used_up_time,
    refuses_what_is_too_large,
    sit,
)


@pytest.mark.parametrize("question", EXAM, ids=lambda question: question.__name__)
async def test_a_good_hook_passes(no_force, question):
    """Also one that says no to the sample."""
    bus = MemoryBus()
    bus.attach(no_force)

    await question(MemoryTarget(bus, "no-force"), make_ask(parameters={"force": True}))


async def test_a_good_after_hook_passes():
    """The exam is the same in both phases, and a plain function passes it as well."""
    bus, hook = MemoryBus(), Hook("after")
    hook.after("web_fetch")(lambda _ask: allow())
    bus.attach(hook)

    await sit(MemoryTarget(bus, "after", Phase.AFTER), make_ask(tool="web_fetch", response={"text": "x"}))


def verdict(ask_id: object, **fields: object) -> Outgoing:
    """A verdict's bytes, by default an allow."""
    return Outgoing(orjson.dumps({"verdict": "allow", "ask_id": ask_id} | fields))


async def always_allows(request: Incoming) -> Outgoing:
    """Fails open: whatever comes is allowed."""
    try:
        return verdict(orjson.loads(request.body).get("ask_id"))
    except (orjson.JSONDecodeError, AttributeError):
        return verdict(None)


async def forgets_the_ask_id(request: Incoming) -> Outgoing:
    """Says yes to nobody."""
    read_ask(request)
    return verdict(None)


async def says_nonsense(request: Incoming) -> Outgoing:
    """A word that is no verdict."""
    return verdict(read_ask(request).ask_id, verdict="maybe")


async def refuses_newcomers(request: Incoming) -> Outgoing:
    """Knows every field there can ever be."""
    ask = read_ask(request)
    return verdict(ask.ask_id, warnings=["new"] if b"of_version_2" in request.body else [])


class ChangesItsMind:
    """Yes, then no, then yes."""

    def __init__(self) -> None:
        self.turns = itertools.cycle([allow(), reject("not now")])

    async def __call__(self, request: Incoming) -> Outgoing:
        return encode(next(self.turns), read_ask(request))


class MixesUp:
    """Answers with the ask_id it heard before."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def __call__(self, request: Incoming) -> Outgoing:
        self.heard.append(read_ask(request).ask_id)
        return verdict(self.heard[-2:][0])


async def wants_no_others(request: Incoming) -> Outgoing:
    """Answers a strange tool with an allow of its own invention."""
    ask = read_ask(request)
    return verdict(ask.ask_id if ask.tool == "Bash" else "anything")


async def ignores_versions(request: Incoming) -> Outgoing:
    """Reads an ask of any version as if it were its own."""
    fields = {key: value for key, value in request.headers.items() if key != headers.VERSION}
    return encode(allow(), read_ask(Incoming(request.subject, request.body, fields, request.deadline)))


async def is_always_broken(_request: Incoming) -> Outgoing:
    """Never says anything but an error."""
    raise ServiceError(headers.BROKE, "out of order")


@pytest.mark.parametrize(
    ("handle", "failed"),
    [
        (
            always_allows,
            {"refuses_garbage", "refuses_other_versions"},
        ),
        (
            forgets_the_ask_id,
            {
                "answers_with_a_verdict",
                "ignores_what_it_does_not_know",
                "is_deterministic",
                "answers_many_at_once",
                "answers_what_is_not_its_own",
            },
        ),
        (
            says_nonsense,
            {
                "answers_with_a_verdict",
                "ignores_what_it_does_not_know",
                "is_deterministic",
                "answers_many_at_once",
                "answers_what_is_not_its_own",
            },
        ),
        (refuses_newcomers, {"ignores_what_it_does_not_know"}),
        (ChangesItsMind(), {"ignores_what_it_does_not_know", "is_deterministic"}),
        (MixesUp(), {"answers_many_at_once", "answers_what_is_not_its_own"}),
        (wants_no_others, {"answers_what_is_not_its_own"}),
        (ignores_versions, {"refuses_other_versions"}),
        (
            is_always_broken,
            {
                "answers_with_a_verdict",
                "ignores_what_it_does_not_know",
                "is_deterministic",
                "answers_many_at_once",
            },
        ),
    ],
)
async def test_each_fault_is_found(raw, handle, failed):
    """By the questions it concerns and by no other."""
    bus = MemoryBus()
    bus.attach(raw("candidate", handle))
    target = MemoryTarget(bus, "candidate")

    found = set()
    for question in (question for question in EXAM if question is not refuses_what_is_too_large):
        try:
            await question(target, make_ask(ask_id="one"))
        except NotConformant:
            found.add(question.__name__)

    assert failed == found


async def test_a_worker_that_reads_without_limits_is_found(raw):
    """A verdict on an ask of any size is none."""
    bus = MemoryBus()
    bus.attach(raw("candidate", always_allows))

    with pytest.raises(NotConformant, match="more bytes than an ask may have was answered"):
        await refuses_what_is_too_large(MemoryTarget(bus, "candidate"), make_ask())


async def test_a_worker_that_works_without_time_is_found():
    """A responder that does not look at the time left answers a verdict where 408 is due."""

    class Timeless(MemoryTarget):
        async def ask(self, raw, fields):
            kept = {key: value for key, value in fields.items() if key != headers.TIMEOUT_MS}
            return await super().ask(raw, kept)

    bus, hook = MemoryBus(), Hook("timeless")
    hook.before("*")(lambda _ask: allow())
    bus.attach(hook)

    with pytest.raises(NotConformant, match="an ask without time left was answered"):
        await refuses_used_up_time(Timeless(bus, "timeless"), make_ask())


async def test_an_error_without_time_must_be_408(raw):
    """Any other error would count as the hook's own."""

    async def busy(request: Incoming) -> Outgoing:
        raise ServiceError(headers.BUSY, "busy")

    class Unhurried(MemoryTarget):
        async def ask(self, raw, fields):
            return await super().ask(raw, {})

    bus = MemoryBus()
    bus.attach(raw("busy", busy))

    with pytest.raises(NotConformant, match="is answered 408, not 503"):
        await refuses_used_up_time(Unhurried(bus, "busy"), make_ask())


async def test_silence_is_no_answer():
    """Nobody there fails every question."""
    with pytest.raises(NotConformant) as caught:
        await sit(MemoryTarget(MemoryBus(), "nobody"), make_ask())

    assert len(EXAM) == len(str(caught.value).splitlines())


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {headers.VERSION: "1"},
        {headers.WORKER: "w"},
        {headers.VERSION: "2", headers.WORKER: "w"},
        {headers.VERSION: "1", headers.WORKER: ""},
    ],
)
def test_answers_without_their_headers_are_found(fields):
    """Both headers, each with what it must say."""
    with pytest.raises(NotConformant):
        check_reply_headers(fields)


def test_answers_with_their_headers_pass():
    """Version 1 and a worker's name."""
    assert check_reply_headers({headers.VERSION: "1", headers.WORKER: "w"}) is None

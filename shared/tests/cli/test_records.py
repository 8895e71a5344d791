"""`interpose records` over a store: nothing runs, and everything on the record can be asked."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpose.bus import subjects
from interpose.cli.record_page import WOULD
from interpose.contracts.words import Effect, Phase
from interpose.records.kinds import Kind
from interpose.records.store import Store
from interpose.records.stored import Stored

HOOK: dict[str, Any] = {
    "name": "block-kit",
    "service": "validator",
    "mode": "enforce",
    "fail_mode": "reject",
    "ending": "reject",
    "verdict": "reject",
    "effect": "stopped",
    "reason": "no blocks",
    "code": "invalid",
    "warnings": ["one", "two\x1b[31m"],
    "annotations": {"errors": [{"path": "$.parameters.blocks"}], "note": "ü"},
    "ms": 3.25,
    "worker": "validator-1",
}
ANNOTATED = HOOK | {"name": "audit", "ending": "allow", "effect": "passed", "reason": None, "code": None}


def record(call_id: str, phase: str, decision: str, **more: Any) -> dict[str, Any]:
    """A whole record."""
    digest = "sha256:" + "0" * 64
    return {
        "schema": "interpose.record/1",
        "record_id": f"{call_id}-{phase}",
        "call_id": call_id,
        "phase": phase,
        "at": "2026-01-02T03:04:05Z",
        "revision": 3,
        "registry_digest": digest,
        "client": "local",
        "context": {"user": "patrick", "session": "s1", "agent": None, "platform": "slack", "tenant": "default"},
        "tool": "message",
        "action": "send",
        "kind": "Message",
        "native": {"platform": "slack", "tool": "message", "digest": digest},
        "original": {"text": "hi"},
        "changes": [{"hook": "footer", "digest_before": digest, "digest_after": digest, "value": {}}],
        "final": {"text": "hi there"},
        "final_digest": digest,
        "hooks": [],
        "decision": decision,
        "trace_id": call_id * 8,
        "span_id": None,
        "producer": {"instance": "g", "sequence": 1},
        **more,
    }


BODIES = [
    record("c001", "before", "run", hooks=[ANNOTATED]),
    record("c001", "after", "deliver", outcome="success"),
    record("c002", "before", "refuse", decided_by="block-kit", code="invalid", hooks=[HOOK, ANNOTATED]),
]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The store of the home that `interpose` runs in, with two calls and one change of the registry."""
    (tmp_path / "home").mkdir()
    path = tmp_path / "home" / "audit.sqlite"
    opened = Store.open(path)
    applied = {"at": "2026-01-02T03:00:00Z", "what": "apply interpose.json", "by": "patrick@host"}
    subjects = [*(f"tool.record.{body['phase']}.message" for body in BODIES), "tool.record.registry"]
    bodies = zip(subjects, [*BODIES, applied], strict=True)
    opened.add([Stored(n, subject, None, n, json.dumps(body).encode()) for n, (subject, body) in enumerate(bodies, 1)])
    opened.close()
    return path


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), [1, 2, 3, 4]),
        (("--limit", "2"), [3, 4]),
        (("--decision", "refuse"), [3]),
        (("--tool", "message.send", "--phase", "after"), [2]),
        (("--hook", "block-kit"), [3]),
        (("--user", "patrick", "--code", "invalid"), [3]),
        (("--since", "2026-01-02T03:04:00Z"), [1, 2, 3]),
        (("--until", "2026-01-02T03:04:00Z"), [4]),
        (("--since", "1h"), []),
        (("--kind", "registry"), [4]),
    ],
)
def test_list(interpose: Callable[..., Any], words: tuple[str, ...], expected: list[int]) -> None:
    """The newest that are wanted, newest last, each with where it was found; the body is what was recorded."""
    ran = interpose("records", "list", *words, "--json")

    assert (0, "") == (ran.code, ran.err)
    assert [("store", number) for number in expected] == [(each["source"], each["sequence"]) for each in lines(ran.out)]
    assert all(BODIES[each["sequence"] - 1] == each["record"] for each in lines(ran.out) if each["sequence"] < 4)


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("command", ["list", "stats", "follow"])
def test_a_kind_that_is_none_is_refused(interpose: Callable[..., Any], command: str) -> None:
    """A misspelt one would show nothing, as if there were nothing; the kinds that there are stand in the refusal."""
    ran = interpose("records", command, "--kind", "bogus")

    assert 2 == ran.code
    for kind in Kind:
        assert f"'{kind}'" in ran.err


@pytest.mark.parametrize(
    "subject",
    [
        *(subjects.record(phase, "message") for phase in Phase),
        *(subjects.agent_record(phase, "message") for phase in Phase),
        subjects.shadow_record("message"),
        *(
            subject
            for subject in vars(subjects).values()
            if isinstance(subject, str) and re.fullmatch(r"tool\.record\.[a-z-]+", subject)
        ),
    ],
)
def test_every_record_has_a_kind_that_can_be_asked_for(subject: str) -> None:
    """Whatever subject is recorded under, `--kind` knows its word."""
    assert Stored(1, subject, None, 1, b"{}").kind in set(Kind)


@pytest.mark.usefixtures("store")
def test_list_for_people(interpose: Callable[..., Any]) -> None:
    """A line each; a change of the registry says what was done and by whom."""
    ran = interpose("records", "list")

    shown = ran.out.splitlines()
    assert 4 == len(shown)
    assert "refuse   message.send  invalid" in shown[2]
    assert "registry apply interpose.json  by patrick@host" == shown[3]


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("given", ["c002", "c002" * 8])
def test_show_tells_everything_about_a_call(interpose: Callable[..., Any], given: str) -> None:
    """By call or by trace: each hook, its time, reason, warnings and annotations; no escape sequence gets through."""
    ran = interpose("records", "show", given)

    assert 0 == ran.code
    for words in (
        "before message.send: refuse by block-kit",
        "reason     invalid",
        "who        client local, user patrick, session s1",
        f"trace      {'c002' * 8}",
        'parameters {"text": "hi there"}',
        "change     footer: sha256:",
        "hook       block-kit (validator, reject, enforce): reject → stopped, 3.2 ms by validator-1",
        "reason   invalid: no blocks",
        "warning  one",
        'noted    errors: [{"path": "$.parameters.blocks"}]',
        "noted    note: ü",
        "hook       audit (validator, reject, enforce): allow → passed",
    ):
        assert words in ran.out
    assert "\x1b" not in ran.out


SHADOW: dict[str, Any] = {
    "schema": "interpose.shadow/1",
    "call_id": "c003",
    "phase": "before",
    "at": "2026-01-02T03:04:06Z",
    "revision": 3,
    "client": "local",
    "tool": "message",
    "decision": "run",
    "hooks": [HOOK | {"mode": "shadow"}, ANNOTATED | {"mode": "shadow", "worker": None}],
    "trace_id": "c003" * 8,
}


def test_show_tells_what_shadows_would_have_done(interpose: Callable[..., Any], store: Path) -> None:
    """In words, beside what was decided without them: none of them did anything."""
    opened = Store.open(store)
    opened.add([Stored(9, "tool.record.shadow.message", None, 9, json.dumps(SHADOW).encode())])
    opened.close()

    ran = interpose("records", "show", "c003")

    assert 0 == ran.code
    for words in (
        "shadow before message: run was decided without it",
        "at         2026-01-02T03:04:06+00:00, record 9, revision 3",
        "call       c003",
        "who        client local",
        f"trace      {'c003' * 8}",
        "hook       block-kit (validator, reject, shadow): reject → would have stopped the call, 3.2 ms by validator-1",
        "reason   invalid: no blocks",
        'noted    errors: [{"path": "$.parameters.blocks"}]',
        "hook       audit (validator, reject, shadow): allow → would have let it pass, 3.2 ms",
    ):
        assert words in ran.out
    assert '{"schema"' not in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("effect", Effect)
def test_every_effect_of_a_shadow_has_words(effect: Effect) -> None:
    """None is shown as if it had happened."""
    assert WOULD[effect].startswith(("would have ", "was not "))


@pytest.mark.usefixtures("store")
def test_show_as_json(interpose: Callable[..., Any]) -> None:
    """Both phases as they were recorded."""
    ran = interpose("records", "show", "c001", "--json")

    assert BODIES[:2] == [each["record"] for each in lines(ran.out)]


@pytest.mark.usefixtures("store")
def test_a_call_that_is_on_no_record(interpose: Callable[..., Any]) -> None:
    """Where it was looked for is said; with --source auto the stream would be asked, too, and nothing runs here."""
    ran = interpose("records", "show", "absent", "--source", "store")
    anywhere = interpose("records", "show", "absent")

    assert (1, "") == (ran.code, ran.out)
    assert "nothing is on the record of absent in the store" in ran.err
    assert 1 == anywhere.code
    assert "interpose up" in anywhere.err


@pytest.mark.usefixtures("store")
def test_stats(interpose: Callable[..., Any]) -> None:
    """Counts over what is wanted, and the times of hooks."""
    ran = interpose("records", "stats", "--kind", "call", "--json")
    people = interpose("records", "stats")

    [found] = lines(ran.out)
    assert ("store", 3, 2) == (found["source"], found["records"], found["calls"])
    assert {"deliver": 1, "refuse": 1, "run": 1} == found["decisions"]
    assert [("audit", {"allow": 2}, 3.25), ("block-kit", {"reject": 1}, 3.25)] == [
        (hook["name"], hook["endings"], hook["p95_ms"]) for hook in found["hooks"]
    ]
    assert people.out.startswith("4 records of 2 calls, 20")
    assert "block-kit" in people.out


def test_without_a_store_and_without_a_broker(interpose: Callable[..., Any]) -> None:
    """Each source says what is missing."""
    store = interpose("records", "list", "--source", "store")
    stream = interpose("records", "list", "--source", "stream")
    either = interpose("records", "stats")

    assert [1, 1, 1] == [store.code, stream.code, either.code]
    assert "there is no audit store at" in store.err
    assert "run `interpose up`" in stream.err
    assert "run `interpose up`" in either.err


def test_the_store_may_stand_elsewhere(
    interpose: Callable[..., Any], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """INTERPOSE_AUDIT_DB names the file, for the audit logger and for these commands."""
    monkeypatch.setenv("INTERPOSE_AUDIT_DB", str(store.rename(tmp_path / "kept.sqlite")))

    assert 4 == len(interpose("records", "list", "--json").out.splitlines())


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("list", "--since", "soon"), "'soon' is no moment"),
        (("list", "--decision", "maybe"), "'maybe' is not one of"),
        (("follow", "--from-start", "--last", "2"), "not both"),
        (("list", "--limit", "0"), "greater than or equal to 1"),
    ],
)
def test_words_that_mean_nothing(interpose: Callable[..., Any], words: tuple[str, ...], said: str) -> None:
    """Exit code 2 and a sentence, never a traceback."""
    ran = interpose("records", *words)

    assert 2 == ran.code
    assert said in ran.err

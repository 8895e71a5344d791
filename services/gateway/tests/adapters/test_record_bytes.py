"""The bytes of a record are those of its closed model."""

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from interpose.contracts.ask import Context
from interpose.contracts.record import Change, Producer, Record, RecordedHook, RecordedNative
from interpose.contracts.words import Decision, Effect, FailMode, Failure, Mode, Outcome, Phase, VerdictKind
from interpose_gateway.adapters.recording import encode

VALUE = {"text": 'é "quoted" \u2028', "list": [1, 2.5, None, True, {"deep": []}], "": {}}
EMPTY: dict[str, Any] = {
    "record_id": "r",
    "call_id": "c",
    "phase": Phase.BEFORE,
    "at": datetime(2026, 11, 21, 5, 0, tzinfo=UTC),
    "revision": None,
    "registry_digest": None,
    "client": "agent",
    "context": Context(),
    "tool": "message",
    "action": None,
    "kind": "Message",
    "native": RecordedNative(tool="message", digest="sha256:0"),
    "original": None,
    "final": None,
    "final_digest": None,
    "decision": Decision.REFUSE,
    "trace_id": None,
    "span_id": None,
    "producer": Producer(instance="gateway-1", sequence=1),
}
HOOK = RecordedHook(
    name="h",
    service="s",
    mode=Mode.ENFORCE,
    fail_mode=FailMode.REJECT,
    ending="deadline_exceeded",
    verdict=VerdictKind.REJECT,
    failure=Failure.DEADLINE_EXCEEDED,
    effect=Effect.STOPPED,
    reason="no",
    code="c",
    warnings=["w"],
    annotations=VALUE,
    ms=1.25,
    worker="w-1",
    span_id="0" * 16,
)
FULL = EMPTY | {
    "phase": Phase.AFTER,
    "at": datetime(2026, 11, 21, 5, 0, 0, 120_000, tzinfo=UTC),
    "revision": 17,
    "registry_digest": "sha256:1",
    "context": Context(user="u", session="s", agent="a", platform="p", tenant="t", claimed=VALUE),
    "action": "send",
    "native": RecordedNative(platform="p", tool="message", digest="sha256:0", arguments=VALUE),
    "original": VALUE,
    "changes": [Change(hook="h", digest_before="a", digest_after="b", value=VALUE)],
    "final": VALUE,
    "final_digest": "sha256:2",
    "hooks": [HOOK, HOOK],
    "decision": Decision.WITHHOLD,
    "decided_by": "h",
    "reason": "no",
    "code": "c",
    "outcome": Outcome.SUCCESS,
    "warnings": ["w"],
    "trace_id": "1" * 32,
    "span_id": "2" * 16,
}


@pytest.mark.parametrize("fields", [EMPTY, FULL], ids=["empty", "full"])
def test_the_bytes_are_those_of_the_model(fields: dict[str, Any]) -> None:
    """Every field, in the model's order, and the model reads them back as they were."""
    record = Record(**fields)

    assert orjson.dumps(record.to_wire()) == encode(record)
    assert record == Record.model_validate_json(encode(record), by_name=False)

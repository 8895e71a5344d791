"""Lines for people, and logs."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interpose.cli.lines import event_line, record_line, stored_line
from interpose.cli.plain import plain, shorten
from interpose.contracts.ask import Context
from interpose.contracts.record import Producer, Record, RecordedHook, RecordedNative, ShadowRecord
from interpose.contracts.words import Decision, Effect, FailMode, Failure, Mode, Phase
from interpose.embedded.events import Event, EventKind
from interpose.embedded.home import Home
from interpose.records.stored import Stored


def record(**more: Any) -> Record:
    hook = RecordedHook(
        name="block-kit",
        service="validator",
        mode=Mode.ENFORCE,
        fail_mode=FailMode.REJECT,
        ending="no_responders",
        failure=Failure.NO_RESPONDERS,
        effect=Effect.STOPPED,
        ms=1.04,
    )
    fields: dict[str, Any] = {
        "record_id": "r",
        "call_id": "c",
        "phase": Phase.BEFORE,
        "at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        "revision": 1,
        "registry_digest": None,
        "client": "local",
        "context": Context(),
        "tool": "message",
        "action": "send",
        "kind": "Message",
        "native": RecordedNative(tool="message", digest="d"),
        "original": {},
        "final": {},
        "final_digest": None,
        "decision": Decision.REFUSE,
        "code": "no-responders",
        "reason": "nobody",
        "hooks": [hook],
        "trace_id": "t" * 32,
        "span_id": None,
        "producer": Producer(instance="g", sequence=1),
    }
    return Record(**fields | more)


def test_what_shadows_said_is_one_line() -> None:
    """Beside what was decided without them, each with its ending."""
    shadow = ShadowRecord(
        call_id="c",
        phase=Phase.BEFORE,
        at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        revision=1,
        client="local",
        tool="message\x1b[31m",
        decision=Decision.RUN,
        hooks=record().hooks,
        trace_id="t" * 32,
    )
    data = json.dumps(shadow.to_wire()).encode()

    line = stored_line(Stored(9, "tool.record.shadow.message", "c.before.shadow", 0, data)).plain

    assert (
        f"shadow   message\N{REPLACEMENT CHARACTER}[31m  beside run  [block-kit no_responders 1.0 ms]  trace {'t' * 32}"
        == line[10:]
    )


def test_a_record_is_one_line_with_everything_that_decided() -> None:
    """Decision, tool and action, code and reason, each hook with its ending and time, the trace."""
    line = record_line(record()).plain

    expected = f"refuse   message.send  no-responders: nobody  [block-kit no_responders 1.0 ms]  trace {'t' * 32}"
    assert expected == line.split("  ", 1)[1]


def test_a_record_without_reason_action_and_trace_has_no_holes() -> None:
    """What is absent takes no place."""
    line = record_line(
        record(action=None, code=None, reason=None, hooks=[], trace_id=None, decision=Decision.RUN)
    ).plain

    assert "run      message" == line.split("  ", 1)[1].rstrip()


@pytest.mark.parametrize("field", ["tool", "action", "reason"])
def test_a_record_cannot_write_escape_sequences(field: str) -> None:
    """Whatever an agent called a tool, the terminal is safe, and the line stays one line."""
    line = record_line(record(**{field: "\x1b[31mred\nline\r"})).plain

    assert not {"\x1b", "\n", "\r"} & set(line)


def test_an_event_keeps_its_lines_and_nothing_else() -> None:
    """The end of a log has several lines; its escape sequences are replaced."""
    line = event_line(Event(EventKind.WARNING, "x", "first\n  \x1b[0msecond")).plain

    assert line.endswith("x                  first\n  \N{REPLACEMENT CHARACTER}[0msecond")


def test_plain_text_and_short_text() -> None:
    """Printable text is untouched; long text ends in an ellipsis."""
    assert plain("Grüße 🎉") == "Grüße 🎉"
    assert plain("a\tb\n") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"
    assert ("a b", "abc…") == (shorten(" a \n b ", 9), shorten("abcdef", 4))


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    home = Home(tmp_path / "home").prepared()
    home.log("validator-1").write_text("one\ntwo\n\x1b[31mthree\n")
    home.log("validator-2").write_text("other\n")
    home.log("gateway").write_text("listening\n")
    return home.logs


@pytest.mark.usefixtures("logs")
def test_the_last_lines_of_one_process(interpose: Callable[..., Any]) -> None:
    """Alone without its name, and without escape sequences."""
    assert "two\n\N{REPLACEMENT CHARACTER}[31mthree\n" == interpose("logs", "validator-1", "--lines", "2").out


@pytest.mark.usefixtures("logs")
def test_the_logs_of_a_service_and_of_everything(interpose: Callable[..., Any]) -> None:
    """Several logs have the process before each line; JSON names it in a field."""
    assert ["validator-1", "validator-2"] == [
        line.split()[0] for line in interpose("logs", "validator", "-n", "1").out.splitlines()
    ]
    assert {"log": "gateway", "line": "listening"} in [
        json.loads(line) for line in interpose("logs", "--json").out.splitlines()
    ]


@pytest.mark.usefixtures("logs")
def test_a_log_that_is_not_there(interpose: Callable[..., Any]) -> None:
    """The sentence lists those that are."""
    ran = interpose("logs", "absent")

    assert ran.code == 1
    assert "gateway, validator-1, validator-2" in ran.err

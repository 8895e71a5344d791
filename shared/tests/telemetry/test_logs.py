"""Log lines: JSON for programs with the call they are about, text for people, and nothing that breaks out of a line."""

import asyncio
import json
import logging
from typing import Any

import pytest

from interpose.errors import ConfigurationError
from interpose.telemetry import logs, spans


def line(message: str, level: int = logging.INFO, exc_info: Any = None) -> dict[str, Any]:
    """What one record becomes."""
    record = logging.LogRecord("interpose.worker", level, __file__, 1, message, (), exc_info)
    written = logs.JsonLines("validator", "validator-1").format(record)
    assert "\n" not in written
    return dict(json.loads(written))


def test_a_line_says_when_who_and_what() -> None:
    """Time in UTC, level, service, instance, logger, message; what is not known is not there."""
    told = line("answers on tool.call.*.validator")

    assert {"at", "level", "service", "instance", "logger", "message"} == told.keys()
    assert ("info", "validator", "validator-1") == (told["level"], told["service"], told["instance"])
    assert told["at"].endswith("+00:00")


def test_a_line_written_in_a_call_carries_its_id() -> None:
    """Also in what the call's task starts; a task beside it carries its own."""

    async def one(call_id: str) -> list[str | None]:
        logs.about(call_id)
        await asyncio.sleep(0)
        return [line("x").get("call_id"), await asyncio.to_thread(lambda: line("y").get("call_id"))]

    async def both() -> list[list[str | None]]:
        return await asyncio.gather(one("call-1"), one("call-2"))

    assert [["call-1", "call-1"], ["call-2", "call-2"]] == asyncio.run(both())


def test_a_line_written_in_a_span_carries_its_trace() -> None:
    """The ids are those of the span around it."""
    with spans.start("interpose.answer") as span:
        told = line("x")

    assert (spans.trace_id(span), spans.span_id(span)) == (told.get("trace_id"), told.get("span_id"))


def test_an_exception_stands_in_its_line() -> None:
    """The traceback is one value, not lines of its own."""
    error = ValueError("two\nlines")
    told = line("broke", logging.ERROR, (type(error), error, None))

    assert "ValueError: two\nlines" == told["error"]


def test_people_read_a_line_as_text() -> None:
    """Time, level, message, the call; a line of another program stays as it is."""
    told = json.dumps({"at": "2026-01-01T00:00:00+00:00", "level": "error", "message": "late", "call_id": "c1"})

    assert "2026-01-01T00:00:00+00:00 ERROR late  [call c1]" == logs.readable(told)


@pytest.mark.parametrize("other", ["[1] [INF] Server is ready", '{"no": "line of ours"}', "{broken", "", "[]"])
def test_what_is_no_line_of_ours_is_shown_as_it_is(other: str) -> None:
    """The broker's log and tracebacks stay readable."""
    assert other == logs.readable(other)


@pytest.mark.parametrize(("variable", "value"), [(logs.LEVEL, "LOUD"), (logs.FORMAT, "xml")])
def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    """With what may stand there."""
    monkeypatch.setenv(variable, value)

    with pytest.raises(ConfigurationError, match=rf"{variable}: is '{value}'; write one of"):
        logs.set_up("validator", "validator-1")

"""Logs of one process: one JSON object a line for programs, or a line of text for people at a terminal.

A line that is written while a call is at work carries its id, and the ids of its trace and span.
"""

import json
import logging
import os
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from interpose.errors import ConfigurationError, Fault
from interpose.telemetry import spans

LEVEL, FORMAT = "INTERPOSE_LOG_LEVEL", "INTERPOSE_LOG_FORMAT"
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
TEXT = "%(asctime)s %(levelname)s %(message)s"

_CALL: ContextVar[str | None] = ContextVar("interpose_call_id", default=None)


class Format(StrEnum):
    """How lines are written."""

    JSON = "json"
    TEXT = "text"


def set_up(service: str, instance: str) -> None:
    """Log to standard error, as the environment says. Raises ConfigurationError naming the variable."""
    level = _one_of(LEVEL, os.environ.get(LEVEL, "INFO").upper(), LEVELS)
    usual = Format.TEXT if sys.stderr.isatty() else Format.JSON
    chosen = Format(_one_of(FORMAT, os.environ.get(FORMAT, usual).lower(), tuple(Format)))
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines(service, instance) if chosen is Format.JSON else logging.Formatter(TEXT))
    logging.basicConfig(level=level, handlers=[handler], force=True)


def about(call_id: str) -> None:
    """Everything that this task and its children log from now on is about this call."""
    _CALL.set(call_id)


class JsonLines(logging.Formatter):
    """A record as `{"at", "level", "service", "instance", "logger", "message", …}`; what is absent is left out."""

    def __init__(self, service: str, instance: str) -> None:
        super().__init__()
        self._process = {"service": service, "instance": instance}

    def format(self, record: logging.LogRecord) -> str:
        """One line; what stands in it cannot end it."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            **self._process,
            "logger": record.name,
            "message": record.getMessage(),
            "call_id": _CALL.get(),
            "trace_id": spans.trace_id(span := spans.current()),
            "span_id": spans.span_id(span),
            "error": self.formatException(record.exc_info) if record.exc_info else None,
        }
        return json.dumps({name: value for name, value in line.items() if value is not None}, ensure_ascii=False)


def readable(line: str) -> str:
    """A line of a log for people: one of ours as text, anything else as it is."""
    try:
        told = json.loads(line) if line.startswith("{") else None
    except ValueError:
        return line
    if not isinstance(told, dict) or not {"at", "level", "message"} <= told.keys():
        return line
    about_call = f"  [call {told['call_id']}]" if "call_id" in told else ""
    error = f"\n{told['error']}" if "error" in told else ""
    return f"{told['at']} {str(told['level']).upper()} {told['message']}{about_call}{error}"


def _one_of(variable: str, value: str, known: tuple[str, ...]) -> str:
    if value in known:
        return value
    fault = Fault(variable, f"is {value[:40]!r}; write one of {', '.join(known)}")
    raise ConfigurationError("the environment cannot be used", [fault])

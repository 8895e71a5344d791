"""`interpose records show`: everything that is on the record about one call, for people."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpose.cli.lines import DECISION_STYLE
from interpose.cli.plain import plain

if TYPE_CHECKING:
    from rich.text import Text

    from interpose.contracts.record import Record, RecordedHook
    from interpose.records.stored import Stored

Line = tuple[str, str]
"""A line and its style."""


def page(records: "list[Stored]") -> "Iterator[Text]":
    """One line after another; nothing of a record can write an escape sequence."""
    from rich.text import Text

    for stored in records:
        record = stored.record
        lines = _other(stored) if record is None else _record(stored.sequence, record)
        for said, style in lines:
            yield Text(plain(said), style)


def _other(stored: "Stored") -> Iterator[Line]:
    yield f"{stored.kind} record {stored.sequence}", "bold"
    yield f"  {_json(stored.body)}", ""


def _record(sequence: int, record: "Record") -> Iterator[Line]:
    called = record.tool if record.action is None else f"{record.tool}.{record.action}"
    by = f" by {record.decided_by}" if record.decided_by else ""
    outcome = f", the tool: {record.outcome}" if record.outcome else ""
    yield f"{record.phase} {called}: {record.decision}{by}{outcome}", f"bold {DECISION_STYLE.get(record.decision, '')}"
    for name, value in _facts(sequence, record).items():
        if value is not None:
            yield f"  {name:<11}{value}", ""
    for change in record.changes:
        yield f"  change     {change.hook}: {change.digest_before} → {change.digest_after}", ""
    for warning in record.warnings:
        yield f"  warning    {warning}", "yellow"
    for hook in record.hooks:
        yield from _hook(hook)


def _facts(sequence: int, record: "Record") -> dict[str, str | None]:
    context, native = record.context, record.native
    who = {"client": record.client, "user": context.user, "session": context.session}
    final = None if record.final is None else _json(record.final)
    value = "parameters" if record.phase == "before" else "response"
    return {
        "reason": ": ".join(part for part in (record.code, record.reason) if part) or None,
        "at": f"{record.at.isoformat()}, record {sequence}, revision {record.revision}",
        "call": record.call_id,
        "who": ", ".join(f"{name} {said}" for name, said in who.items() if said),
        "trace": record.trace_id,
        "native": f"{native.platform or 'no platform'}: {native.tool}, {native.digest}",
        "digest": record.final_digest,
        value: final,
    }


def _hook(hook: "RecordedHook") -> Iterator[Line]:
    how = f"{hook.service}, {hook.fail_mode}, {hook.mode}"
    took = f"{hook.ms:.1f} ms" + (f" by {hook.worker}" if hook.worker else "")
    style = "red" if hook.effect in {"stopped", "approval"} else ""
    yield f"  hook       {hook.name} ({how}): {hook.ending} → {hook.effect}, {took}", style
    said = ": ".join(part for part in (hook.code, hook.reason) if part)
    if said:
        yield f"    reason   {said}", ""
    for warning in hook.warnings:
        yield f"    warning  {warning}", "yellow"
    for name, value in hook.annotations.items():
        yield f"    noted    {name}: {_json(value)}", ""


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

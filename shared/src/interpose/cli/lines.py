"""Lines for people: what the supervisor tells, and one line for each record."""

from datetime import datetime
from typing import TYPE_CHECKING

from interpose.cli.plain import plain, shorten

if TYPE_CHECKING:
    from rich.text import Text

    from interpose.contracts.record import Record, RecordedHook, ShadowRecord
    from interpose.embedded.events import Event
    from interpose.records.stored import Stored

REASON_WIDTH = 160

DECISION_STYLE = {
    "run": "green",
    "deliver": "green",
    "refuse": "bold red",
    "withhold": "bold red",
    "ask": "bold yellow",
}
EVENT_STYLE = {
    "ready": "green",
    "restarted": "green",
    "warning": "bold yellow",
    "crashed": "bold red",
    "killed": "bold red",
}


def event_line(event: "Event") -> "Text":
    """`12:00:00  validator-1   ready after 300 ms`."""
    from rich.text import Text

    now = f"{datetime.now():%H:%M:%S}  "
    message = plain(event.message, lines=True)
    return Text.assemble((now, "dim"), f"{plain(event.name):<18} ", (message, EVENT_STYLE.get(event.kind, "")))


def stored_line(stored: "Stored") -> "Text":
    """The line of a record; of one that is no call's, what it says of itself."""
    if (record := stored.record) is not None:
        return record_line(record)
    if (shadow := stored.shadow) is not None:
        return shadow_line(shadow)
    return _other_line(stored)


def _other_line(stored: "Stored") -> "Text":
    """`registry  what was done, by whom`; of a form that this version does not know, its number."""
    from rich.text import Text

    body = stored.body if isinstance(stored.body, dict) else {}
    what, by = body.get("what"), body.get("by")
    if not (isinstance(what, str) and isinstance(by, str)):
        return Text(f"{plain(stored.kind)} record {stored.sequence} has a form that this version does not know", "dim")
    return Text(f"{plain(stored.kind):<9}{shorten(plain(what), REASON_WIDTH)}  by {plain(by)}")


def record_line(record: "Record") -> "Text":
    """`12:00:00  refuse   message.send  code: reason  [hook stopped 3 ms worker]  trace`."""
    from rich.text import Text

    called = record.tool if record.action is None else f"{record.tool}.{record.action}"
    said = ": ".join(part for part in (record.code, record.reason) if part)
    return Text.assemble(
        (f"{record.at.astimezone():%H:%M:%S}  ", "dim"),
        (f"{record.decision:<9}", DECISION_STYLE.get(record.decision, "")),
        f"{plain(called)}  ",
        (f"{shorten(plain(said), REASON_WIDTH)}  " if said else "", ""),
        ("  ".join(_hook(hook) for hook in record.hooks), "dim"),
        (f"  trace {record.trace_id}" if record.trace_id else "", "dim"),
    )


def shadow_line(record: "ShadowRecord") -> "Text":
    """`12:00:00  shadow   message  beside refuse  [hook reject 3 ms]  trace`: what hooks said that change nothing."""
    from rich.text import Text

    return Text.assemble(
        (f"{record.at.astimezone():%H:%M:%S}  ", "dim"),
        (f"{'shadow':<9}", "cyan"),
        f"{plain(record.tool)}  beside {record.decision}  ",
        ("  ".join(_hook(hook) for hook in record.hooks), "dim"),
        (f"  trace {record.trace_id}" if record.trace_id else "", "dim"),
    )


def _hook(hook: "RecordedHook") -> str:
    return f"[{plain(hook.name)} {plain(hook.ending)} {hook.ms:.1f} ms]"

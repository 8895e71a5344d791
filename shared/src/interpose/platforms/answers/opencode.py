"""OpenCode runs hooks in its own process: this is what our plugin is told to do (deploy/agents/opencode).

`throw` ends the call with that message, `args` are written into the call's own object in place, `output` stands in
the result's place. It has no way to ask a person.
"""

from typing import Any

from interpose.platforms.answers import saying
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling

READ_BEFORE = frozenset({"list_mcp_resources", "read_mcp_resource"})
"""Tools that may have read their arguments before plugins are asked: seen in code of OpenCode, in no document."""
CANNOT_CHANGE = "its parameters would have to be changed, and OpenCode has read those of {tool} already"


def answer(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """An empty object: go on."""
    match ruling.kind:
        case Kind.ALLOW | Kind.DELIVER:
            return saying.said({})
        case Kind.REWRITE:
            is_read = event.tool in READ_BEFORE
            return saying.said(
                {"throw": CANNOT_CHANGE.format(tool=event.tool)} if is_read else {"args": ruling.arguments}
            )
        case Kind.REPLACE:
            return saying.said({"output": ruling.output})
        case Kind.ASK:
            return saying.said({"throw": saying.unasked(ruling)})
        case _ if event.moment is Moment.AFTER:
            original, notice = saying.original(event), saying.withheld(ruling)
            return saying.said({"output": _withheld(original, notice)})
        case _:
            return saying.said({"throw": saying.reason_of(ruling)})


def _withheld(response: Any, notice: str) -> Any:
    """Emptied, with the notice where OpenCode reads: it shows parts of the types that it knows, and files as files."""
    if response is None:
        return notice
    form = saying.emptied(response, notice)
    if isinstance(form, dict) and isinstance(form.get("content"), list):
        return {**form, "content": [{"type": "text", "text": notice}]}
    return {**form, "attachments": []} if isinstance(form, dict) and "attachments" in form else form

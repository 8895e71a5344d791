"""What forbids a transform's output. Pure."""

from collections.abc import Sequence

from interpose.canonical.action import action_of
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.contracts.paths import json_path
from interpose.contracts.words import Phase
from interpose.errors import Fault, InvalidInput
from interpose_gateway.core.toolcall import ToolCall


def check_output(call: ToolCall, phase: Phase, output: JsonObject) -> Sequence[Fault]:
    """It breaks the tool's schema, changes the tool's action, is not canonical, or meets rules that nobody planned."""
    if phase is Phase.AFTER:
        return ()
    own = _action_faults(call, output) or _form_faults(call, output)
    return [*own, *call.revision.faults(call.identity.canonical, output)]


def _action_faults(call: ToolCall, output: JsonObject) -> list[Fault]:
    told = action_of(call.identity.canonical, call.parameters, call.revision.tools)
    now = action_of(call.identity.canonical, output, call.revision.tools)
    is_same = fold(now or "") == fold(call.identity.action or "")
    if is_same or (told is None and now is None):
        return []
    return [Fault("$.parameters", f"a transform may not change the action from {call.identity.action!r} to {now!r}")]


def _form_faults(call: ToolCall, output: JsonObject) -> list[Fault]:
    """Judges read arguments by their canonical names, and were chosen by what the call was before."""
    try:
        found = call.read_again(output)
    except InvalidInput as error:
        return list(error.faults)
    native = [name for name in output if name not in found.parameters]
    gained = [tool for tool in found.identity.views if tool not in call.identity.views]
    return [
        *(Fault(json_path(["parameters", name]), "is not the canonical name of its argument") for name in native),
        *(Fault("$.parameters", f"a transform may not make the call one for {tool} as well") for tool in gained),
    ]

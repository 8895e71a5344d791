"""The bytes of an ask. The value is encoded once and stands in every ask of its turn as the very same bytes."""

from typing import Any

import orjson

from interpose.contracts.model import JsonObject
from interpose.contracts.words import Phase
from interpose.planning.plan import Step
from interpose_gateway.core.toolcall import ToolCall, ToolResponse


class AskBody:
    """Everything of an ask but the hook: shared by all hooks asked about the same value."""

    def __init__(
        self,
        call: ToolCall,
        phase: Phase,
        value: JsonObject,
        response: ToolResponse | None,
        changed_by: tuple[str, ...] = (),
    ) -> None:
        self.call = call
        self.phase = phase
        self.value = value
        self._response = response
        self._changed_by = changed_by
        self._fields = self._encode_fields()

    def changed(self, value: JsonObject, hook: str) -> "AskBody":
        """The body after a transform."""
        call = self.call.with_parameters(value) if self._response is None else self.call
        return AskBody(call, self.phase, value, self._response, (*self._changed_by, hook))

    def encode(self, step: Step, ask_id: str) -> bytes:
        """The whole ask for one hook."""
        own = {"tool": step.tool, "hook": step.hook.name, "with": step.hook.settings, "ask_id": ask_id}
        native = self._native(with_arguments=step.hook.native)
        return orjson.dumps({**self._fields, **own, "native": native})

    def shown(self, step: Step) -> dict[str, Any]:
        """The same ask as plain values, for the hook's condition: `with` as `settings`, without what chance chooses."""
        fields = self._fields | {"tool": step.tool, "hook": step.hook.name, "settings": step.hook.settings}
        fields["native"] = self._native(with_arguments=step.hook.native)
        if self._response is None:
            return fields | {"parameters": self.value}
        return fields | {"parameters": self.call.parameters, "response": self.value}

    def _encode_fields(self) -> dict[str, Any]:
        call, is_before = self.call, self._response is None
        parameters = self.value if is_before else call.parameters
        fields: dict[str, Any] = {
            "action": call.identity.action,
            "parameters": orjson.Fragment(orjson.dumps(parameters)),
            "context": call.context.model_dump(mode="json", exclude_none=True),
            "phase": self.phase.value,
            "call_id": call.call_id,
            "revision": call.revision.number,
            "canonical_tool": call.identity.canonical,
            "kind": call.identity.kind,
            "targets": [target.to_wire() for target in call.identity.targets],
            "intents": [intent.value for intent in call.identity.intents],
            "changed_by": list(self._changed_by),
        }
        if self._response is not None:
            fields["response"] = orjson.Fragment(orjson.dumps(self.value))
            fields["status"] = self._response.status.value
            fields["wrapped"] = self._response.wrapped
            fields["duration_ms"] = self._response.duration_ms
        return fields

    def _native(self, *, with_arguments: bool) -> dict[str, Any]:
        call = self.call
        native: dict[str, Any] = {
            "platform": call.context.platform,
            "tool": call.identity.native,
            "digest": call.native_digest,
        }
        return native | {"arguments": call.native_arguments} if with_arguments else native

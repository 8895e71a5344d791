"""Every span name and attribute, declared before it is emitted. All are bounded: no inbox, id or free text in a name.

Conventions: OpenTelemetry `gen_ai` execute_tool and `messaging`; our own under `interpose.`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from interpose.contracts.words import Phase

CALL: Final = "execute_tool"
"""One tool call in the gateway, from the door to the answer."""
PHASE: Final = "interpose.phase"
ASK: Final = "interpose.ask"
"""The gateway's wait for one hook."""
ANSWER: Final = "interpose.answer"
"""A worker at work on one ask."""
EXECUTE: Final = "interpose.execute"
RUN: Final = "interpose.run"
"""A tool worker at work."""
RECORD: Final = "interpose.record"
EVALUATE: Final = "interpose.evaluate"
"""A call that an agent runs itself, from the question to the answer; all that follows it stands below this span."""
REPORT: Final = "interpose.report"
"""What the agent reports of it, from its arrival to the answer."""
INSTALL: Final = "interpose.install_scan"
"""An install that an agent asks about."""
RESOLVE: Final = "interpose.resolve"
"""A person's answer to a question about such a call, and what a second plan makes of a yes."""

TOOL: Final = "gen_ai.tool.name"
CALL_ID: Final = "gen_ai.tool.call.id"
OPERATION: Final = "gen_ai.operation.name"
CLIENT: Final = "interpose.client"
HOOK: Final = "interpose.hook"
SERVICE: Final = "interpose.service"
PHASE_NAME: Final = "interpose.phase.name"
ENDING: Final = "interpose.ending"
EFFECT: Final = "interpose.effect"
CONDITION: Final = "interpose.condition"
"""Why a hook's condition could not be told, so that the hook was asked."""
DECISION: Final = "interpose.decision"
CODE: Final = "interpose.code"
OUTCOME: Final = "interpose.outcome"
REVISION: Final = "interpose.revision"
WORKER: Final = "interpose.worker"
SYSTEM: Final = "messaging.system"
DESTINATION: Final = "messaging.destination.template"


@lru_cache(maxsize=1024)
def ask_attributes(hook: str, service: str, phase: Phase) -> Mapping[str, str]:
    """Attributes of an ask, on the gateway's span and on the worker's. The same object for the same ask: copy it."""
    return {
        HOOK: hook,
        SERVICE: service,
        PHASE_NAME: phase.value,
        SYSTEM: "nats",
        DESTINATION: "tool.call.{phase}.{service}",
    }


def call_attributes(call_id: str, tool: str, client: str, revision: int) -> dict[str, str | int]:
    """Attributes of a call's root span. Values may be unbounded, names never are."""
    return {OPERATION: CALL, CALL_ID: call_id, TOOL: tool, CLIENT: client, REVISION: revision}

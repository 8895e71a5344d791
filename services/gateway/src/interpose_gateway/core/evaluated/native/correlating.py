"""By what an event after a call is joined with the one before it. Pure."""

from interpose.contracts.digest import digest
from interpose.contracts.model import JsonObject
from interpose.platforms.event import ToolEvent

SHOWN: dict[str, tuple[str, ...]] = {"beforeShellExecution": ("command",)}
"""Of these tools the event behind the call repeats these arguments only."""


def key_of(client: str, event: ToolEvent, arguments: JsonObject | None = None) -> str:
    """The platform's id of the call; without one the turn, the tool and its arguments.

    Calls of one client, platform and session only: no other's can be meant.
    """
    place = [client, event.platform, event.session]
    if event.call_id is not None:
        return _hashed([*place, "call", event.call_id])
    given = event.arguments if arguments is None else arguments
    names = SHOWN.get(event.tool)
    told = given if names is None else {name: given.get(name) for name in names}
    return _hashed([*place, "like", event.run_id, event.tool, told])


def _hashed(parts: list[object]) -> str:
    return digest(parts).rpartition(":")[2]

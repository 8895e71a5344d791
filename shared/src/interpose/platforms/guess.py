"""Which platform sent an event: only where one reads it, or one alone knows all of its fields."""

from collections.abc import Iterator

from interpose.contracts.model import JsonObject
from interpose.errors import Fault, InvalidInput
from interpose.platforms.event import ToolEvent
from interpose.platforms.read import MODULES, PLATFORMS
from interpose.platforms.schema import field_names


def guess(payload: JsonObject) -> ToolEvent:
    """The event of the only platform that it can be of. Raises InvalidInput where there are none or several."""
    events = list(_readable(payload))
    exact = [event for event in events if _knows_all(event)]
    if len(events) == 1 or len(exact) == 1:
        return (exact or events)[0]
    could = " or ".join(event.platform for event in exact or events)
    message = f"could be of {could}" if events else "is read by no platform's models"
    remedy = f"say which platform sent it, with --platform: {', '.join(PLATFORMS)}"
    raise InvalidInput("nobody can tell which platform sent this event", [Fault("$", f"{message}; {remedy}")])


def _readable(payload: JsonObject) -> Iterator[ToolEvent]:
    for module in MODULES:
        try:
            yield module.read(payload)
        except InvalidInput:
            continue


def _knows_all(event: ToolEvent) -> bool:
    module = next(module for module in MODULES if event.platform == module.PLATFORM)
    return event.payload.keys() <= field_names(module.EVENTS[event.name].model)

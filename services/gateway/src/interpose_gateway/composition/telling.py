"""What a gateway tells of itself: whether it is ready, who it is, how it fares."""

from typing import Any

from interpose.bus import subjects
from interpose.bus.responder import Responder
from interpose_gateway.adapters.metrics import Metrics
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.adapters.registry_kv import KvRegistry
from interpose_gateway.composition.line import Line
from interpose_gateway.core.shadows import Shadows


def trouble(registry: KvRegistry, lines: tuple[Line, ...]) -> list[str]:
    """Why nothing can be decided now; nothing where all is well."""
    found = [] if registry.confirmed() else [registry.trouble()]
    if not all(line.client.is_connected for line in lines):
        found.append("the broker is not connected")
    return found


def state(registry: KvRegistry, instance: str) -> dict[str, Any]:
    """What `/readyz` says of the gateway itself."""
    revision = registry.confirmed()
    return {
        "instance": instance,
        "revision": revision.number if revision else None,
        "registry_digest": revision.digest if revision else None,
        "hooks": len({entry.hook.name for entry in revision.entries}) if revision else 0,
    }


def presence(registry: KvRegistry) -> dict[str, str]:
    """What is said to whoever asks for its presence: `hooks apply` waits for the revision."""
    revision = registry.confirmed()
    own = {"role": subjects.GATEWAY_QUEUE}
    return own if revision is None else own | {"revision": str(revision.number), "digest": revision.digest}


def refresh(
    metrics: Metrics, lines: tuple[Line, ...], recorder: StreamRecorder, responders: list[Responder], shadows: Shadows
) -> None:
    """Bring the gauges of the adapters up to date."""
    metrics.stray_replies.set(sum(line.asker.stray for line in lines))
    metrics.repeated_asks.set(sum(line.asker.repeated for line in lines))
    metrics.owed_records.set(recorder.owed)
    metrics.lost_shadows.set(shadows.lost)
    metrics.dropped_requests.set(sum(each.tally.dropped for each in responders))

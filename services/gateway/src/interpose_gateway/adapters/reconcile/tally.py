"""What reconciling shows to Prometheus, beside the gateway's own metrics."""

from collections.abc import Callable

from prometheus_client import Counter, Gauge

from interpose.contracts.words import Outcome
from interpose_gateway.adapters.metrics import Metrics


class ClosingTally:
    """The core's `Closings`."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._expired = Counter(
            "interpose_expired_evaluations", "Evaluations that nobody reported", registry=metrics.registry
        )
        self._lost = Counter(
            "interpose_lost_calls", "Calls whose gateway was gone before their end", registry=metrics.registry
        )
        self._open = Gauge(
            "interpose_open_evaluations", "Not reported yet, as the reconciler knows", registry=metrics.registry
        )
        self._reconciling = Gauge(
            "interpose_reconciling", "1 where this gateway is the reconciler", registry=metrics.registry
        )

    def begin(self, count_open: Callable[[], int]) -> None:
        """This gateway is the reconciler."""
        self._reconciling.set(1)
        self._open.set_function(count_open)

    def end(self) -> None:
        """It is no longer."""
        self._reconciling.set(0)
        self._open.set_function(lambda: 0)

    def closed(self, outcome: Outcome) -> None:
        """One call was closed."""
        (self._expired if outcome is Outcome.EXPIRED else self._lost).inc()

    def alarm(self, kind: str, message: str) -> None:
        """As the gateway's other alarms."""
        self._metrics.alarm(kind, message)

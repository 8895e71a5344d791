"""The spans of one call, among all that the demo's processes send."""

from interpose.testing.spans import Span, SpanReceiver

CALL, ANSWER = "execute_tool", "interpose.answer"


def whole_trace(receiver: SpanReceiver, trace_id: str, answered: int, timeout_s: float) -> list[Span]:
    """The spans of a call, once its own and those of so many workers are here, or as many as came in time."""

    def of_call(spans: list[Span]) -> list[Span]:
        return [span for span in spans if span.trace_id == trace_id]

    return of_call(receiver.until(lambda spans: _is_whole(of_call(spans), answered), timeout_s))


def about(span: Span) -> str:
    """Which hook or tool a span is about."""
    return str(span.attributes.get("interpose.hook") or span.attributes.get("gen_ai.tool.name") or "")


def _is_whole(spans: list[Span], answered: int) -> bool:
    """Processes send their spans on their own, so the call's may be here before those of its workers."""
    names = [span.name for span in spans]
    return CALL in names and names.count(ANSWER) >= answered

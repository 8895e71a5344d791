"""A trace as a waterfall of text: each span on a line, its place in time as a bar."""

from collections.abc import Iterator

from spans import about

from interpose.testing.spans import Span

WIDTH = 48
LABEL = 52


def waterfall(spans: list[Span]) -> Iterator[str]:
    """Lines from the call's span down, children below their parents in the order in which they began."""
    if not spans:
        return
    known = {span.span_id for span in spans}
    start = min(span.start_ns for span in spans)
    whole = max(span.end_ns for span in spans) - start or 1
    for root in _sorted([span for span in spans if span.parent_id not in known]):
        yield from _below(root, spans, 0, start, whole)


def _below(span: Span, spans: list[Span], depth: int, start: int, whole: int) -> Iterator[str]:
    label = f"{'  ' * depth}{span.name} {about(span)}".rstrip()
    ms = (span.end_ns - span.start_ns) / 1e6
    yield f"{_fit(label):<{LABEL}} {_bar(span, start, whole)} {ms:7.2f} ms  {span.process}"
    for child in _sorted([one for one in spans if one.parent_id == span.span_id]):
        yield from _below(child, spans, depth + 1, start, whole)


def _bar(span: Span, start: int, whole: int) -> str:
    """At least one mark, however short the span was."""
    begin = min((span.start_ns - start) * WIDTH // whole, WIDTH - 1)
    length = max(1, (span.end_ns - span.start_ns) * WIDTH // whole)
    return f"|{' ' * begin}{'=' * min(length, WIDTH - begin)}".ljust(WIDTH + 1) + "|"


def _fit(label: str) -> str:
    return label if len(label) <= LABEL else label[: LABEL - 1] + "…"


def _sorted(spans: list[Span]) -> list[Span]:
    return sorted(spans, key=lambda span: (span.start_ns, span.end_ns))

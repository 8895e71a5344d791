"""What happens to the spans of a call that was not sampled."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

import pytest
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider, sampling
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import TraceFlags, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from interpose.telemetry import quiet, spans
from interpose.telemetry.late import Late

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
"""A caller that did not sample its trace."""


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Sequence[ReadableSpan]]]:
    """`left()`: the spans that left, where nothing is sampled."""
    memory = InMemorySpanExporter()
    monkeypatch.setattr(spans, "_TRACER", TracerProvider(sampling.ALWAYS_OFF).get_tracer("test"))
    quiet.leave_through(Late(SimpleSpanProcessor(memory), Resource.create({})).hand_over)
    yield memory.get_finished_spans
    quiet._ways_out.clear()


def test_a_call_that_went_well_leaves_nothing(left: Callable[[], Sequence[ReadableSpan]]) -> None:
    """Its spans have ids all the same, and they differ."""
    with spans.start("execute_tool") as root, spans.start("interpose.ask") as ask:
        ids = {spans.span_id(root), spans.span_id(ask)}

    assert 2 == len(ids - {None})
    assert spans.trace_id(root) == spans.trace_id(ask)
    assert () == left()


def test_a_kept_call_leaves_whole(left: Callable[[], Sequence[ReadableSpan]]) -> None:
    """Every span of it, with the ids, attributes and parents that it had."""
    with spans.start("execute_tool", parent=spans.extract({"traceparent": CALLER})) as root:
        with spans.start("interpose.ask", {"interpose.hook": "h"}) as ask:
            ask.set_attribute("interpose.ending", "reject")
        spans.keep(root)

    [told_ask, told_root] = left()
    assert ("interpose.ask", "execute_tool") == (told_ask.name, told_root.name)
    assert {"interpose.hook": "h", "interpose.ending": "reject"} == dict(told_ask.attributes or {})
    assert spans.span_id(root) == f"{told_root.context.span_id:016x}" == f"{told_ask.parent.span_id:016x}"
    assert spans.span_id(ask) == f"{told_ask.context.span_id:016x}"
    assert (CALLER[3:35], CALLER[36:52]) == (
        f"{told_root.context.trace_id:032x}",
        f"{told_root.parent.span_id:016x}",
    )
    assert told_root.start_time <= told_ask.start_time <= told_ask.end_time <= told_root.end_time


def test_a_failed_span_keeps_its_call(left: Callable[[], Sequence[ReadableSpan]]) -> None:
    """An ask without a verdict is to be seen, whatever came of the call."""
    with spans.start("execute_tool"), spans.start("interpose.ask") as ask:
        spans.fail(ask, "no answer")

    assert [("interpose.ask", "no answer"), ("execute_tool", None)] == [
        (span.name, span.status.description) for span in left()
    ]


def test_an_exception_keeps_its_call_and_goes_on(left: Callable[[], Sequence[ReadableSpan]]) -> None:
    """It is the status of the span that it ended."""
    with pytest.raises(ValueError, match="broken"), spans.start("interpose.answer"):
        raise ValueError("broken")

    assert ["ValueError: broken"] == [span.status.description for span in left()]


def test_what_ends_after_a_kept_call_leaves_too(left: Callable[[], Sequence[ReadableSpan]]) -> None:
    """An owed record is written when the answer is long out."""
    with spans.start("execute_tool") as root:
        late = spans.start("interpose.record")
        spans.keep(root)
    with late:
        pass

    assert ["execute_tool", "interpose.record"] == [span.name for span in left()]


def test_the_context_that_travels_says_not_sampled(left: Callable[[], Sequence[ReadableSpan]]) -> None:
    """Who is asked below records nothing either, and continues the same trace."""
    with spans.start("execute_tool", parent=Context()) as root:
        sent = spans.inject({})

    version, *ids, flags = sent["traceparent"].split("-")
    assert ("00", [spans.trace_id(root), spans.span_id(root)]) == (version, ids)
    assert not int(flags, 16) & TraceFlags.SAMPLED
    assert () == left()


def test_a_sampled_caller_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below a sampled span everything records, and says so to whom it asks."""
    memory, provider = InMemorySpanExporter(), TracerProvider(sampling.DEFAULT_OFF)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    monkeypatch.setattr(spans, "_TRACER", provider.get_tracer("test"))

    above = spans.extract({"traceparent": CALLER[:-2] + "01"})
    with spans.start("execute_tool", parent=above), spans.start("interpose.ask"):
        sent = spans.inject({})

    assert ["interpose.ask", "execute_tool"] == [span.name for span in memory.get_finished_spans()]
    assert sent["traceparent"].endswith("-01")


def test_a_sampled_call_inside_a_quiet_one_is_a_call_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it asks continues its own trace, and the quiet span is current again behind it."""
    memory, provider = InMemorySpanExporter(), TracerProvider(sampling.DEFAULT_OFF)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    monkeypatch.setattr(spans, "_TRACER", provider.get_tracer("test"))
    sampled = spans.extract({"traceparent": CALLER[:-2] + "01"})

    with spans.start("execute_tool"), spans.start("interpose.ask") as ask:
        with spans.start("execute_tool", parent=sampled), spans.start("interpose.record"):
            inside = spans.inject({})
        behind = spans.inject({})

    assert ["interpose.record", "execute_tool"] == [span.name for span in memory.get_finished_spans()]
    assert CALLER[3:35] == inside["traceparent"][3:35]
    assert spans.span_id(ask) == behind["traceparent"][36:52]


def test_tasks_beside_each_other_have_spans_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parallel asks of one call: each sends its own id, whoever began or ended in between."""
    monkeypatch.setattr(spans, "_TRACER", None)

    async def ask(is_begun: asyncio.Event, may_end: asyncio.Event) -> tuple[str | None, str]:
        with spans.start("interpose.ask") as span:
            is_begun.set()
            await may_end.wait()
            return spans.span_id(span), spans.inject({})["traceparent"][36:52]

    async def call() -> list[tuple[str | None, str]]:
        with spans.start("execute_tool"):
            one, two = asyncio.Event(), asyncio.Event()
            return await asyncio.gather(ask(one, two), ask(two, one))

    (first, first_sent), (second, second_sent) = asyncio.run(call())
    assert (first, second) == (first_sent, second_sent)
    assert first != second


@pytest.mark.parametrize(
    "traceparent",
    [
        CALLER,
        CALLER[:-2] + "01",
        CALLER[:-2] + "ff",
        f" {CALLER} ",
        f"{CALLER}-more",
        f"01{CALLER[2:]}-more",
        f"ff{CALLER[2:]}",
        CALLER.upper(),
        CALLER.replace("0af7651916cd43dd8448eb211c80319c", "0" * 32),
        CALLER.replace("b7ad6b7169203331", "0" * 16),
        f"{CALLER}\n",
        "no trace at all",
        "",
    ],
)
def test_a_traceparent_is_read_as_opentelemetry_reads_it(traceparent: str) -> None:
    """The quick reading of what we write ourselves differs in nothing from the specification's."""
    expected = TraceContextTextMapPropagator().extract({"traceparent": traceparent}, Context())

    found = spans.extract({"traceparent": traceparent})

    assert get_current_span(expected).get_span_context() == get_current_span(found).get_span_context()


@pytest.mark.parametrize("traceparent", ["", CALLER, CALLER[:-2] + "01"])
def test_where_nothing_is_exported_ids_travel_all_the_same(monkeypatch: pytest.MonkeyPatch, traceparent: str) -> None:
    """The caller's trace goes on, or one begins; no exporter, no sampler and no recording is needed for it."""
    monkeypatch.setattr(spans, "_TRACER", None)

    with spans.start("execute_tool", parent=spans.extract({"traceparent": traceparent})) as root:
        sent = spans.inject({})

    assert not root.is_recording()
    assert sent["traceparent"] == f"00-{spans.trace_id(root)}-{spans.span_id(root)}-00"
    assert spans.trace_id(root) == (traceparent[3:35] or spans.trace_id(root))


OTHERS = f"00-{'a' * 32}-{'b' * 16}-01"


def test_what_follows_a_span_that_has_ended_stands_below_it(left: Callable[[], Sequence[ReadableSpan]]) -> None:
    """By its ids, in whatever process; another trace that asked for it is linked, also where it leaves late."""
    with spans.start_linked(
        "interpose.report",
        {},
        parent=spans.resume(CALLER[3:35], CALLER[36:52]),
        caller=spans.extract({"traceparent": OTHERS}),
    ) as span:
        spans.keep(span)

    [told] = left()
    assert (CALLER[3:35], CALLER[36:52]) == (f"{told.context.trace_id:032x}", f"{told.parent.span_id:016x}")
    assert ["a" * 32] == [f"{link.context.trace_id:032x}" for link in told.links]


def test_a_caller_of_the_same_trace_is_no_link(left: Callable[[], Sequence[ReadableSpan]]) -> None:
    """Nor is one without any."""
    above = spans.resume(CALLER[3:35], CALLER[36:52])
    for caller in (spans.extract({"traceparent": CALLER}), Context()):
        with spans.start_linked("interpose.report", {}, parent=above, caller=caller) as span:
            spans.keep(span)

    assert [(), ()] == [tuple(told.links) for told in left()]


@pytest.mark.parametrize("traced", [True, False])
def test_without_ids_what_follows_begins_a_trace(monkeypatch: pytest.MonkeyPatch, traced: bool) -> None:
    """Where nothing is exported ids go on all the same."""
    if not traced:
        monkeypatch.setattr(spans, "_TRACER", None)

    assert not get_current_span(spans.resume(None, None)).get_span_context().is_valid
    with spans.start_linked("r", {}, parent=spans.resume("1" * 32, "2" * 16), caller=Context()) as span:
        assert spans.trace_id(span) == "1" * 32


@pytest.mark.parametrize(("ratio", "sampled"), [(1.0, True), (0.0, False)])
def test_what_follows_is_sampled_as_the_root_of_its_trace(
    monkeypatch: pytest.MonkeyPatch, ratio: float, sampled: bool
) -> None:
    """By its id, which says the same to every process with that ratio."""
    provider = TracerProvider(sampling.ParentBasedTraceIdRatio(ratio))
    monkeypatch.setattr(spans.trace, "get_tracer_provider", lambda: provider)

    context = get_current_span(spans.resume("1" * 32, "2" * 16)).get_span_context()

    assert sampled == bool(context.trace_flags & TraceFlags.SAMPLED)

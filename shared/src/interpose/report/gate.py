"""`Gate`: what an adapter stands in front of its agent's tools.

Nothing here raises into the agent. Whatever goes wrong before a call or an install is a no, and a gate that cannot be
configured says no to everything, and says so in the log: a gate that is not there would let everything through.
"""

import os
from collections.abc import Callable, Mapping
from typing import Literal, Self, TypeVar, Unpack

from interpose.report import folder, log
from interpose.report.claims import Call, Claims
from interpose.report.client import Client
from interpose.report.counters import Counted, Counters, FolderCounters, MemoryCounters
from interpose.report.courier import Clock, Courier
from interpose.report.decision import AMBIGUOUS, Decision, unavailable
from interpose.report.evaluation import Answered, Evaluations, Install, Question
from interpose.report.failure import text_of
from interpose.report.fields import name_of
from interpose.report.outbox import Outbox
from interpose.report.receipt import Outcome, Receipt, withhold
from interpose.report.reporting import ABSENT, Ending, Reports
from interpose.report.settings import Options, Settings, read
from interpose.report.shelves import FolderShelf, MemoryShelf

Status = Literal["success", "error", "not_executed"]
Resolution = Literal["approved", "denied", "timeout", "cancelled"]
T = TypeVar("T")


class Gate:
    """One adapter's way to the gateway. Threads may share it; `from_environment` makes one.

    A call is named by its `call_id`, else its `run_id`, else its `session` and `tool`, and by the same ones before and
    after. Every method returns in bounded time: the gateway is given `evaluate_timeout_ms` before and
    `report_timeout_ms` after, however it misbehaves.
    """

    def __init__(self, settings: Settings | None, trouble: str, clock: Clock | None = None) -> None:
        self._trouble = trouble
        self._counters: Counters = MemoryCounters()
        if settings is not None:
            self._compose(settings, clock or Clock())

    @classmethod
    def from_environment(
        cls, origin: str, environ: Mapping[str, str] | None = None, **options: Unpack[Options]
    ) -> Self:
        """The gate of an adapter; `origin` is the adapter's name. It always returns one, which may block everything."""
        try:
            settings, faults = read(origin, options, os.environ if environ is None else environ)
            gate = cls(settings, "; ".join(faults))
        except Exception as error:  # noqa: BLE001 - a gate that is not there would let everything through
            gate = cls(None, _said(error))
        if gate.trouble:
            log.error("EVERY CALL AND EVERY INSTALL IS BLOCKED until this is mended: %s", gate.trouble)
        return gate

    @property
    def trouble(self) -> str:
        """Why everything is blocked; empty while nothing is wrong with the configuration."""
        return self._trouble and f"misconfigured: {self._trouble}"

    @property
    def counters(self) -> dict[Counted, int]:
        """What happened so far, in every process that shares the folder."""
        return self._counters.read()

    def before(  # noqa: PLR0913 - what a platform tells of a call
        self,
        tool: str,
        arguments: object,
        *,
        call_id: str | None = None,
        run_id: str | None = None,
        session: str | None = None,
        agent_id: str | None = None,
        declared: object = None,
        metadata: object = None,
        dry_run: bool = False,
    ) -> Decision:
        """Whether this call may run. Run it with `arguments` of the decision, and only when it `is_allowed`.

        `declared` is the tool as its platform declares it (`description`, `input_schema`, `title`, `annotations`).
        """

        def judge() -> Decision:
            call = _call(_required(tool), call_id, run_id, session)
            return self._evaluations.judge(Question(call, arguments, declared, metadata, _text(agent_id), dry_run))

        return self._decide(judge)

    def after(  # noqa: PLR0913 - what a platform tells of the end of a call
        self,
        tool: str | None = None,
        *,
        call_id: str | None = None,
        run_id: str | None = None,
        session: str | None = None,
        result: object = ABSENT,
        error: object = None,
        status: Status | None = None,
        duration_ms: float | None = None,
    ) -> Receipt:
        """Report how a call ended; `status="not_executed"` for one that was allowed and did not run after all.

        An agent that can hold a response back delivers `result` of the receipt, and only where it says `deliver`.
        """

        def report() -> Receipt:
            call = _call(tool, call_id, run_id, session)
            return self._reports.report(Ending(call, result, error, _text(status), duration_ms))

        return self._guard(report, lambda trouble: withhold(Outcome.MISSED if self._trouble else Outcome.LOST, trouble))

    def resolve(  # noqa: PLR0913 - what a platform tells of a person's answer
        self,
        resolution: Resolution,
        tool: str | None = None,
        *,
        call_id: str | None = None,
        run_id: str | None = None,
        session: str | None = None,
        resolved_by: str | None = None,
        reason: str | None = None,
        scope: Literal["once", "always"] | None = None,
    ) -> Decision:
        """Tell the gateway what the person said; whether the call may run now. Its arguments are those of `before`."""

        def resolve() -> Decision:
            call = _call(tool, call_id, run_id, session)
            said = Answered(call, _text(resolution), _text(resolved_by), _text(reason), _text(scope))
            return self._evaluations.resolve(said)

        return self._decide(resolve)

    def install(  # noqa: PLR0913 - what a platform tells of an install
        self,
        name: str,
        *,
        version: str | None = None,
        source: str | None = None,
        spec: str | None = None,
        url: str | None = None,
        session: str | None = None,
        agent_id: str | None = None,
        metadata: object = None,
    ) -> Decision:
        """Whether this package may be installed."""

        def judge() -> Decision:
            given = {"name": name, "version": version, "source": source, "spec": spec, "url": url}
            package = {field: _text(text) for field, text in given.items() if text is not None}
            _required(name)
            return self._evaluations.judge_install(Install(package, metadata, _text(agent_id), _text(session)))

        return self._decide(judge)

    def drain(self, budget_ms: int = 1_000) -> int:
        """Send what waits in the outbox and is due, for as long as this; how many reports wait afterwards."""
        return self._guard(lambda: self._courier.drain(budget_ms), lambda _trouble: 0)

    def _compose(self, settings: Settings, clock: Clock) -> None:
        home = settings.folder / settings.origin
        claims, outbox, counts = (home / name for name in ("claims", "outbox", "counts"))
        for path in (settings.folder, home, claims, outbox, counts):
            folder.make_private(path)
        self._counters = FolderCounters(counts)
        client = Client(settings.endpoint, settings.token)
        is_shared = settings.claims == "folder"
        shelf = FolderShelf(claims) if is_shared else MemoryShelf(clock.now_ms)
        kept = Claims(settings.origin, shelf, self._counters, clock.now_ms)
        box = Outbox(outbox, self._counters, clock.now_ms)
        self._courier = Courier(
            box, client, self._counters, clock, timeout_ms=settings.report_timeout_ms, delivery=settings.delivery
        )
        self._evaluations = Evaluations(settings, kept, client, self._courier)
        self._reports = Reports(settings, kept, self._courier, self._counters)
        self._courier.resume()

    def _decide(self, work: Callable[[], Decision]) -> Decision:
        decision = self._guard(work, unavailable)
        if decision.is_local:
            self._counters.count(Counted.AMBIGUOUS if decision.reason == AMBIGUOUS else Counted.UNAVAILABLE)
        return decision

    def _guard(self, work: Callable[[], T], otherwise: Callable[[str], T]) -> T:
        """The one broad catch: whatever breaks here must not break the agent, and must not let anything through."""
        if self._trouble:
            return otherwise(self.trouble)
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - see above
            said = _said(error)
            log.error("a gate broke and blocked: %s", said)
            return otherwise(said)


def _said(error: Exception) -> str:
    """What went wrong. Errors of other kinds may carry what an agent works with."""
    is_plain = type(error) in (TypeError, ValueError) or isinstance(error, OSError)
    return text_of(error) if is_plain else type(error).__name__


def _call(tool: object, call_id: object, run_id: object, session: object) -> Call:
    return Call(_text(tool), _text(call_id), _text(run_id), _text(session))


def _required(given: object) -> str:
    """A name that cannot be left out. Raises ValueError where it was."""
    name = _text(given)
    if not name:
        raise ValueError("a tool and a package have a name")
    return name


def _text(given: object) -> str:
    """A name as a platform gives it. Raises TypeError for what is no text."""
    if given is None:
        return ""
    if not issubclass(type(given), str):
        raise TypeError(f"a name must be text, not {name_of(type(given))}")
    return str.__str__(given)

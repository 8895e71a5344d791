"""Sending reports until the gateway has them: a few times while the agent waits, then on and on from the outbox."""

import time
from pathlib import Path
from random import uniform
from threading import Event, Lock, Thread
from typing import NamedTuple

from interpose.report import forking, log
from interpose.report.client import Answer, Client, NoAnswer
from interpose.report.counters import Counted, Counters
from interpose.report.outbox import Outbox, Parcel
from interpose.report.receipt import Outcome

PATH = "/audit"
BACKGROUND = "background"
FIRST_WAIT_MS = 50
SHORTEST_WAIT_MS, LONGEST_WAIT_MS = 1_000, 60_000
_AGAIN = (408, 429)
"""Statuses below 500 that say nothing about the report: it came too slowly, or too many came at once."""
_UNRESOLVED = "approval_unresolved"


class Delivery(NamedTuple):
    """What came of sending. `answer` is there when the gateway took the report."""

    outcome: Outcome
    answer: Answer | None = None
    trouble: str = ""


class Clock:
    """Time and chance, so that tests need neither."""

    def now_ms(self) -> int:
        """Now, as other processes know it."""
        return time.time_ns() // 1_000_000

    def passed_ms(self) -> float:
        """A time that never goes back."""
        return time.monotonic() * 1000

    def sleep_ms(self, wait_ms: float) -> None:
        """Wait."""
        time.sleep(wait_ms / 1000)

    def jitter(self) -> float:
        """Around 1, so that those who failed together do not come again together."""
        return uniform(0.5, 1.5)  # noqa: S311 - nothing is secret about a waiting time


class Courier:
    """Delivers what `Outbox` keeps. Threads may share it."""

    def __init__(  # noqa: PLR0913 - its parts, composed in one place
        self, outbox: Outbox, client: Client, counters: Counters, clock: Clock, *, timeout_ms: int, delivery: str
    ) -> None:
        self._outbox = outbox
        self._client = client
        self._counters = counters
        self._clock = clock
        self._timeout_ms = timeout_ms
        self._is_background = delivery == BACKGROUND
        self.begin_afresh()
        forking.remember(self)

    def begin_afresh(self) -> None:
        """Without a thread yet: that of a process that forked did not come along, and may have held these."""
        self._lock = Lock()
        self._wake = Event()
        self._thread: Thread | None = None

    def send(self, body: bytes) -> Delivery:
        """Keep a report, then send it for as long as the agent waits."""
        parcel = self._outbox.put(body)
        try:
            delivery = self._deliver(parcel, self._clock.passed_ms() + self._timeout_ms)
        finally:
            parcel.close()
        if delivery.outcome is not Outcome.KEPT:
            return delivery
        return delivery if self._hand_over(parcel) else delivery._replace(outcome=Outcome.LOST)

    def leave(self, body: bytes) -> None:
        """Keep a report that nobody waits for."""
        parcel = self._outbox.put(body)
        parcel.close()
        self._hand_over(parcel)

    def drain(self, budget_ms: int) -> int:
        """Send what is due, once each, for as long as this. How many wait afterwards. Raises OSError."""
        give_up_ms = self._clock.passed_ms() + budget_ms
        for path in self._outbox.waiting():
            if self._clock.passed_ms() >= give_up_ms:
                break
            parcel = self._outbox.open(path) if self._is_due(path) else None
            if parcel is not None:
                self._send_again(parcel, give_up_ms)
        return len(self._outbox.waiting())

    def resume(self) -> None:
        """Go on with what an earlier process left. Raises OSError."""
        if self._is_background and self._outbox.waiting():
            self._start()

    def _hand_over(self, parcel: Parcel) -> bool:
        """Whether somebody will send it."""
        if not parcel.is_kept:
            self._counters.count(Counted.DROPPED)
            log.error("a report is lost")
        elif self._is_background:
            self._start()
        return parcel.is_kept

    def _start(self) -> None:
        """Deliver in the background until nothing waits. Does nothing where that is under way."""
        with self._lock:
            self._wake.set()
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="interpose-outbox", daemon=True)
                self._begin(self._thread)

    @staticmethod
    def _begin(thread: Thread) -> None:
        try:
            thread.start()
        except RuntimeError as error:
            log.warning("what waits in the outbox is left to the next process: %s", error)

    def _deliver(self, parcel: Parcel, give_up_ms: float) -> Delivery:
        wait_ms = FIRST_WAIT_MS * self._clock.jitter()
        delivery = self._attempt(parcel, give_up_ms)
        while delivery.outcome is Outcome.KEPT and self._clock.passed_ms() + wait_ms < give_up_ms:
            self._clock.sleep_ms(wait_ms)
            if self._clock.passed_ms() >= give_up_ms:  # whoever sleeps may be stopped for longer
                break
            wait_ms *= 2
            self._counters.count(Counted.RETRIED)
            delivery = self._attempt(parcel, give_up_ms)
        return delivery

    def _send_again(self, parcel: Parcel, give_up_ms: float) -> None:
        try:
            self._counters.count(Counted.RETRIED)
            self._attempt(parcel, give_up_ms)
        finally:
            parcel.close()

    def _attempt(self, parcel: Parcel, give_up_ms: float) -> Delivery:
        # Before it is sent: if this process dies meanwhile, the next one waits its turn.
        self._postpone(parcel)
        left_ms = max(1, round(give_up_ms - self._clock.passed_ms()))
        answer = self._client.post(PATH, parcel.body, left_ms)
        if isinstance(answer, Answer) and answer.is_success:
            self._end(parcel, Counted.FINALISED)
            return Delivery(Outcome.FINALISED, answer)
        if isinstance(answer, NoAnswer) or not is_final(answer):
            return Delivery(Outcome.KEPT, trouble=answer.trouble)
        self._end(parcel, Counted.REJECTED)
        log.error("a report was rejected: %s", answer.trouble)
        return Delivery(Outcome.REJECTED, trouble=answer.trouble)

    def _end(self, parcel: Parcel, what: Counted) -> None:
        self._counters.count(what)
        try:
            parcel.remove()
        except OSError as error:
            log.warning("a report that was sent stays in the outbox: %s", error.strerror)

    def _postpone(self, parcel: Parcel) -> None:
        """Wait as long again as it has already waited: that doubles, and needs no other memory than the file's name."""
        now_ms = self._clock.now_ms()
        wait_ms = min(max(now_ms - parcel.written_ms, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
        try:
            parcel.postpone(now_ms + round(wait_ms * self._clock.jitter()))
        except OSError as error:
            log.warning("a report may be sent again too early: %s", error)

    def _is_due(self, path: Path) -> bool:
        due_ms = self._outbox.due_ms(path)
        return due_ms is not None and due_ms <= self._clock.now_ms()

    def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                waiting = self.drain(self._timeout_ms)
            except OSError as error:
                log.error("the outbox cannot be read: %s", error)
                waiting = 0
            with self._lock:
                if not waiting and not self._wake.is_set():
                    self._thread = None
                    return
            self._wake.wait(SHORTEST_WAIT_MS * self._clock.jitter() / 1000)


def is_final(answer: Answer) -> bool:
    """Whether the gateway would say the same to these bytes at any other time."""
    is_pending = answer.status == 409 and answer.error == _UNRESOLVED
    return 400 <= answer.status < 500 and answer.status not in _AGAIN and not is_pending

"""The judge of a scenario: which promises were broken, from the records, the runs, the hooks' words and the callers'.

Pure, so that it can be tried on evidence that is forged: a judge that finds nothing anywhere proves nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpose.contracts.digest import digest

from .lag import Lag, Span
from .load import Ending, Told

MARGIN_S = 0.25
"""How long after its deadline an answer may arrive: what is promised. It covers the record of the refusal, made when
the time is over, and the way back. What the machine itself let processes wait meanwhile is added (`Lag`)."""
ENDED = frozenset({"success", "error", "unknown"})
"""Outcomes of a call whose tool may have run."""

Said = dict[str, Any]


@dataclass(frozen=True)
class Rules:
    """The hooks whose yes a revision demands for each call."""

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Outage:
    """A process that callers lean on was away or frozen, from the fault until calls were delivered again."""

    of: str
    start: float
    end: float


@dataclass(frozen=True)
class Evidence:
    """All that is known of one scenario's calls. A gateway was killed within each of the `kills`."""

    told: Sequence[Told]
    records: Sequence[Said]
    runs: Sequence[Said]
    said: Sequence[Said]
    rules: Mapping[int, Rules]
    lag: Lag
    outages: Sequence[Outage] = ()
    kills: Sequence[Span] = ()
    books: dict[str, dict[str, list[Said]]] = field(init=False)
    """By call id, the records of each phase."""

    def __post_init__(self) -> None:
        books: defaultdict[str, dict[str, list[Said]]] = defaultdict(lambda: {"before": [], "after": []})
        for record in self.records:
            books[record["call_id"]][record["phase"]].append(record)
        object.__setattr__(self, "books", dict(books))

    def of(self, call_id: str, phase: str) -> list[Said]:
        """The records of one phase of one call."""
        return self.books.get(call_id, {}).get(phase, [])

    def told_of(self, record: Said) -> Told | None:
        """What the caller of a record's call was told; None while nobody called so."""
        number = (record["native"]["arguments"] or {}).get("number")
        return next((told for told in self.told if told.call.number == number), None)

    def is_excused(self, told: Told) -> bool:
        """Whether the way to the gateway was away while this call was under way."""
        return any(o.of in told.leans_on and o.start <= told.ended and told.sent <= o.end for o in self.outages)


def breaches(evidence: Evidence) -> list[str]:
    """One sentence for each broken promise; nothing is the good end."""
    return [*_unauthorised(evidence), *_undelivered(evidence), *_late(evidence), *_miscounted(evidence)]


def orphans(evidence: Evidence) -> list[str]:
    """Calls whose gateway was killed behind its before record, with nobody left to write the other one."""
    return [
        call_id
        for call_id, book in evidence.books.items()
        if not book["after"] and [each["decision"] for each in book["before"]] == ["run"]
    ]


def _unauthorised(evidence: Evidence) -> Iterator[str]:
    """No run without a before record that says `run` of these bytes, and the yes of every hook to these bytes."""
    yes = _yes(evidence)
    for call_id, times in Counter(run["call_id"] for run in evidence.runs).items():
        if times != 1:
            yield f"{call_id} ran {times} times"
    for run in evidence.runs:
        call_id, bytes_run = run["call_id"], run["digest"]
        records = [each for each in evidence.of(call_id, "before") if each["decision"] == "run"]
        if [bytes_run] != [each["final_digest"] for each in records]:
            yield f"{call_id} ran without a before record of what ran"
            continue
        for hook in sorted(evidence.rules[records[0]["revision"]].before):
            if (call_id, "before", hook, bytes_run) not in yes:
                yield f"{call_id} ran without the yes of {hook} to what ran"


def _undelivered(evidence: Evidence) -> Iterator[str]:
    """No response without its after record and the yes of every hook to it; and the answer tells the truth."""
    yes, ran = _yes(evidence), {run["call_id"] for run in evidence.runs}
    for told in evidence.told:
        call_id = told.answer.get("call_id")
        if call_id in ran and told.answer["ran"] is False:
            yield f"{told.line()}: it was told that it did not run, and it did"
        if call_id not in ran and told.answer.get("ran") is True:
            yield f"{told.line()}: it was told that it ran, and it did not"
        if not told.is_delivered:
            continue
        given = digest(told.answer["response"])
        if [given] != [each["final_digest"] for each in evidence.of(str(call_id), "after")]:
            yield f"{told.line()}: delivered without an after record of what was delivered"
        for hook in sorted(evidence.rules[told.answer["revision"]].after):
            if (call_id, "after", hook, given) not in yes:
                yield f"{told.line()}: delivered without the yes of {hook} to what was delivered"


def _late(evidence: Evidence) -> Iterator[str]:
    """Every answer by its deadline and the margin, but where the way itself was away."""
    for told in evidence.told:
        if evidence.is_excused(told):
            continue
        if told.ending is not Ending.ANSWERED:
            yield f"{told.line()}: no answer, though its gateway was there"
        elif (over_s := lateness(told, evidence.lag)) > MARGIN_S:
            yield f"{told.line()}: {over_s * 1000:.0f} ms after its deadline"


def lateness(told: Told, lag: Lag) -> float:
    """Seconds behind the deadline, without those in which the machine let somebody wait; negative in time."""
    over_s = told.ended - told.deadline
    return over_s - lag.within(told.deadline, told.ended) if over_s > 0 else over_s


def _miscounted(evidence: Evidence) -> Iterator[str]:
    """One before record for each call that was let in, one after record for each that says `run`, no other."""
    for call_id, book in evidence.books.items():
        phases = {phase: len(found) for phase, found in book.items()}
        says_run = [each["decision"] for each in book["before"]] == ["run"]
        if phases["before"] != 1 or phases["after"] > int(says_run):
            yield f"{call_id} has {phases} records, of which the first says {book['before'][:1]}"
        elif says_run and not phases["after"] and not _was_killed(evidence, book["before"][0]):
            yield f"{call_id} was recorded as run and never reported back, and no kill explains it"
        if len({each["revision"] for each in (*book["before"], *book["after"])}) > 1:
            yield f"{call_id} changed its revision under way"
    for told in evidence.told:
        yield from _unlike(told, evidence)
    twice = Counter(told.call.number for told in map(evidence.told_of, _befores(evidence)) if told)
    yield from (f"{number} was let in {times} times" for number, times in twice.items() if times > 1)


def _unlike(told: Told, evidence: Evidence) -> Iterator[str]:
    """What the caller was told against what the records say."""
    if told.answer.get("revision") is None or told.answer["code"] == "record-impossible":
        return  # it was not let in; or it was told that there may be no record
    call_id, decision = told.answer["call_id"], told.answer["decision"]
    outcomes = [each["outcome"] for each in evidence.of(call_id, "after")]
    decisions = [each["decision"] for phase in ("before", "after") for each in evidence.of(call_id, phase)]
    if not decisions:
        yield f"{told.line()}: it was let in and is not on record"
    elif decision == "refuse" and ENDED & {*outcomes}:
        yield f"{told.line()}: it was told that it is refused, and its outcome is {outcomes}"
    elif decision != "refuse" and decisions != ["run", decision]:
        yield f"{told.line()}: its records say {decisions}"


def _yes(evidence: Evidence) -> set[tuple[str, str, str, str]]:
    return {
        (each["call_id"], each["phase"], each["hook"], each["digest"])
        for each in evidence.said
        if each["verdict"] in ("allow", "transform")
    }


def _was_killed(evidence: Evidence, record: Said) -> bool:
    told = evidence.told_of(record)
    is_answered = told is None or told.ending is Ending.ANSWERED
    return not is_answered and any(told.sent <= gone and begun <= told.ended for begun, gone in evidence.kills if told)


def _befores(evidence: Evidence) -> list[Said]:
    return [each for book in evidence.books.values() for each in book["before"]]

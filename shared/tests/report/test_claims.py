"""Claims: the end of a call finds its evaluation by call id, else run id, else session and tool, and only once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from interpose.report.claims import SWEEP_MS, TTL_MS, Call, Claims
from interpose.report.counters import Counted, MemoryCounters
from interpose.report.shelves import FolderShelf, MemoryShelf

from .conftest import SetClock

PENDING_MS = 3_000
ORIGIN = "an-agent"
BY_ID = Call("Bash", "call-1", "run-1", "s")
BY_RUN = Call("Bash", "", "run-1", "s")
BY_TOOL = Call("Bash", "", "", "s")
SHARED = [BY_RUN, BY_TOOL]
EVERY = [BY_ID, BY_RUN, BY_TOOL]
MakeClaims = Callable[[], Claims]


@pytest.fixture
def counters() -> MemoryCounters:
    """What was counted."""
    return MemoryCounters()


@pytest.fixture(params=["memory", "folder"])
def make(request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock, counters: MemoryCounters) -> MakeClaims:
    """Claims on either shelf; each that is made is a process of its own, where the shelf lets it be one."""
    memory = MemoryShelf(clock.now_ms)
    return lambda: Claims(
        ORIGIN, memory if request.param == "memory" else FolderShelf(tmp_path), counters, clock.now_ms
    )


@pytest.fixture
def claims(make: MakeClaims) -> Claims:
    """One of them."""
    return make()


def allowed(claims: Claims, call: Call, evaluation_id: str = "e-1") -> str:
    """A call that may run: its ticket."""
    ticket = claims.reserve(call, PENDING_MS)
    assert ticket is not None
    assert claims.bind(call, ticket, evaluation_id)
    return ticket


def test_the_key_is_the_call_id_else_the_run_id_else_session_and_tool() -> None:
    """What stands further back plays no part, and nothing that one may be called is taken for another."""
    same = [
        Call("Read", "call-1", "run-2", "t").key(ORIGIN) == BY_ID.key(ORIGIN),
        Call("Read", "", "run-1", "t").key(ORIGIN) == BY_RUN.key(ORIGIN),
    ]
    others = [
        *EVERY,
        Call("Bash", "run-1"),
        Call("Bash", "", "call-1"),
        Call("Read", "", "", "s"),
        Call("Bash", "", "", "t"),
        Call("sBash"),
    ]

    assert [True, True] == same
    assert 9 == len({*(call.key(ORIGIN) for call in others), BY_ID.key("other")})


@pytest.mark.parametrize("call", EVERY)
def test_the_end_of_a_call_finds_its_evaluation_once(make: MakeClaims, call: Call) -> None:
    """Also from another process; the second end finds nothing."""
    allowed(make(), call)

    found = make().claim(call)

    assert found is not None
    assert ("e-1", "Bash") == (found.evaluation_id, found.tool)
    assert None is make().claim(call)


@pytest.mark.parametrize("call", SHARED)
def test_a_second_call_that_could_be_the_first_is_not_reserved(claims: Claims, call: Call) -> None:
    """Neither while the gateway decides about the first, nor while it runs; afterwards it is."""
    ticket = claims.reserve(call, PENDING_MS)
    assert ticket is not None
    assert None is claims.reserve(call, PENDING_MS)
    claims.bind(call, ticket, "e-1")
    assert None is claims.reserve(call, PENDING_MS)
    claims.claim(call)

    assert claims.reserve(call, PENDING_MS)


def test_calls_with_ids_run_side_by_side(claims: Claims) -> None:
    """Each end finds its own."""
    calls = [Call("Bash", f"call-{n}", "run-1", "s") for n in range(3)]
    for call in calls:
        allowed(claims, call, f"of {call.call_id}")

    found = [claims.claim(call) for call in reversed(calls)]

    assert ["of call-2", "of call-1", "of call-0"] == [one.evaluation_id for one in found if one]


@pytest.mark.parametrize(
    "other",
    [Call("Read", "call-1", "run-1", "s"), Call("Bash", "call-1", "run-2", "s"), Call("Bash", "call-1", "run-1", "t")],
)
def test_one_call_id_may_belong_to_calls_of_several_tools_runs_and_sessions(claims: Claims, other: Call) -> None:
    """Hosts count anew in each run; an end that could be both is nobody's."""
    allowed(claims, BY_ID, "e-1")
    allowed(claims, other, "e-2")

    assert None is claims.claim(Call("", "call-1"))
    found = [claims.claim(call) for call in (other, BY_ID)]
    assert ["e-2", "e-1"] == [one.evaluation_id for one in found if one]


def test_an_end_may_say_less_than_its_beginning(claims: Claims) -> None:
    """A call id is enough where it belongs to one call; another tool's end is another call's."""
    allowed(claims, BY_ID)

    assert None is claims.claim(Call("Read", "call-1"))
    assert claims.claim(Call("", "call-1")) is not None


def test_a_call_id_that_comes_again_is_the_same_call(claims: Claims, counters: MemoryCounters) -> None:
    """The newer evaluation counts, and the older ticket is worth nothing any more."""
    older = claims.reserve(BY_ID, PENDING_MS)
    allowed(claims, BY_ID, "e-2")

    assert older is not None
    assert False is claims.bind(BY_ID, older, "e-1")
    claims.release(BY_ID, older)
    found = claims.claim(BY_ID)
    assert found is not None
    assert ("e-2", 1) == (found.evaluation_id, counters.read()[Counted.REPLACED])


@pytest.mark.parametrize("call", EVERY)
def test_what_was_released_is_gone(claims: Claims, call: Call) -> None:
    """A refused call leaves the way free."""
    claims.release(call, allowed(claims, call))

    assert None is claims.claim(call)
    assert claims.reserve(call, PENDING_MS)


@pytest.mark.parametrize("call", EVERY)
def test_what_was_never_bound_is_not_claimed(claims: Claims, call: Call) -> None:
    """A call whose decision never came has no evaluation to report on."""
    claims.reserve(call, PENDING_MS)

    assert (None, None) == (claims.find(call), claims.claim(call))


@pytest.mark.parametrize("call", EVERY)
def test_a_claim_lives_for_ten_minutes(claims: Claims, clock: SetClock, counters: MemoryCounters, call: Call) -> None:
    """From the decision on; then it is counted as expired."""
    assert 10 * 60_000 == TTL_MS
    allowed(claims, call)
    clock.time_ms += TTL_MS - 1
    assert claims.find(call) is not None
    clock.time_ms += 1

    assert (None, None) == (claims.find(call), claims.claim(call))
    assert 1 == counters.read()[Counted.EXPIRED]


@pytest.mark.parametrize("call", SHARED)
def test_a_reservation_whose_process_died_is_free_when_its_decision_is_late(
    claims: Claims, clock: SetClock, call: Call
) -> None:
    """It does not hold the way for ten minutes; who comes late all the same learns that another has it."""
    late = claims.reserve(call, PENDING_MS)
    assert late is not None
    clock.time_ms += PENDING_MS

    newer = claims.reserve(call, PENDING_MS)

    assert newer is not None
    assert (False, True) == (claims.bind(call, late, "e-1"), claims.bind(call, newer, "e-2"))


def test_a_decision_that_is_late_counts_where_nobody_came_meanwhile(claims: Claims, clock: SetClock) -> None:
    """Nothing could be mistaken for it."""
    late = claims.reserve(BY_TOOL, PENDING_MS)
    assert late is not None
    clock.time_ms += PENDING_MS * 2

    assert claims.bind(BY_TOOL, late, "e-1")


def test_an_approval_is_found_and_stays(claims: Claims) -> None:
    """What a person is asked is known under the call, until its end claims it."""
    ticket = claims.reserve(BY_ID, PENDING_MS)
    assert ticket is not None
    claims.bind(BY_ID, ticket, "e-1", "a-1")

    found = claims.find(BY_ID)

    assert found is not None
    assert "a-1" == found.approval_id
    assert claims.claim(BY_ID) == found


def test_what_nobody_claims_is_swept_away(
    make: MakeClaims, clock: SetClock, counters: MemoryCounters, caplog: pytest.LogCaptureFixture
) -> None:
    """Evaluations are counted and said, reservations without one are not; what is younger stays."""
    claims = make()
    for number in range(3):
        allowed(claims, Call("Bash", f"old-{number}"))
    claims.reserve(Call("Bash", "pending"), PENDING_MS)
    clock.time_ms += TTL_MS + SWEEP_MS
    young = Call("Bash", "young")
    allowed(claims, young)

    allowed(make(), BY_ID)

    assert 3 == counters.read()[Counted.EXPIRED]
    assert ["a call of Bash was allowed and not reported within its time"] * 3 == caplog.messages
    assert claims.find(young) is not None
    assert None is claims.claim(Call("Bash", "old-0"))
    assert 3 == counters.read()[Counted.EXPIRED]


def test_a_folder_that_another_holds_is_not_waited_for_for_ever(tmp_path: Path, clock: SetClock) -> None:
    """It is an error, which the gate turns into a no."""
    with FolderShelf(tmp_path).held():
        claims = Claims(ORIGIN, FolderShelf(tmp_path, patience_ms=20), MemoryCounters(), clock.now_ms)
        with pytest.raises(TimeoutError, match=r"another process has held .* for 20 ms"):
            claims.reserve(BY_ID, PENDING_MS)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"5",
        b"[1]",
        b'[["t","soon","Bash","","","e",""]]',
        b'[["t",5,"Bash"]]',
        b'[["t",5,"Bash","","",null,""]]',
        b"\xff",
    ],
)
def test_a_spoiled_reservation_is_none(
    tmp_path: Path, clock: SetClock, caplog: pytest.LogCaptureFixture, data: bytes
) -> None:
    """It is taken away and said."""
    claims = Claims(ORIGIN, FolderShelf(tmp_path), MemoryCounters(), clock.now_ms)
    (tmp_path / f"{BY_TOOL.key(ORIGIN)}.json").write_bytes(data)

    assert None is claims.claim(BY_TOOL)
    assert claims.reserve(BY_TOOL, PENDING_MS)
    assert 1 == len(caplog.messages)


def test_only_the_owner_can_read_reservations(tmp_path: Path, clock: SetClock) -> None:
    """Whoever knew an evaluation could report on it."""
    allowed(Claims(ORIGIN, FolderShelf(tmp_path), MemoryCounters(), clock.now_ms), BY_ID)

    assert {0o600} == {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}

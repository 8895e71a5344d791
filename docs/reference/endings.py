"""What endings mean, asked of the functions that decide it: fail modes, script exits, service errors."""

from interpose.bus import headers
from interpose.bus.replies import read_reply
from interpose.contracts.reply import NoReply
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Effect, FailMode, Failure, OnFailure, VerdictKind
from interpose_gateway.adapters.executing import REFUSED_UNSTARTED
from interpose_gateway.core.endings import Answered, CutOff, Ending, Failed, NotApplicable, Unmet
from interpose_gateway.core.failmode import effect_of
from interpose_script_runner import ending as ended
from interpose_script_runner.verdict import Broke, judge
from reference.table import code, table

EFFECTS = {
    Effect.PASSED: "goes on",
    Effect.TRANSFORMED: "goes on with the output",
    Effect.STOPPED: "stopped",
    Effect.APPROVAL: "stopped, `approval-required`",
    Effect.WARNED: "goes on, with a warning",
    Effect.NOT_ASKED: "stopped, `not-asked`",
    Effect.NOT_APPLICABLE: "goes on",
}
ENDINGS: dict[str, Ending] = {
    "`allow`": Answered(Verdict(verdict=VerdictKind.ALLOW)),
    "`transform`, declared and usable": Answered(Verdict(verdict=VerdictKind.TRANSFORM, output={})),
    "`reject`": Answered(Verdict(verdict=VerdictKind.REJECT, reason="no")),
    "`ask`": Answered(Verdict(verdict=VerdictKind.ASK, reason="may it?")),
    "a failure (any of the six)": Failed(Failure.NO_RESPONDERS, ""),
    "the call's own limit": CutOff(""),
    "not asked: a hook in `needs` gave no yes": Unmet("", ""),
    "not asked: `when` is false": NotApplicable(),
}
COLUMNS: dict[str, tuple[FailMode, OnFailure | None]] = {
    "`reject`": (FailMode.REJECT, None),
    "`transform`": (FailMode.TRANSFORM, None),
    "`warn`": (FailMode.WARN, None),
    "`reject` or `transform` with `onFailure: warn`": (FailMode.REJECT, OnFailure.WARN),
}
OBJECT, TEXT = b'{"text": "new"}', b"done"
EXITS: dict[str, tuple[ended.Ending, bool]] = {
    "exit 0, declares no `transform`, whatever it prints": (ended.Exited(0, TEXT, b""), False),
    "exit 0, declares `transform`, prints nothing": (ended.Exited(0, b"", b""), True),
    "exit 0, declares `transform`, prints one JSON object": (ended.Exited(0, OBJECT, b""), True),
    "exit 0, declares `transform`, prints anything else": (ended.Exited(0, TEXT, b""), True),
    "exit 1 to 125 and 128 to 255": (ended.Exited(1, b"", b"the text of stderr"), False),
    "the same, with nothing on stderr": (ended.Exited(1, b"", b""), False),
    "exit 126 or 127": (ended.Exited(127, b"", b""), False),
    "ended by a signal": (ended.Signalled(11, b""), False),
    "could not be started": (ended.NotSpawned("why"), False),
    "still running at the end of its time (it is killed)": (ended.TimedOut(), False),
    "more than 1 MiB on stdout (it is killed)": (ended.TooMuchOutput("stdout"), False),
}
ERRORS = {
    headers.MALFORMED: "what came is no ask, or one of another wire version",
    headers.NO_HANDLER: "this worker has no handler for it",
    headers.TIMED_OUT: "the time of the ask is used up",
    headers.SEEN_BEFORE: "a tool was ordered before with this call id",
    headers.TOO_LARGE: "the ask is larger than this worker reads",
    headers.BAD_OUTPUT: "the hook ran, and its output is no verdict",
    headers.BROKE: "the handler broke",
    headers.BUSY: "too many asks wait already",
}


def endings() -> str:
    """What each ending does to a call, by fail mode."""
    rows = [
        [name, *(EFFECTS[effect_of(ending, mode, on_failure)] for mode, on_failure in COLUMNS.values())]
        for name, ending in ENDINGS.items()
    ]
    return table(["ending", *COLUMNS], rows)


def exits() -> str:
    """What each way of a script to end means."""
    return table(["the script", "verdict or failure"], [[how, _told(*case)] for how, case in EXITS.items()])


def service_errors() -> str:
    """Each code of the service error headers, and what the gateway makes of it."""
    return table(
        ["`Nats-Service-Error-Code`", "a worker says it when", "from a hook", "from a tool"],
        [[code(number), when, _failure(number), _outcome(number)] for number, when in ERRORS.items()],
    )


def _told(ending: ended.Ending, declares_transform: bool) -> str:
    told = judge(ending, declares_transform=declares_transform)
    if isinstance(told, Broke):
        return f"failure {code(told.failure)}"
    why = f": {told.reason}" if told.reason else ""
    return f"{code(told.verdict)}{why}"


def _failure(number: str) -> str:
    reply = read_reply({headers.ERROR: "why", headers.ERROR_CODE: number}, b"")
    if not isinstance(reply, NoReply):
        raise TypeError(f"code {number} is taken for an answer")
    return "the call's own limit" if reply.too_large else code(reply.failure)


def _outcome(number: str) -> str:
    return "it did not start" if number in REFUSED_UNSTARTED else "nobody knows whether it ran"

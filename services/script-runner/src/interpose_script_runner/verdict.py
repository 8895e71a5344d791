"""What a script's ending means (DESIGN.md, section 3, "Script"). Pure."""

import re
from dataclasses import dataclass
from typing import assert_never

from interpose.contracts.limits import KIB, REASON_CHARACTERS, SCRIPT_OUTPUT_BYTES
from interpose.contracts.strict import parse_object
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure, VerdictKind
from interpose.errors import InvalidInput
from interpose_script_runner.ending import Ending, Exited, Lost, NotSpawned, Signalled, TimedOut, TooMuchOutput

NEVER_RAN = frozenset({126, 127})
"""What shells and env exit with when the program they were to run cannot be (POSIX, Shell Command Language, 2.8.2)."""

_COLOUR = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Broke:
    """There is no verdict: why, as the gateway knows it, and in a sentence for people."""

    failure: Failure
    reason: str


def judge(ending: Ending, *, declares_transform: bool) -> Verdict | Broke:
    """The verdict of a script that ended so, or why there is none.

    Exit codes above 127 refuse like 1 to 125: `exit -1` is 255, and of the two readings refusing is never the weaker.
    What a script prints without declaring `transform` is its own affair.
    """
    match ending:
        case Exited(code=0, stdout=stdout):
            return _accept(stdout) if declares_transform else Verdict(verdict=VerdictKind.ALLOW)
        case Exited(code=code, stderr=stderr):
            return _refuse(code, stderr)
        case Signalled(signal=signal, stderr=stderr):
            return Broke(Failure.HOOK_ERROR, _sentence(f"ended by signal {signal}", stderr))
        case NotSpawned(error=error) | Lost(error=error):
            return Broke(Failure.HOOK_ERROR, plain(error))
        case TimedOut():
            return Broke(Failure.DEADLINE_EXCEEDED, "the script did not end in time and was killed")
        case TooMuchOutput(stream=stream):
            return Broke(
                Failure.MALFORMED_VERDICT, f"the script printed more than {SCRIPT_OUTPUT_BYTES // KIB} KiB on {stream}"
            )
        case _:
            assert_never(ending)


def readable(printed: bytes) -> str:
    """Foreign bytes as a reason."""
    return plain(printed.decode("utf-8", "replace"))


def plain(text: str) -> str:
    """Foreign text as a reason: trimmed, without what moves a cursor or hides text, at most 2,000 characters."""
    return _cut(_CONTROL.sub("\ufffd", _COLOUR.sub("", text).replace("\r\n", "\n").strip()))


def _accept(stdout: bytes) -> Verdict | Broke:
    if not stdout.strip():
        return Verdict(verdict=VerdictKind.ALLOW)
    try:
        output = parse_object(stdout, limit=SCRIPT_OUTPUT_BYTES, what="the script's output")
    except InvalidInput as error:
        return Broke(Failure.MALFORMED_VERDICT, plain(str(error)))
    return Verdict(verdict=VerdictKind.TRANSFORM, output=output)


def _refuse(code: int, stderr: bytes) -> Verdict | Broke:
    said = f"exited with code {code}"
    if code in NEVER_RAN:
        return Broke(Failure.HOOK_ERROR, _sentence(said, stderr))
    return Verdict(verdict=VerdictKind.REJECT, reason=readable(stderr) or said)


def _sentence(what: str, stderr: bytes) -> str:
    said = readable(stderr)
    return _cut(f"{what}: {said}" if said else what)


def _cut(text: str) -> str:
    return text if len(text) <= REASON_CHARACTERS else text[: REASON_CHARACTERS - 1] + "…"

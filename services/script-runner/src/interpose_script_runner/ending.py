"""How one run of a script ended. Values, not exceptions: what an ending means is `verdict.judge`'s to say."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Exited:
    """The script ended by itself. `stderr` may be cut (process.STDERR_BYTES); `stdout` is whole."""

    code: int
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True)
class Signalled:
    """A signal that the runner did not send ended it."""

    signal: int
    stderr: bytes


@dataclass(frozen=True, slots=True)
class NotSpawned:
    """It never started: missing, not executable, no such interpreter, no process to be had. `error` is a sentence."""

    error: str


@dataclass(frozen=True, slots=True)
class TimedOut:
    """Its time was up, and it was killed."""


@dataclass(frozen=True, slots=True)
class TooMuchOutput:
    """It printed more than allowed on `stream`, and was killed."""

    stream: Literal["stdout"]


@dataclass(frozen=True, slots=True)
class Lost:
    """It ended, and nobody knows how: its exit status was taken before the runner could ask for it."""

    error: str = "the script's exit status was lost: start the runner without ignoring SIGCHLD"


Ending = Exited | Signalled | NotSpawned | TimedOut | TooMuchOutput | Lost

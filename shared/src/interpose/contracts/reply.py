"""What one request on the bus came to, as values: a reply's bytes, or the one failure that says why there is none."""

from dataclasses import dataclass

from interpose.contracts.words import Failure


@dataclass(frozen=True, slots=True)
class Replied:
    """Bytes from a worker; nothing about them is checked yet."""

    body: bytes
    worker: str | None = None


@dataclass(frozen=True, slots=True)
class NoReply:
    """Why no usable reply came. `detail` is for people; `error_code` the service error's code, where there was one.

    `too_large`: the request is larger than the broker or the worker takes, which is no fault of the worker.
    """

    failure: Failure
    detail: str
    worker: str | None = None
    error_code: str | None = None
    was_sent: bool = True
    too_large: bool = False

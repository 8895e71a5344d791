"""Errors of the requests of agents that run their own tools: one shape, and one status to each."""

from enum import StrEnum

from pydantic import Field

from interpose.contracts.call import AnswerError
from interpose.contracts.model import Closed, encode_present


class Failure(Closed):
    """Every error of this protocol. `error` is a word of `Error`."""

    error: str
    message: str
    errors: list[AnswerError] = Field(default_factory=list)

    def to_bytes(self) -> bytes:
        """The error as JSON."""
        return encode_present(self)


class Error(StrEnum):
    """The errors of this protocol, each with one status."""

    INVALID = "invalid_request"
    """400, with the place."""
    UNAUTHORIZED = "unauthorized"
    """401: no token, an unknown one, or one whose scopes do not cover this."""
    FORBIDDEN = "forbidden"
    """403: an `Origin` header (a browser asks), or a user that the credential may not speak for."""
    UNKNOWN = "evaluation_unknown"
    """404: nobody evaluated this, or another client did."""
    EXPIRED = "evaluation_expired"
    """404: nobody reported in time; the call is closed as `expired`."""
    CONFLICT = "evaluation_conflict"
    """409: another report ended this evaluation."""
    UNRESOLVED = "approval_unresolved"
    """409: the person has not answered; try again shortly."""
    RESOLVED = "already_resolved"
    """409: this approval has its answer, or its time is over."""
    NO_APPROVAL = "approval_unknown"
    """404: no such question, or another client's."""
    UNKNOWN_PLATFORM = "platform_unknown"
    """404: no such platform, or one that posts no events by itself."""
    TOO_SLOW = "too_slow"
    """408: the body did not arrive in time."""
    TOO_LARGE = "too_large"
    """413."""
    TOO_MANY = "too_many_calls"
    """429, with Retry-After."""
    UNAVAILABLE = "governance_unavailable"
    """503: nothing can be decided or recorded now; the call must not run."""


STATUS_OF: dict[Error, int] = {
    Error.INVALID: 400,
    Error.UNAUTHORIZED: 401,
    Error.FORBIDDEN: 403,
    Error.UNKNOWN: 404,
    Error.EXPIRED: 404,
    Error.NO_APPROVAL: 404,
    Error.UNKNOWN_PLATFORM: 404,
    Error.TOO_SLOW: 408,
    Error.CONFLICT: 409,
    Error.UNRESOLVED: 409,
    Error.RESOLVED: 409,
    Error.TOO_LARGE: 413,
    Error.TOO_MANY: 429,
    Error.UNAVAILABLE: 503,
}

"""What a reply means, from its headers and its bytes alone: the same on a broker and in memory."""

from collections.abc import Mapping

from interpose.bus import headers
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure

_FAILURE_OF = {headers.TIMED_OUT: Failure.DEADLINE_EXCEEDED, headers.BAD_OUTPUT: Failure.MALFORMED_VERDICT}


def nobody_there() -> NoReply:
    """No worker listens on the subject: the broker says so at once."""
    return NoReply(Failure.NO_RESPONDERS, "nobody answers on the bus", was_sent=False)


def not_in_time(timeout_s: float) -> NoReply:
    """Nothing came, by the asker's own clock."""
    return NoReply(Failure.DEADLINE_EXCEEDED, f"no answer within {timeout_s * 1000:.0f} ms")


def not_sent(why: str, *, too_large: bool = False) -> NoReply:
    """The request never left."""
    detail = f"the ask could not be sent ({why})"
    return NoReply(Failure.CONNECTION_LOST, detail, was_sent=False, too_large=too_large)


def not_permitted() -> NoReply:
    """The broker refused the asker this subject."""
    detail = "the broker's permissions forbid the gateway this ask"
    return NoReply(Failure.NOT_PERMITTED, detail, was_sent=False)


def connection_lost() -> NoReply:
    """The connection ended while the reply was awaited."""
    return NoReply(Failure.CONNECTION_LOST, "the connection to the broker was lost while it was asked")


def read_reply(fields: Mapping[str, str], body: bytes) -> Replied | NoReply:
    """Headers before the payload: an error in them is never taken for an answer (ADR-32, Error Handling)."""
    worker = fields.get(headers.WORKER)
    if fields.get("Status") == headers.BUSY and not body:
        return nobody_there()
    if headers.ERROR in fields or headers.ERROR_CODE in fields:
        code = fields.get(headers.ERROR_CODE, headers.BROKE)
        detail = f"the worker answered with an error ({code}): {fields.get(headers.ERROR, '')[:500]}"
        failure = _FAILURE_OF.get(code, Failure.HOOK_ERROR)
        return NoReply(failure, detail, worker, error_code=code, too_large=code == headers.TOO_LARGE)
    return Replied(body, worker)

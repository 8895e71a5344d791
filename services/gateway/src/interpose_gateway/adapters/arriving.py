"""A request as it arrives over HTTP: that no browser sends it, who does, and its body. Raises `NotTaken`."""

import asyncio

from starlette.requests import ClientDisconnect, Request

from interpose.contracts.clients import Scope
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.core.entry import Caller

BEARER = "bearer "
BODY_S = 30
"""How long a body may take to arrive: a caller that trickles holds no place for ever."""
NO_BROWSERS = (
    "a browser sent this (it has an Origin header): a page must not spend the tokens of its visitors' machines"
)
HOW_TO_ASK = "send Authorization: Bearer <token>, a token of the clients file (interpose up prints where it is)"


class NotTaken(Exception):
    """The request ends at the door."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


def identify(request: Request, clients: ClientsFile, *scopes: Scope) -> Caller:
    """Who asks, by a token that covers one of the scopes. Looks at nothing but the headers."""
    if "origin" in request.headers:
        raise NotTaken(403, "forbidden", NO_BROWSERS)
    told = request.headers.get("authorization", "")
    is_bearer = told[: len(BEARER)].lower() == BEARER
    caller = clients.by_secret(told[len(BEARER) :].strip()) if is_bearer else None
    if caller is None:
        raise NotTaken(401, "unauthorized", HOW_TO_ASK)
    if (lacks := lacking(caller, *scopes)) is not None:
        raise NotTaken(401, "unauthorized", lacks)
    return caller


def lacking(caller: Caller, *scopes: Scope) -> str | None:
    """Why it is not let in, or None when it has one of the scopes."""
    told = [caller.lacks(scope) for scope in scopes]
    return None if None in told else told[0]


async def read_body(request: Request, limit: int, what: str) -> bytes:
    """The body, never more than its limit in memory."""
    too_large = NotTaken(413, "too-large", f"{what} has at most {limit} bytes")
    declared = request.headers.get("content-length", "0")
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > limit:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise too_large
    except TimeoutError:
        raise NotTaken(408, "too-slow", f"{what} did not arrive whole within {BODY_S} s") from None
    except ClientDisconnect:
        raise NotTaken(422, "invalid-call", f"the caller left before {what} was complete") from None
    return bytes(body)

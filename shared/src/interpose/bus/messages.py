"""One message of a stream, from its leader's own answer to `$JS.API.STREAM.MSG.GET`. Pure."""

import base64
import binascii
import json
from dataclasses import dataclass

import orjson

NO_MESSAGE = 10037
NO_STREAM = 10059


@dataclass(frozen=True, slots=True)
class Message:
    """What stands at one place. `headers` are the lines as the broker keeps them."""

    sequence: int
    subject: str
    headers: str
    data: bytes

    def header(self, name: str) -> str | None:
        """The value of the first header of that name."""
        lines = (line.partition(":") for line in self.headers.split("\r\n"))
        return next((value.strip() for found, _, value in lines if found == name), None)


@dataclass(frozen=True, slots=True)
class NoMessage:
    """The broker tells none: its code, `NO_MESSAGE` where nothing stands, and its words."""

    code: int | None
    said: str


def at(sequence: int) -> bytes:
    """The request for the message of that number."""
    return json.dumps({"seq": sequence}).encode()


def last_of(subject: str) -> bytes:
    """The request for the last message of a subject, which may hold wildcards."""
    return json.dumps({"last_by_subj": subject}).encode()


def next_of(subject: str, sequence: int) -> bytes:
    """The request for the first message of a subject from that number on."""
    return json.dumps({"seq": sequence, "next_by_subj": subject}).encode()


def read_message(body: bytes) -> Message | NoMessage:
    """The answer. Raises ValueError where these bytes are none."""
    try:
        answer = orjson.loads(body)
        if "error" in answer:
            return NoMessage(answer["error"].get("err_code"), str(answer["error"].get("description", answer["error"])))
        found = answer["message"]
        return Message(
            sequence=int(found["seq"]),
            subject=str(found.get("subject", "")),
            headers=base64.b64decode(found.get("hdrs") or "").decode(errors="replace"),
            data=base64.b64decode(found.get("data") or "", validate=True),
        )
    except (KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise ValueError(f"no answer of a stream: {error!r}") from error

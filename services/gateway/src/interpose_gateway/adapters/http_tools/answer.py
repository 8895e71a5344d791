"""An upstream's answer as the tool's response: what of it is read, what is a success, what the agent is shown."""

import codecs
import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.message import Message
from typing import Any

from interpose.canonical.pointer import resolve
from interpose.contracts import digest
from interpose.contracts.http_tool import HttpAnswer
from interpose.contracts.limits import RESPONSE_BYTES
from interpose.contracts.paths import SHOWN_CHARACTERS
from interpose.contracts.strict import fits, parse
from interpose.contracts.url import Url
from interpose.contracts.words import Outcome
from interpose.errors import InvalidInput
from interpose_gateway.core.ports import Execution

_JSON = ("application/json", "*/*+json")
_TEXT = ("text/*", *_JSON, "application/xml", "*/*+xml", "application/javascript", "application/x-www-form-urlencoded")
_CHARSETS = frozenset(
    {"utf-8", "ascii", "utf-16", "utf-16-le", "utf-16-be", "koi8-r", "koi8-u", "shift_jis", "cp932", "euc_jp"}
    | {"iso2022_jp", "gb2312", "gbk", "gb18030", "big5", "euc_kr", "cp949", "mac-roman"}
    | {f"iso8859-{number}" for number in range(1, 17)}
    | {f"cp125{number}" for number in range(9)}
)
"""Python knows further codecs, some of which make more of a text, or something else, than its author wrote."""


class Unreadable(Exception):
    """The answer came and cannot be a response: says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the upstream said. `body` is whole."""

    url: Url
    status: int
    headers: Mapping[str, str]
    body: bytes = b""


def error(sentence: str, **more: Any) -> Execution:
    """The tool ran, or nobody can say that it did not, and has no success to show."""
    return Execution(Outcome.ERROR, {"error": sentence, **more})


def check_head(answer: Answer, how: HttpAnswer) -> None:
    """What can be known before the body is read. Raises Unreadable."""
    if how.body == "none" or answer.status == 204:
        return
    encoding = answer.headers.get("content-encoding", "identity")
    if encoding.lower() != "identity":
        raise Unreadable(f"answered in the encoding {encoding[:SHOWN_CHARACTERS]!r}, which was not asked for")
    media, _ = _content_type(answer)
    if media and not _is_one_of(media, how.content_types or _TEXT):
        shown = media[:SHOWN_CHARACTERS]
        raise Unreadable(f"answered with {shown!r}, which is not read: name it in response.contentTypes")
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 15 or int(length) > how.max_bytes):
        raise too_large(how)


def too_large(how: HttpAnswer) -> Unreadable:
    """More than the configuration takes."""
    return Unreadable(f"answered with more than {how.max_bytes} bytes, which is the most that is read")


def read(answer: Answer, how: HttpAnswer) -> Execution:
    """How the call ended. Raises Unreadable."""
    host, body = answer.url.origin.place, _body(answer, how)
    if not _is_success(answer, how):
        return error(f"{host} answered with status {answer.status}", status=answer.status, body=body)
    if how.ok_pointer is not None and resolve(body, how.ok_pointer) is not True:
        said = f"{host} answered with status {answer.status}, and {how.ok_pointer} is not true"
        return error(said, status=answer.status, body=body)
    if how.fields is None:
        return Execution(Outcome.SUCCESS, body)
    return Execution(Outcome.SUCCESS, {name: _part(answer, body, source) for name, source in how.fields.items()})


def sealed(ended: Execution, secrets: Mapping[str, str]) -> Execution:
    """The same without any value of a variable, and no larger than a response may be."""
    response = _masked(ended.response, {value: f"${{{name}}}" for name, value in secrets.items() if len(value) >= 8})
    if not fits(digest.encode({"status": "success", "response": response}), limit=RESPONSE_BYTES):
        return error("the upstream answered with more than a response may hold")
    return replace(ended, response=response)


def _part(answer: Answer, body: Any, source: str) -> Any:
    kind, colon, header = source.partition(":")
    match kind:
        case "header" if colon:
            return answer.headers.get(header.lower())
        case "status":
            return answer.status
        case "url":
            return str(answer.url)
        case "contentType":
            return answer.headers.get("content-type")
        case _:
            return resolve(body, source.removeprefix("body"))


def _body(answer: Answer, how: HttpAnswer) -> Any:
    if how.body == "none" or not answer.body:
        return None
    media, charset = _content_type(answer)
    # An error page in front of a JSON API is text: what it says is worth more than that it is no JSON.
    is_json = _is_one_of(media, _JSON) or (how.body == "json" and _is_success(answer, how))
    if is_json and how.body != "text":
        return _json(answer.body)
    return answer.body.decode(charset, errors="replace").removeprefix("\ufeff")


def _json(body: bytes) -> Any:
    try:
        return parse(body, limit=RESPONSE_BYTES, what="the answer")
    except InvalidInput as invalid:
        place = f": {invalid.faults[0]}" if invalid.faults else ""
        raise Unreadable(f"answered with what is no acceptable JSON{place}") from invalid


def _content_type(answer: Answer) -> tuple[str, str]:
    """The media type, empty when none is said, and a charset that can be decoded."""
    said = answer.headers.get("content-type", "")
    message = Message()
    message["content-type"] = said
    charset = message.get_content_charset("utf-8")
    return said.partition(";")[0].strip().lower(), charset if _is_charset(charset) else "utf-8"


def _is_charset(name: str) -> bool:
    try:
        return codecs.lookup(name).name in _CHARSETS
    except (LookupError, ValueError):
        return False


def _is_one_of(media: str, patterns: tuple[str, ...] | list[str]) -> bool:
    return any(fnmatch.fnmatchcase(media, pattern) for pattern in patterns)


def _is_success(answer: Answer, how: HttpAnswer) -> bool:
    said = str(answer.status)
    return any(each in (said, f"{said[0]}xx") for each in how.success)


def _masked(value: Any, marks: Mapping[str, str]) -> Any:
    """An upstream that repeats what it was sent would put a key into the record and before the agent."""
    match value:
        case str():
            for secret, mark in marks.items():
                value = value.replace(secret, mark)
            return value
        case dict() if marks:
            return {_masked(name, marks): _masked(each, marks) for name, each in value.items()}
        case list() if marks:
            return [_masked(each, marks) for each in value]
        case _:
            return value

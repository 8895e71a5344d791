"""The text of an error, whatever was given as one, without asking the error itself (`fields`)."""

from interpose.report.fields import arguments_of, name_of
from interpose.report.scalars import plain_text
from interpose.report.shedding import MOST_BYTES, encode
from interpose.report.snapshot import take


def text_of(error: object) -> str:
    """A text as it is; an exception as `ValueError: what it was raised with`; anything else as JSON."""
    if issubclass(type(error), str):
        return plain_text(error)  # type: ignore[arg-type]
    if not issubclass(type(error), BaseException):
        return _json(error)
    told = ", ".join(part if type(part) is str else _json(part) for part in arguments_of(error))
    return plain_text(f"{name_of(type(error))}: {told}" if told else name_of(type(error)))


def _json(value: object) -> str:
    taken = take(value, MOST_BYTES)
    return f"<{name_of(type(value))}>" if taken is None else encode(taken.value).decode()

"""Saying something out loud. `logging` is loaded when there is something to say, and nothing said here can raise."""

from contextlib import suppress

NAME = "interpose.report"


def warning(message: str, *parts: object) -> None:
    """Something was left out or came to nothing."""
    _say("WARNING", message, parts)


def error(message: str, *parts: object) -> None:
    """A call or a report was lost, or everything is blocked."""
    _say("ERROR", message, parts)


def _say(level: str, message: str, parts: tuple[object, ...]) -> None:
    import logging

    # An agent's own filter or handler may raise, and there is nowhere left to say that.
    with suppress(Exception):
        logging.getLogger(NAME).log(getattr(logging, level), message, *parts)

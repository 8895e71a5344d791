"""What a model would read of a tool's response: its text, whatever shape the platform gives it.

Text parts are joined by a line break. Where nothing is known to be text there is None, and never a guess: who judges a
response judges the value itself.
"""

from collections.abc import Mapping
from typing import Any

_STREAMS = ("stdout", "stderr")
_HOLDERS = ("content", "output", "text", "result", "file", "textResultForLlm", "text_result_for_llm")
_MOST_DEPTH = 4


def text_of(value: Any, depth: int = _MOST_DEPTH) -> str | None:
    """The text of a string, of parts, or of an object that holds one of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _joined(value, depth)
    if isinstance(value, Mapping) and depth:
        return _of_object(value, depth)
    return None


def _joined(parts: list[Any], depth: int) -> str | None:
    texts = [text for part in parts if (text := _of_part(part, depth)) is not None]
    return "\n".join(texts) if texts else None


def _of_part(part: Any, depth: int) -> str | None:
    if isinstance(part, Mapping):
        told = part.get("text")
        return told if isinstance(told, str) else text_of(part.get("resource"), depth - 1) if depth else None
    return part if isinstance(part, str) else None


def _of_object(value: Mapping[str, Any], depth: int) -> str | None:
    streams = [value[name] for name in _STREAMS if isinstance(value.get(name), str)]
    if streams:
        return "\n".join(stream for stream in streams if stream)
    for name in _HOLDERS:
        text = text_of(value.get(name), depth - 1)
        if text is not None:
            return text
    return _joined(value["filenames"], depth) if isinstance(value.get("filenames"), list) else None

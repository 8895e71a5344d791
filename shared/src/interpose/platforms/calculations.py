"""Arguments whose canonical value has to be worked out: other units, other shapes, one argument in two.

Each is named by what the table of tool names says of it, so that a row and its calculation cannot part; a test holds
that every description has one. A value that has not the form that the calculation needs stays as it came.
"""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from interpose.contracts.model import JsonObject

Work = Callable[[Any, JsonObject], JsonObject | None]
"""From the value and all arguments of the call to canonical arguments; None where the value has another form."""


def _lines(start: str) -> Work:
    def limit(end: Any, arguments: JsonObject) -> JsonObject | None:
        first = arguments.get(start, 1)
        return {"limit": end - first + 1} if _is_integer(end) and _is_integer(first) and end >= first else None

    return limit


def _view_range(value: Any, _arguments: JsonObject) -> JsonObject | None:
    if not (isinstance(value, list) and len(value) == 2 and all(map(_is_integer, value))):
        return None
    first, last = value
    if last == -1:
        return {"offset": first}
    return {"offset": first, "limit": last - first + 1} if last >= first else None


def _milliseconds(value: Any, _arguments: JsonObject) -> JsonObject | None:
    return {"timeout": value * 1000} if isinstance(value, int | float) and not isinstance(value, bool) else None


def _background(word: str) -> Work:
    def run_in_background(value: Any, _arguments: JsonObject) -> JsonObject | None:
        return {"run_in_background": value == word} if value in ("sync", word) else None

    return run_in_background


def _replace_all(value: Any, _arguments: JsonObject) -> JsonObject | None:
    return {"replace_all": value > 1} if _is_integer(value) else None


def _ignore_case(value: Any, _arguments: JsonObject) -> JsonObject | None:
    return {"-i": not value} if isinstance(value, bool) else None


def _names_only(value: Any, _arguments: JsonObject) -> JsonObject | None:
    return {"output_mode": "files_with_matches"} if value is True else None


def _urls(value: Any, _arguments: JsonObject) -> JsonObject | None:
    is_list = isinstance(value, list) and value and all(isinstance(url, str) for url in value)
    return {"url": value[0], "urls": value} if is_list else None


def _edit_mode(value: Any, _arguments: JsonObject) -> JsonObject | None:
    return {"edit_mode": "replace" if value == "edit" else value} if isinstance(value, str) else None


def _joined(value: Any, _arguments: JsonObject) -> JsonObject | None:
    if isinstance(value, str):
        return {"command": value}
    is_argv = isinstance(value, list) and all(isinstance(word, str) for word in value)
    return {"command": shlex.join(value)} if is_argv else None


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Calculation:
    """`makes` names the canonical arguments that `work` can give."""

    work: Work
    makes: tuple[str, ...]


_LIMIT = ("limit",)
_BACKGROUND = ("run_in_background",)
CALCULATIONS: Mapping[str, Calculation] = {
    "limit = end_line-start_line+1": Calculation(_lines("start_line"), _LIMIT),
    "limit = endLine-startLine+1": Calculation(_lines("startLine"), _LIMIT),
    "offset=view_range[0], limit=view_range[1]-view_range[0]+1 (view_range[1]=-1 => no limit)": Calculation(
        _view_range, ("offset", "limit")
    ),
    "timeout = seconds*1000": Calculation(_milliseconds, ("timeout",)),
    "timeout (seconds)": Calculation(_milliseconds, ("timeout",)),
    "run_in_background = (mode=='async')": Calculation(_background("async"), _BACKGROUND),
    "run_in_background = (mode=='background')": Calculation(_background("background"), _BACKGROUND),
    "replace_all = (n>1)": Calculation(_replace_all, ("replace_all",)),
    "-i = !case_sensitive": Calculation(_ignore_case, ("-i",)),
    "output_mode=files_with_matches": Calculation(_names_only, ("output_mode",)),
    "urls (url=urls[0])": Calculation(_urls, ("url", "urls")),
    "edit_mode (edit=>replace)": Calculation(_edit_mode, ("edit_mode",)),
    "command (argv array joined)": Calculation(_joined, ("command",)),
}
NO_ARGUMENT = frozenset(
    {
        "*",
        "* (JSON STRING, must be parsed)",
        "(tool)",
        "(server)",
        "(selects view/create/str_replace/insert)",
    }
)
"""Descriptions of what is no argument of the tool: the event's reader has dealt with it, or it chooses the tool."""

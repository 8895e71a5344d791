"""An `openclaw.json`: JSON with comments and trailing commas, read for its `hooks` alone.

Below `hooks` OpenClaw keeps settings of its own; those are left to it and told, everything else there is ours.
Source of the names: OpenClaw's configuration reference for hooks and its type `HooksConfig`.
"""

import re
from dataclasses import replace

from interpose.config.json_source import read_json
from interpose.config.source import Source

FILE_NAME = "openclaw.json"

OWN_KEYS = frozenset(
    [
        *["enabled", "token", "path", "maxBodyBytes", "sessionRetention"],
        *["defaultSessionKey", "allowRequestSessionKey", "allowedSessionKeyPrefixes", "allowedAgentIds"],
        *["presets", "transformsDir", "mappings", "gmail", "internal"],
    ]
)

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(rf"{_STRING}|[\[{{:,][ \t\n\r]*+,|,(?=[ \t\n\r]*+[\]}}])", re.DOTALL)
"""A string, a comma that trails nothing (left for the parser to refuse), a trailing comma."""


def read_openclaw(text: str) -> Source:
    """The hooks of an OpenClaw configuration as if they stood in a file of ours."""
    source = read_json(blank(text))
    if not source.is_whole or not isinstance(source.value, dict):
        return source
    return _only_hooks(source)


def blank(text: str) -> str:
    """The text as plain JSON: comments and trailing commas become spaces, so that nothing else moves."""
    return _COMMA.sub(_blank_comma, _COMMENT.sub(_blank_comment, text))


def _blank_comment(match: re.Match[str]) -> str:
    found = match[0]
    is_open = found.startswith("/*") and (len(found) < 4 or not found.endswith("*/"))
    return found if found.startswith('"') or is_open else re.sub(r"[^\n]", " ", found)


def _blank_comma(match: re.Match[str]) -> str:
    return " " if match[0] == "," else match[0]


def _only_hooks(source: Source) -> Source:
    value = {key: part for key, part in source.value.items() if key == "hooks"}
    faults = tuple(fault for fault in source.faults if re.match(r"\$\.hooks(\W|$)", fault.path))
    hooks = value.get("hooks")
    if not isinstance(hooks, dict):
        return replace(source, value=value, faults=faults)
    left = [key for key in hooks if key in OWN_KEYS]
    notes = tuple(source.note(("hooks", key), "a setting of OpenClaw's own, left to it") for key in left)
    kept = {key: part for key, part in hooks.items() if key not in OWN_KEYS}
    return replace(source, value={"hooks": kept}, faults=faults, notes=notes)

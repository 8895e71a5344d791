"""The names that tools have anywhere, so that a key that can match none of them is noticed."""

import json
from functools import cache
from importlib.resources import files

from interpose.contracts.config import Configuration
from interpose.contracts.keys import Key, Names

_MCP = "mcp__"
"""Tools of MCP servers are named `mcp__<server>__<tool>`: any of them may exist."""


@cache
def shipped_names() -> tuple[str, ...]:
    """Canonical and native names of the platforms' own tools."""
    return tuple(json.loads(files("interpose.config").joinpath("known_tools.json").read_bytes()))


def can_match(key: Key, configuration: Configuration) -> bool:
    """Whether a declared tool, a platform's own or one of an MCP server may meet this key."""
    prefix = key.pattern.removesuffix("*")
    if key.pattern.startswith(_MCP) or (key.is_prefix and _MCP.startswith(prefix)):
        return True
    return key.match(Names.of([*configuration.tools, *shipped_names()], None)) is not None

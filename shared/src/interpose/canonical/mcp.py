"""Tools of MCP servers. Each platform spells them its own way, and most ways cannot be taken apart again.

The canonical name is `mcp__<server>__<tool>`. It is made of structured fields where a platform gives them, else of
the longest known server's name; nothing is ever guessed at a separator.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from interpose.canonical.table import MCP_KIND, table
from interpose.contracts.ask import Context
from interpose.contracts.names import fold

PREFIX = "mcp__"
_FORM = re.compile(r"(.*)<server>(.+)<tool>")
_UNSANITISED = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class McpName:
    """One tool of one server."""

    server: str
    tool: str

    @property
    def canonical(self) -> str:
        """The tool's one name."""
        return f"{PREFIX}{self.server}__{self.tool}"


def claimed(context: Context) -> McpName | None:
    """What the caller says that the tool is, where it does."""
    return McpName(*context.mcp) if context.mcp else None


def is_canonical(name: str) -> bool:
    """Whether the name has the canonical form: `mcp__`, a server, `__`, a tool."""
    server, separator, tool = fold(name).removeprefix(PREFIX).partition("__")
    return fold(name).startswith(PREFIX) and bool(server and separator and tool)


def structured(name: str, platform: str | None) -> McpName | None:
    """The parts of a name on a platform that writes the canonical form, where there is one way to take it apart."""
    if _forms().get(platform or "") != (PREFIX, "__") or not is_canonical(name):
        return None
    rest = name[len(PREFIX) :]
    cuts = [at for at in range(1, len(rest) - 2) if rest[at : at + 2] == "__"]
    return McpName(rest[: cuts[0]], rest[cuts[0] + 2 :]) if len(cuts) == 1 else None


def of_known_server(name: str, platform: str | None, servers: Iterable[str]) -> McpName | None:
    """The parts of a name in its platform's own form, by the longest server that is known to be there."""
    form = _forms().get(platform or "")
    if form is None:
        return None
    prefix, separator = form
    for server in sorted(servers, key=len, reverse=True):
        for spelled in (server, _UNSANITISED.sub("_", server)):
            head = f"{prefix}{spelled}{separator}"
            if name.startswith(head) and len(name) > len(head):
                return McpName(server, name[len(head) :])
    return None


@cache
def _forms() -> Mapping[str, tuple[str, str]]:
    """By platform: what stands before the server, and what between server and tool."""
    matches = [(row.platform, _FORM.fullmatch(row.native)) for row in table().rows if row.kind == MCP_KIND]
    return {platform: (match[1], match[2]) for platform, match in matches if match}

"""Back from the canonical names of arguments to those of the platform: an agent runs what it can spell itself.

There is an answer only where it is exact: what it says, read again, is the canonical form that was given. Pure.
"""

from collections.abc import Mapping

from interpose.canonical.canonicalize import canonicalize
from interpose.canonical.mcp import McpName
from interpose.canonical.resolve import Resolver
from interpose.canonical.table import platform_of, table
from interpose.canonical.tools import NO_TOOLS, Tools
from interpose.contracts.digest import digest
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.errors import InvalidInput


def native_arguments(  # noqa: PLR0913 (a call's parts and what is known about its platform)
    tool: str,
    given: JsonObject,
    final: JsonObject,
    *,
    platform: str | None = None,
    tools: Tools = NO_TOOLS,
    mcp: McpName | None = None,
) -> JsonObject | None:
    """What a call of `tool` with the canonical parameters `final` is in the spelling of `given`, which it came with.

    None where nobody can say: an argument that was not given and whose name on this platform is not known for sure.
    """
    resolved = Resolver(platform_of(platform), tools).resolve(tool, mcp)
    renames = resolved.renames
    # Under a name that only the configuration declares, a tool has its own arguments: nothing was renamed.
    is_declared = tools.find(resolved.tool) is not None and resolved.view is not None
    # One argument may have come under two names that agree: whichever the tool reads, it reads what was judged.
    written: dict[str, list[str]] = {}
    for came in given:
        written.setdefault(renames.get(came, came), []).append(came)
    told: JsonObject = {}
    for argument, value in final.items():
        own = None if is_declared or argument in written else _own_name(tool, argument, platform, renames)
        names = [argument] if is_declared else written.get(argument, [own] if own is not None else [])
        if not names:
            return None
        told |= dict.fromkeys(names, value)
    spelled = {name: told[name] for name in (*(came for came in given if came in told), *told)}
    return spelled if _is_same(tool, spelled, final, platform, tools, mcp) else None


def _own_name(tool: str, argument: str, platform: str | None, renames: Mapping[str, str]) -> str | None:
    """What the platform calls an argument that was not given, by its own verified row; its canonical name without one.

    None where the row does not have it, or another platform's row would have to be trusted.
    """
    here, named = platform_of(platform), fold(tool)
    rows = (row for row in table().rows if row.platform == here and fold(row.native) == named)
    known = next((row.arguments for row in rows if row.verified and row.arguments), None)
    if known is None:
        return None if argument in renames.values() else argument
    names = [old for old, new in known.items() if new == argument]
    return names[0] if len(names) == 1 else None


def _is_same(  # noqa: PLR0913, PLR0917 (the parts of a call)
    tool: str, spelled: JsonObject, final: JsonObject, platform: str | None, tools: Tools, mcp: McpName | None
) -> bool:
    try:
        again = canonicalize(tool, None, spelled, platform=platform, tools=tools, mcp=mcp)
    except InvalidInput:
        return False
    return digest(again.parameters) == digest(final)

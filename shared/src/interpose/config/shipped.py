"""HTTP tools that ship with their whole request, so that a file names them with `{"executor": {"http": {}}}`.

What ships is written out when a file is read: a revision says whole what it does, whichever gateway it meets.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from interpose.config.source import Source
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.errors import Fault


@cache
def shipped_tools() -> dict[str, JsonObject]:
    """`executor.http` by the tool's name; one that is only another name has what it stands for."""
    found = json.loads(files("interpose.config").joinpath("shipped_tools.json").read_bytes())
    return {name: found[http] if isinstance(http, str) else http for name, http in found.items()}


def with_shipped_tools(source: Source) -> Source:
    """An HTTP tool without a `url` becomes what ships for it; the file's own fields take the place of the shipped."""
    value = source.value
    if not isinstance(value, dict) or not isinstance(value.get("tools"), dict):
        return source
    tools = {name: _filled(name, tool) for name, tool in value["tools"].items()}
    return replace(source, value=value | {"tools": tools})


def find_unshipped(source: Source) -> Iterator[Fault]:
    """A fault for each HTTP tool that still has no `url`."""
    tools = source.value.get("tools")
    for name, tool in tools.items() if isinstance(tools, dict) else ():
        http = _without_url(tool)
        if http is not None:
            known = ", ".join(sorted(shipped_tools(), key=fold))
            sentence = f"says no url, and only these ship with one: {known}; say url, or serve the tool on the bus"
            yield source.fault(("tools", name, "executor", "http"), sentence)


def _filled(name: str, tool: Any) -> Any:
    http = _without_url(tool)
    shipped = next((each for known, each in shipped_tools().items() if fold(known) == fold(name)), None)
    if http is None or shipped is None:
        return tool
    return tool | {"executor": tool["executor"] | {"http": shipped | http | {"url": shipped["url"]}}}


def _without_url(tool: Any) -> JsonObject | None:
    executor = tool.get("executor") if isinstance(tool, dict) else None
    http = executor.get("http") if isinstance(executor, dict) else None
    return http if isinstance(http, dict) and http.get("url") is None else None

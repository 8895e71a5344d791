"""The table of tool names: how each platform spells each tool, where that was read, and whether it was verified.

The data stands in `table.json`, one row a name, with a version of its own. It is read once, on first use.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import orjson

from interpose.contracts.names import fold

SHORT_PLATFORMS: Mapping[str, str] = {"claude": "claude-code", "gemini": "gemini-cli", "copilot": "copilot-cli"}
MCP_KIND = "Mcp"
PATCH_KIND = "FilePatch"
PATCH_ARGUMENT = "patch"
PATCH_ARGUMENTS = ("command", "input", "patchText", "raw")
"""Where the platforms put the text of a patch. Every patch tool is looked through for all of them."""

_PLAIN = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Row:
    """One name on one platform. `canonical` None: the tool has no canonical counterpart and keeps its name.

    `arguments` maps the platform's names to canonical ones. Only plain names are renamed: what needs a calculation
    or stands inside a value (`todos[].content`) is described there and left as it came.
    """

    platform: str
    native: str
    canonical: str | None
    kind: str
    arguments: Mapping[str, str]
    source: str
    verified: bool
    note: str

    @property
    def is_form(self) -> bool:
        """Whether it describes many names, as `mcp__<server>__<tool>` does."""
        return "<" in self.native

    @property
    def renames(self) -> dict[str, str]:
        """Native to canonical argument. Two names that claim one place are left alone: neither may hide the other."""
        plain = {old: new for old, new in self.arguments.items() if old != new and _is_plain(old, new)}
        claims = list(plain.values())
        renames = {old: new for old, new in plain.items() if claims.count(new) == 1}
        return renames | (_patch_renames() if self.kind == PATCH_KIND else {})


@dataclass(frozen=True, slots=True)
class Found:
    """What the table says of a name: its tool, its kind, and its arguments by their native names.

    `tool` is the canonical name, or the table's spelling where there is none (`has_canonical`).
    """

    tool: str
    kind: str
    renames: Mapping[str, str]
    has_canonical: bool


class Table:
    """All rows, found by platform and folded name."""

    def __init__(self, version: str, rows: Iterable[Row]) -> None:
        self.version = version
        self.rows = tuple(rows)
        named: dict[str, list[Row]] = {}
        for row in self.rows:
            if not row.is_form:
                named.setdefault(fold(row.native), []).append(row)
        agreed = {name: _agreed(alike) for name, alike in named.items()}
        self._anywhere = {name: _found(alike[0], agreed[name]) for name, alike in named.items() if _is_one(alike)}
        self._here = {
            (row.platform, name): _found(row, row.renames if row.verified else {**agreed[name], **row.renames})
            for name, alike in named.items()
            for row in alike
        }

    def find(self, name: str, platform: str | None) -> Found | None:
        """The platform's own row; else what every platform that has the name agrees on; else None.

        An unverified row may be wrong about its arguments: beside its own renames, those of other platforms count.
        """
        folded = fold(name)
        return self._here.get((platform or "", folded)) or self._anywhere.get(folded)

    def kinds(self) -> dict[str, str]:
        """Each canonical name and its kind, in the table's order; a patch is another kind of `Edit`."""
        named = [row for row in self.rows if row.canonical and "<" not in row.canonical and row.kind != PATCH_KIND]
        return {str(row.canonical): row.kind for row in named}


def platform_of(name: str | None) -> str | None:
    """The platform by its whole name or its short one (`claude`, `gemini`, `copilot`), whatever the case."""
    if name is None:
        return None
    folded = fold(name)
    return SHORT_PLATFORMS.get(folded, folded)


@cache
def table() -> Table:
    """The table that ships."""
    document = orjson.loads(files("interpose.canonical").joinpath("table.json").read_bytes())
    sources = document["sources"]
    return Table(document["version"], (Row(**{**row, "source": sources[row["source"]]}) for row in document["rows"]))


def _found(row: Row, renames: Mapping[str, str]) -> Found:
    # A form as the canonical name (`mcp__<server>__<tool>`) says what the tool is, and not yet which.
    canonical = row.canonical if row.canonical and "<" not in row.canonical else None
    return Found(canonical or row.native, row.kind, renames, canonical is not None)


def _is_one(rows: Sequence[Row]) -> bool:
    return len({(row.canonical, row.kind) for row in rows}) == 1


def _agreed(rows: Sequence[Row]) -> dict[str, str]:
    """Renames that no row contradicts."""
    told: dict[str, set[str]] = {}
    for row in rows:
        for old, new in {**row.arguments, **row.renames}.items():
            told.setdefault(old, set()).add(new)
    return {old: new for row in rows for old, new in row.renames.items() if told[old] == {new}}


def _is_plain(old: str, new: str) -> bool:
    return bool(_PLAIN.fullmatch(old) and _PLAIN.fullmatch(new))


def _patch_renames() -> dict[str, str]:
    return dict.fromkeys(PATCH_ARGUMENTS, PATCH_ARGUMENT)

"""The table of tool names as pages show it, from the data that ships."""

from interpose.canonical.table import Row
from interpose.canonical.table import table as tools
from reference.table import code, table


def mapping(platform: str) -> str:
    """Each name of one platform: its tool, its kind, the arguments that are renamed, and whether it was verified."""
    rows = [row for row in tools().rows if row.platform == platform]
    if not rows:
        raise ValueError(f"the table has no platform {platform}")
    heads = ["native name", "canonical name", "kind", "arguments", "verified", "source"]
    return table(heads, [_cells(row) for row in rows])


def mapping_sources() -> str:
    """Where the rows were read, by number, and the version of the table."""
    lines = [f"{number}. {source}" for number, source in enumerate(_sources(), start=1)]
    return "\n".join([f"Version {tools().version}, {len(tools().rows)} rows.", "", *lines])


def _cells(row: Row) -> list[str]:
    renames = ", ".join(f"{code(old)} → {code(new)}" for old, new in row.renames.items())
    source = str(_sources().index(row.source) + 1)
    return [
        code(row.native),
        code(row.canonical) if row.canonical else "its own",
        code(row.kind),
        renames,
        "yes" if row.verified else "no",
        source,
    ]


def _sources() -> list[str]:
    return list(dict.fromkeys(row.source for row in tools().rows))

"""One value judged: its places of blocks found, each block examined, and the blocks compared with each other."""

from collections.abc import Iterator
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.contracts.paths import Path
from interpose_validator.block_kit import across, parts, places
from interpose_validator.block_kit.blocks import BLOCKS_AT_MOST
from interpose_validator.findings import Finding
from interpose_validator.objections import too_many
from interpose_validator.settings import BlockKit, Surface


def examine(profile: BlockKit, value: JsonObject) -> tuple[JsonObject, list[Finding]]:
    """The value as it was judged (strings of JSON unpacked) and everything found in it, in no particular order."""
    found = places.find(profile, value)
    findings = list(found.findings)
    for path, blocks in found.lists:
        findings.extend(_examine_list(profile.surface, path, blocks))
    findings.extend(across.compare(found.lists))
    return found.document, findings


def _examine_list(surface: Surface, path: Path, blocks: list[Any]) -> Iterator[Finding]:
    most = BLOCKS_AT_MOST[surface]
    if len(blocks) > most:
        yield Finding(path, "maxItems", too_many(len(blocks), "block", "most", most), most, len(blocks))
    for index, block in enumerate(blocks):
        yield from (finding.at((*path, index)) for finding in parts.examine_block(block, surface))

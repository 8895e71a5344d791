"""Rules that compare the blocks of one value with each other, wherever in it they stand."""

from collections.abc import Iterator, Sequence
from typing import Any

from interpose.contracts.paths import Path, json_path
from interpose_validator.block_kit.blocks import HOLDS
from interpose_validator.findings import Finding

Lists = Sequence[tuple[Path, list[Any]]]


def compare(lists: Lists) -> Iterator[Finding]:
    """Each block_id once, and one element at most that takes the focus."""
    yield from _repeated_ids(lists)
    yield from _further_focus(lists)


def _repeated_ids(lists: Lists) -> Iterator[Finding]:
    first: dict[str, Path] = {}
    for path, block in _blocks(lists):
        name = block.get("block_id")
        if isinstance(name, str):
            if name in first:
                message = f"is the block_id of {json_path(first[name])} too: each block needs its own"
                yield Finding((*path, "block_id"), "unique", message)
            first.setdefault(name, path)


def _further_focus(lists: Lists) -> Iterator[Finding]:
    focused = [path for path, element in _elements(lists) if element.get("focus_on_load") is True]
    for path in focused[1:]:
        message = f"is true at {json_path(focused[0])} too: one element takes the focus"
        yield Finding((*path, "focus_on_load"), "unique", message)


def _blocks(lists: Lists) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path, blocks in lists:
        yield from (((*path, index), block) for index, block in enumerate(blocks) if isinstance(block, dict))


def _elements(lists: Lists) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path, block in _blocks(lists):
        for field in {name for _, name in HOLDS}:
            held = block.get(field)
            for index, element in enumerate(held) if isinstance(held, list) else [(None, held)]:
                if isinstance(element, dict):
                    yield (*path, field) if index is None else (*path, field, index), element

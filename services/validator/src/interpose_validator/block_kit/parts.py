"""One block and the elements in it: known type, right place, right surface, shape, rules. Paths are relative to it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.contracts.paths import Path
from interpose_validator.block_kit.blocks import BLOCKS, CONTEXT_TEXTS, HOLDS, SHOWN_ON
from interpose_validator.block_kit.elements import ELEMENTS
from interpose_validator.block_kit.rules import BLOCK_RULES, ELEMENT_RULES, Rule
from interpose_validator.block_kit.shapes import Schema
from interpose_validator.findings import Finding
from interpose_validator.json_schema import Compiled, compile_schema
from interpose_validator.objections import kind_of
from interpose_validator.settings import Surface

_SHOWN_CHARACTERS = 64


@dataclass(frozen=True, slots=True)
class _Family:
    """Parts that are told apart by their `type`."""

    noun: str
    shapes: Mapping[str, Schema]
    rules: Mapping[str, tuple[Rule, ...]]


_BLOCK = _Family("block", BLOCKS, BLOCK_RULES)
_ELEMENT = _Family("element", {**ELEMENTS, **CONTEXT_TEXTS}, ELEMENT_RULES)


def examine_block(block: Any, surface: Surface) -> Iterator[Finding]:
    """Everything that is wrong with one block, its elements included."""
    yield from _examine_part(_BLOCK, block, frozenset(BLOCKS))
    if isinstance(block, dict) and isinstance(kind := block.get("type"), str):
        for (owner, field), accepted in HOLDS.items():
            if owner == kind:
                yield from _examine_elements(block, field, accepted, surface)


def _examine_elements(block: JsonObject, field: str, accepted: frozenset[str], surface: Surface) -> Iterator[Finding]:
    for path, element in _elements(block, field):
        for finding in _examine_element(block["type"], element, accepted, surface):
            yield finding.at(path)


def _elements(block: JsonObject, field: str) -> Iterator[tuple[Path, Any]]:
    held = block.get(field)
    if isinstance(held, list):
        yield from (((field, index), element) for index, element in enumerate(held))
    elif isinstance(held, dict):
        yield (field,), held


def _examine_element(owner: str, element: Any, accepted: frozenset[str], surface: Surface) -> Iterator[Finding]:
    if not isinstance(element, dict):
        return  # the block's own shape has said so
    kind = element.get("type")
    yield from _examine_part(_ELEMENT, element, accepted)
    if isinstance(kind, str) and kind in _ELEMENT.shapes:
        if kind not in accepted:
            homes = frozenset(home for (home, _), held in HOLDS.items() if kind in held)
            yield Finding(("type",), "place", f"{kind} does not stand in {owner}; it stands in: {_listed(homes)}")
        if surface not in SHOWN_ON.get(kind, frozenset(Surface)):
            yield Finding(("type",), "surface", f"Slack does not show {kind} on the surface {surface}")
    if element.get("response_url_enabled") is True and (owner, surface) != ("input", Surface.MODAL):
        yield Finding(("response_url_enabled",), "surface", "works only in an input block of a modal")


def _examine_part(family: _Family, part: Any, accepted: frozenset[str]) -> Iterator[Finding]:
    if not isinstance(part, dict):
        yield Finding((), "type", f"must be an object, not {kind_of(part)}")
        return
    kind = part.get("type")
    if not isinstance(kind, str):
        yield _no_type(part, accepted)
    elif kind not in family.shapes:
        yield Finding(("type",), "known", _unknown(family.noun, kind, accepted))
    else:
        yield from _compiled(family.noun, kind).examine(part)
        for rule in family.rules.get(kind, ()):
            yield from rule(part)


def _no_type(part: JsonObject, accepted: frozenset[str]) -> Finding:
    if "type" not in part:
        return Finding(("type",), "required", f"is required; known here: {_listed(accepted)}")
    return Finding(("type",), "type", f"must be a string, not {kind_of(part['type'])}")


def _unknown(noun: str, kind: str, accepted: frozenset[str]) -> str:
    shown = json.dumps(kind if len(kind) <= _SHOWN_CHARACTERS else kind[:_SHOWN_CHARACTERS] + "…")
    return f"{noun} type {shown} is not one that this validator knows; known: {_listed(accepted)}"


def _listed(kinds: frozenset[str]) -> str:
    return ", ".join(sorted(kinds))


@cache
def _compiled(noun: str, kind: str) -> Compiled:
    family = _BLOCK if noun == _BLOCK.noun else _ELEMENT
    return compile_schema(family.shapes[kind])

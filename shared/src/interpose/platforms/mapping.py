"""A call's arguments in the normal form: what has a canonical place there, and everything else beside it, verbatim.

Unlike the canonical parameters that hooks judge, which are renamed only and map back exactly, these are for people and
for history: units are converted, lists are taken apart, and nothing is meant to go back to a platform
(docs/adr/0019-normal-form.md).
"""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from interpose.canonical.places import urls_in
from interpose.canonical.table import Row, table
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.platforms.calculations import CALCULATIONS, NO_ARGUMENT

_NESTED = re.compile(r"(\w+)(\[\]|\[0\]|\.)\.?(.+)")
STATUSES: Mapping[str, str] = {"not-started": "pending", "in-progress": "in_progress"}
"""How VS Code's list of tasks spells what the others spell otherwise."""
EDIT = ("file_path", "old_string", "new_string", "replace_all")


@dataclass(slots=True)
class Mapped:
    """`extra` holds the platform's own arguments without a canonical place."""

    canonical: JsonObject = field(default_factory=dict)
    extra: JsonObject = field(default_factory=dict)
    firsts: dict[str, JsonObject] = field(default_factory=dict)
    """The one item of each list that several arguments make together."""

    def put(self, name: str, value: Any, told: JsonObject) -> None:
        """Canonical arguments that `name` tells; one that says otherwise than another stays as it came."""
        if all(self.canonical.get(new, each) == each for new, each in told.items()):
            self.canonical |= told
        else:
            self.extra[name] = value


def mapped(
    rules: "Mapping[str, Rule]", renames: Mapping[str, str], own: Container[str], arguments: JsonObject
) -> Mapped:
    """The arguments by the table's row, by further renames, or by names that are canonical already (`own`)."""
    result = Mapped()
    for name, value in arguments.items():
        if name in rules:
            told = _told(rules[name], name, arguments, result)
        elif name in renames or name in own:
            told = {renames.get(name, name): value}
        else:
            told = None
        if told is None:
            result.extra[name] = value
        else:
            result.put(name, value, told)
    return result


def flatten_edit(result: Mapped) -> None:
    """One edit stands beside the file, several in a list."""
    edits = result.canonical.get("edits")
    if not (isinstance(edits, list) and len(edits) == 1 and isinstance(edits[0], dict)):
        return
    told = {name: value for name, value in edits[0].items() if name in EDIT}
    if all(result.canonical.get(name, value) == value for name, value in told.items()):
        rest = {name: value for name, value in edits[0].items() if name not in EDIT}
        del result.canonical["edits"]
        result.canonical |= told
        result.extra |= {"edits": [rest]} if rest else {}


def find_urls(result: Mapped) -> None:
    """Where a call names its addresses in its prompt only, they are found there."""
    prompt = result.canonical.get("prompt")
    if isinstance(prompt, str) and not {"url", "urls"} & result.canonical.keys():
        urls = urls_in(prompt)
        result.canonical |= {"url": urls[0], "urls": urls} if urls else {}


def canonical_names(tool: str) -> frozenset[str]:
    """Every argument that some platform's tool of this canonical name has, by its canonical name."""
    return _all_names().get(fold(tool), frozenset())


@cache
def _all_names() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for row in table().rows:
        if row.canonical is not None:
            told = frozenset(name for text in row.arguments.values() for name in _names(text))
            found[fold(row.canonical)] = found.get(fold(row.canonical), frozenset()) | told
    return found


def row_of(platform: str, native: str) -> Row | None:
    """The platform's own row of this name."""
    return _rows().get((platform, fold(native)))


@cache
def _rows() -> Mapping[tuple[str, str], Row]:
    rows = [row for row in table().rows if not row.is_form]
    return {(row.platform, fold(row.native)): row for row in reversed(rows)}


@dataclass(frozen=True, slots=True)
class Rule:
    """What the table says of one argument: `told` of itself, `inner` of what stands in it, and where that goes."""

    told: str | None = None
    shape: str = ""
    target: str = ""
    inner: tuple[tuple[str, str], ...] = ()


def rules_of(row: Row | None) -> Mapping[str, Rule]:
    """By the platform's name of the argument, the first part where the table names something within it."""
    return {} if row is None else _all_rules()[row.platform, row.native]


@cache
def _all_rules() -> Mapping[tuple[str, str], Mapping[str, Rule]]:
    return {(row.platform, row.native): _rules(row) for row in table().rows}


def _rules(row: Row) -> dict[str, Rule]:
    rules: dict[str, Rule] = {}
    for native, told in row.arguments.items():
        if (at := _NESTED.fullmatch(native)) is None:
            rules[native] = Rule(told) if native not in rules else rules[native]
            continue
        to = _NESTED.fullmatch(told) if at[2] == "[]" else None
        known = rules.get(at[1], Rule())
        inner = (*known.inner, (at[3], to[3] if to else told))
        rules[at[1]] = Rule(known.told, at[2], to[1] if to else "", inner)
    return rules


def _told(rule: Rule, name: str, arguments: JsonObject, result: Mapped) -> JsonObject | None:
    """The canonical arguments that this one tells, or None where it has no canonical place."""
    value, told = arguments[name], rule.told or ""
    if rule.shape == "[]":
        return _items(rule, value)
    if rule.inner:
        return _object(rule, name, arguments, result)
    if told in CALCULATIONS:
        return CALCULATIONS[told].work(value, arguments)
    if told in NO_ARGUMENT:
        return None
    first = _NESTED.fullmatch(told)
    return {told: value} if first is None else _first(first[1], first[3], value, result)


def _items(rule: Rule, value: Any) -> JsonObject | None:
    """A list of objects whose keys have other names."""
    if not (isinstance(value, list) and all(isinstance(item, dict) for item in value)):
        return None
    names = dict(rule.inner)
    items = [{names.get(key, key): _status(key, each) for key, each in item.items()} for item in value]
    is_whole = all(len(item) == len(came) for item, came in zip(items, value, strict=True))
    return {rule.target: items} if is_whole else None


def _status(key: str, value: Any) -> Any:
    return STATUSES.get(value, value) if key == "status" and isinstance(value, str) else value


def _object(rule: Rule, name: str, arguments: JsonObject, result: Mapped) -> JsonObject | None:
    """What stands in an object; what else it holds stays where it was."""
    if not isinstance(arguments[name], dict):
        return None
    found: JsonObject = {}
    rest = dict(arguments[name])
    for inner, told in rule.inner:
        if inner in rest:
            part = CALCULATIONS[told].work(rest[inner], arguments) if told in CALCULATIONS else {told: rest[inner]}
            if part is not None:
                found |= part
                del rest[inner]
    result.extra |= {name: rest} if rest else {}
    return found


def _first(target: str, inner: str, value: Any, result: Mapped) -> JsonObject | None:
    """The first of a list, which several arguments make together."""
    if inner == "options[].label":
        if not isinstance(value, list):
            return None
        inner, value = "options", [{"label": label} for label in value]
    if target in result.canonical and target not in result.firsts:
        return None
    made = result.firsts.setdefault(target, {})
    made[inner] = value
    result.canonical[target] = [made]
    return {}


def _names(told: str) -> tuple[str, ...]:
    """The canonical arguments that a description of the table makes."""
    if told in CALCULATIONS:
        return CALCULATIONS[told].makes
    if told in NO_ARGUMENT:
        return ()
    at = _NESTED.fullmatch(told)
    return (at[1] if at else told,)

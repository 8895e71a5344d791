"""Evidence: facts that a successful call established, found in its result by configured paths.

A path is an array of member names and indexes, `["url", "host"]`. A name with a dot in it is one name: there is no
dotted form, because a member may be called so. What is not there is left out, and no entry can spoil another.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from interpose.report import log
from interpose.report.fields import fields_of
from interpose.report.shedding import Part, encode
from interpose.report.snapshot import take

EVERY_TOOL = "*"
MOST_RULES = 256
LONGEST_NAME = 256
LONGEST_TTL_S = 7 * 24 * 3600
MOST_CHARACTERS = 64 * 1024
"""Of one entry; the gateway would not keep a larger one."""
_FIELDS = {"evidence_key", "path", "tool", "ttl_seconds"}
_MISSING: Any = object()


class Rule(NamedTuple):
    """Where an entry is found: `path` in the result of `tool`."""

    evidence_key: str
    path: tuple[str | int, ...]
    tool: str = EVERY_TOOL
    ttl_seconds: int | None = None


def read_rules(given: object) -> tuple[tuple[Rule, ...], list[str]]:
    """The rules of a configuration, and what is wrong with it, each with its place."""
    if not isinstance(given, (list, tuple)):
        return (), ["$.evidence: must be a list"]
    faults = [f"$.evidence: {len(given)} entries; at most {MOST_RULES} are allowed"] if len(given) > MOST_RULES else []
    rules = []
    for index, entry in enumerate(given[:MOST_RULES]):
        wrong = list(_faults(entry))
        faults += [f"$.evidence[{index}]{fault}" for fault in wrong]
        if not wrong:
            rules.append(Rule(**{**entry, "path": tuple(entry["path"])}))
    return tuple(rules), faults


def find(result: object, tool: str, rules: Iterable[Rule]) -> list[Part]:
    """The entries of a successful call, in the order of their rules."""
    found = []
    for rule in rules:
        if rule.tool not in (EVERY_TOOL, tool):
            continue
        try:
            part = _entry(result, rule)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one entry, the others are sent
            log.warning("evidence %s was left out: %s", rule.evidence_key, type(error).__name__)
            continue
        if part is not None:
            found.append(part)
    return found


def _entry(result: object, rule: Rule) -> Part | None:
    value = _follow(result, rule.path)
    if value is _MISSING:
        return None
    taken = take(value, MOST_CHARACTERS)
    if taken is None:
        log.warning("evidence %s was left out: it is larger than %d characters", rule.evidence_key, MOST_CHARACTERS)
        return None
    entry = {"evidence_key": rule.evidence_key, "evidence_data": taken.value}
    if rule.ttl_seconds is not None:
        entry["ttl_seconds"] = rule.ttl_seconds
    return Part(encode(entry), taken.values + len(entry))


def _follow(value: object, path: Sequence[str | int]) -> Any:
    for step in path:
        value = _member(value, step) if type(step) is str else _item(value, step)
        if value is _MISSING:
            return _MISSING
    return value


def _member(value: Any, name: object) -> Any:
    held: dict[Any, Any] = value if issubclass(type(value), dict) else fields_of(value)
    # Compared by type first: somebody's key may call itself equal to any name.
    return next((item for key, item in dict.items(held) if type(key) is str and key == name), _MISSING)


def _item(value: Any, index: Any) -> Any:
    own: Any = next((base for base in (list, tuple, deque) if issubclass(type(value), base)), None)
    if own is None or index >= own.__len__(value):
        return _MISSING
    return own.__getitem__(value, index)


def _faults(entry: object) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield ": must be an object"
        return
    yield from (f".{name}: no such field" for name in sorted(map(str, entry.keys() - _FIELDS)))
    for name in ("evidence_key", "tool"):
        text = entry.get(name, EVERY_TOOL if name == "tool" else None)
        if not isinstance(text, str) or not 0 < len(text) <= LONGEST_NAME:
            yield f".{name}: must be text of 1 to {LONGEST_NAME} characters"
    path = entry.get("path")
    if not isinstance(path, (list, tuple)) or not path or not all(_is_step(step) for step in path):
        yield '.path: must be a list of names and indexes that is not empty, as in ["url", "host"]'
    ttl_s = entry.get("ttl_seconds")
    if ttl_s is not None and not (type(ttl_s) is int and 0 < ttl_s <= LONGEST_TTL_S):
        yield f".ttl_seconds: must be a whole number from 1 to {LONGEST_TTL_S}"


def _is_step(step: object) -> bool:
    return type(step) is str or (type(step) is int and step >= 0)

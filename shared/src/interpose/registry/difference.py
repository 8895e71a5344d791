"""What changes from one document to the next, hook by hook, and what of it lets more through than before. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from interpose.contracts.config import Frame, HookSpec
from interpose.contracts.faults import wire_names
from interpose.contracts.registry import Document, Entry
from interpose.contracts.words import Mode
from interpose.registry.loosening import ABSENT, Loosening, of_field, of_part

SHOWN_CHARACTERS = 60
NOTHING: tuple[str, ...] = ()


class Kind(StrEnum):
    """What became of a hook, or of what stands beside the hooks."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """One hook, or `tools`, `defaults`, …: what is told of it, and which of these sentences loosen it, or may."""

    name: str
    kind: Kind
    told: tuple[str, ...] = ()
    loosened: tuple[str, ...] = ()
    may_loosen: tuple[str, ...] = ()


Sentence = tuple[str, Loosening]


def difference(before: Document | None, after: Document) -> list[Difference]:
    """Every difference, hooks first in the order of the new document, those removed behind them."""
    old, new = _by_name(before), _by_name(after)
    hooks = [_hook(name, old.get(name, []), entries) for name, entries in new.items()]
    gone = [_removed(name, entries) for name, entries in old.items() if name not in new]
    found = [*hooks, *gone, _order(old, new), *_frame(before, after)]
    return [one for one in found if one is not None]


def _by_name(document: Document | None) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in document.entries if document is not None else ():
        found.setdefault(entry.hook.name, []).append(entry)
    return found


def _removed(name: str, entries: list[Entry]) -> Difference:
    told = f"{_keys(entries)} ({entries[0].owner})"
    loosened = ("it is not asked any more",) if _counts(entries[0]) else NOTHING
    return Difference(name, Kind.REMOVED, (told,), loosened)


def _hook(name: str, old: list[Entry], new: list[Entry]) -> Difference | None:
    first = new[0]
    if not old:
        off = "" if first.enabled else ", disabled"
        return Difference(name, Kind.ADDED, (f"{_keys(new)} → {first.hook.served_by}, {first.hook.fail_mode}{off}",))
    sentences = [*_standing(old, new), *_fields(old[0].hook, new[0].hook)]
    if not sentences:
        return None
    told = tuple(told for told, _ in sentences)
    if not _counts(old[0]):
        return Difference(name, Kind.CHANGED, told)
    return Difference(name, Kind.CHANGED, told, _those(sentences, Loosening.YES), _those(sentences, Loosening.MAYBE))


def _those(sentences: Sequence[Sentence], wanted: Loosening) -> tuple[str, ...]:
    return tuple(told for told, loosening in sentences if loosening is wanted)


def _counts(entry: Entry) -> bool:
    """Whether it was enforced at all before: what enforced nothing cannot be loosened."""
    return entry.enabled and entry.hook.mode is Mode.ENFORCE


def _keys(entries: list[Entry]) -> str:
    return ", ".join(entry.key for entry in entries)


def _standing(old: list[Entry], new: list[Entry]) -> Iterator[Sentence]:
    was, now = [entry.key for entry in old], [entry.key for entry in new]
    # Whoever is asked about everything now is asked about that as well.
    every = {key.partition(":")[0] for key in now if key.partition(":")[2].strip() == "*"}
    lost = [key for key in was if key not in now]
    yield from ((f"no longer asked for {key}", Loosening.of(key.partition(":")[0] not in every)) for key in lost)
    yield from ((f"asked for {key} as well", Loosening.NO) for key in now if key not in was)
    if old[0].enabled != new[0].enabled:
        yield ("enabled", Loosening.NO) if new[0].enabled else ("disabled", Loosening.YES)
    if (old[0].owner, old[0].source) != (new[0].owner, new[0].source):
        yield f"owner: {old[0].owner} ({old[0].source}) → {new[0].owner} ({new[0].source})", Loosening.NO
    if old[0].temporary != new[0].temporary:
        told = "temporary: it goes when its worker stops" if new[0].temporary else "not temporary any more"
        yield told, Loosening.NO


def _fields(old: HookSpec, new: HookSpec) -> Iterator[Sentence]:
    was, now = old.model_dump(mode="json", by_alias=True), new.model_dump(mode="json", by_alias=True)
    for field in wire_names(HookSpec):
        loosening = of_field(field, old, new)
        if loosening is Loosening.MAYBE:
            # A person has to judge it, so each part is told that differs.
            yield from ((_change(*part), loosening) for part in _parts(was[field], now[field], field))
        elif was[field] != now[field]:
            yield _change(field, was[field], now[field]), loosening


def _order(old: Mapping[str, list[Entry]], new: Mapping[str, list[Entry]]) -> Difference | None:
    """Transforming hooks work in this order, and the first no of all is the reason that a caller is told."""
    was, now = ([name for name in one if name in old and name in new] for one in (old, new))
    return None if was == now else Difference("order", Kind.CHANGED, (f"{', '.join(was)} → {', '.join(now)}",))


def _frame(before: Document | None, after: Document) -> Iterator[Difference]:
    """What stands beside the hooks, by the name in the file."""
    if before is None:
        return
    was, now = before.meaning(), after.meaning()
    for part in wire_names(Frame):
        changed = list(_parts(was[part], now[part], part))
        if changed:
            loosened = tuple(_change(*one) for one in changed if of_part(*one))
            yield Difference(part, Kind.CHANGED, tuple(_change(*one) for one in changed), loosened)


def _parts(was: Any, now: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """Each smallest part that differs: its place, what it was, what it is. Schemas count as one part."""
    if isinstance(was, dict) and isinstance(now, dict) and not place.endswith("inputSchema"):
        for key in dict.fromkeys([*was, *now]):
            yield from _parts(was.get(key, ABSENT), now.get(key, ABSENT), f"{place}.{key}")
    elif was != now:
        yield place, was, now


def _change(field: str, was: Any, now: Any) -> str:
    return f"{field}: {_shown(was)} → {_shown(now)}"


def _shown(value: Any) -> str:
    if value is ABSENT:
        return "left out"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 1]}…"

"""Which strings of a value hold anything at all. Nearly none do, and most are short: short ones are looked at together.

Together means one text with a line between each two of them. That must find whatever each alone would show: so only
strings take part that can neither open nor close anything for their neighbours, and only under rules that do not ask
where a text begins or ends. If something is found, each half is looked at again, down to the string that holds it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from interpose.contracts.limits import DEPTH
from interpose_sanitizer import clean, text
from interpose_sanitizer.blocks import is_binary
from interpose_sanitizer.classifier import turns
from interpose_sanitizer.looking import Eyes
from interpose_sanitizer.rules import Place
from interpose_sanitizer.text import Sanitized

LONGEST = 1_000
"""Characters of a string that is looked at together with others."""
TOGETHER = 32_000
_BETWEEN = "\n\n|\n\n"
_OPENING = frozenset("<`[\\\x1b\b\r")
"""What could swallow a neighbour: markup, code, escapes, what a terminal writes over."""


class NoJson(Exception):
    """Something in the value cannot be processed; where, only a walk can tell."""


def found_in(value: Any, eyes: Eyes) -> dict[str, Sanitized]:
    """Every string of a value in which something is found, names of fields included. Raises NoJson."""
    every = strings_of(value)
    posed = every & turns.strings(value) if any(map(turns.may_be_said_of, every)) else set[str]()
    return _found(every - posed, eyes) | _found(posed, replace(eyes, place=Place.TURN))


def _found(strings: set[str], eyes: Eyes) -> dict[str, Sanitized]:
    """Some strings in which something is found. One in which nothing was, lately, is not looked at again."""
    if not strings:
        return {}
    known = clean.to(eyes)
    unknown = {one: digest for one in strings if (digest := clean.digest(one)) not in known}
    short: list[str] = []
    alone: list[str] = []
    for one in unknown:
        (short if len(one) <= LONGEST and _OPENING.isdisjoint(one) else alone).append(one)
    if not eyes.matcher.is_local:
        alone, short = alone + short, []
    suspects = [one for batch in _batches(short) for one in _suspects(batch, eyes)]
    sanitized = ((one, text.cleaned(one, eyes)) for one in (*alone, *suspects))
    found = {one: result for one, result in sanitized if result.findings}
    for one in unknown.keys() - found.keys():
        known.add(unknown[one])
    return found


def strings_of(value: Any) -> set[str]:
    """Every string of a value, each once. Raises NoJson."""
    strings: set[Any] = set()
    level = [value]
    for _ in range(DEPTH + 1):
        below: list[Any] = []
        for item in level:
            if isinstance(item, str):
                strings.add(item)
            elif isinstance(item, dict):
                strings.update(item)
                below.extend(_fields(item))
            elif isinstance(item, list):
                below.extend(item)
            elif item is not None and not isinstance(item, int | float):
                raise NoJson
        if not below:
            return _checked(strings)
        level = below
    raise NoJson


def _fields(item: dict[Any, Any]) -> Iterable[Any]:
    if "mimeType" not in item:
        return item.values()
    return [inner for name, inner in item.items() if not is_binary(item, name)]


def _checked(strings: set[Any]) -> set[str]:
    for one in strings:
        if not isinstance(one, str):
            raise NoJson
        if not one.isascii():
            try:
                one.encode()
            except UnicodeEncodeError as error:
                raise NoJson from error
    return strings


def _batches(strings: list[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for one in strings:
        batch.append(one)
        size += len(one)
        if size > TOGETHER:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _suspects(batch: list[str], eyes: Eyes) -> Iterator[str]:
    """The strings of a batch in which something may be."""
    if not eyes.may_see(_BETWEEN.join(batch)):
        return
    if len(batch) == 1:
        yield batch[0]
        return
    half = len(batch) // 2
    yield from _suspects(batch[:half], eyes)
    yield from _suspects(batch[half:], eyes)

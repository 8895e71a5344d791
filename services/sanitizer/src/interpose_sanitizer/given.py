"""Rules of one's own: in a hook's `with`, or in files that the service reads at its start.

They have the fields, the examples and the limits of the rules that come with the service, and smaller bounds: who may
write a hook must not take the memory of those who share the worker. What cannot be used is refused with every fault.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from interpose.config.yaml_source import read_yaml
from interpose.errors import Fault
from interpose_sanitizer import examples, rules
from interpose_sanitizer.rules import Rule, UnusableRule

MOST_INLINE, MOST_IN_FILES = 50, 500
"""Rules."""
MOST_BYTES = 64 << 10
"""Of the rules of one hook as JSON, and of one file."""
MOST_FILES = 50
KINDS = {".toml", ".yaml", ".yml"}
_REMEMBERED = 32


@dataclass(frozen=True, slots=True)
class Given:
    """Some rules, told apart by the digest of what was written."""

    digest: str = ""
    rules: tuple[Rule, ...] = field(default=(), compare=False)


NONE = Given()


def inline(written: object) -> Given:
    """The rules of a hook's settings. Raises UnusableRule, its places counted from the list."""
    if not isinstance(written, list):
        raise UnusableRule("these rules are refused", [Fault("$", "must be a list of rules")])
    text = json.dumps(written, sort_keys=True)
    if len(text) > MOST_BYTES or len(written) > MOST_INLINE:
        raise UnusableRule(
            "these rules are refused",
            [
                Fault(
                    "$", f"are more than {MOST_INLINE} rules or {MOST_BYTES} bytes: put them into a file of the service"
                )
            ],
        )
    return _checked(text)


@lru_cache(maxsize=_REMEMBERED)
def _checked(text: str) -> Given:
    found = tuple(_parsed(json.loads(text), {}, "$[{}]"))
    return Given(hashlib.sha256(text.encode()).hexdigest(), found)


def files(place: Path) -> Given:
    """The rules of one file, or of every TOML and YAML file of a folder. Raises UnusableRule with the file."""
    found: list[Rule] = []
    for file in _named(place):
        found.extend(file_rules(file))
    if len(found) > MOST_IN_FILES:
        raise UnusableRule(f"the rules in {place} are refused", [Fault("$", f"are more than {MOST_IN_FILES}")])
    _refuse(list(_twice(found, {rule.id for rule in rules.shipped(rules.Place.ENCODED)}, "$.{}")), str(place))
    digest = hashlib.sha256("".join(rule.model_dump_json() for rule in found).encode()).hexdigest()
    return Given(digest, tuple(found))


def file_rules(file: Path) -> Sequence[Rule]:
    """The rules of one file, each with its examples tried. Raises UnusableRule."""
    document = _document(file)
    unknown = sorted(set(document) - {"rule", "words", "defaults"})
    if unknown or not isinstance(document.get("rule"), list):
        raise UnusableRule(
            f"{file} is refused", [Fault("$", "holds a list `rule`, and may hold `words` and `defaults`; nothing else")]
        )
    defaults, words = document.get("defaults", {}), document.get("words", {})
    if not (_is_plain(words) and isinstance(defaults, dict)):
        raise UnusableRule(f"{file} is refused", [Fault("$.words", "must be names, each with a text")])
    written = [{**defaults, **one} if isinstance(one, dict) else one for one in document["rule"]]
    try:
        return tuple(_parsed(written, words, "$.rule[{}]"))
    except UnusableRule as error:
        raise UnusableRule(f"{file} is refused", error.faults) from error


def _named(place: Path) -> Sequence[Path]:
    try:
        named = sorted(one for one in place.iterdir() if one.suffix in KINDS) if place.is_dir() else [place]
    except OSError as error:
        raise UnusableRule(f"{place} cannot be read", [Fault("$", str(error.strerror))]) from error
    if not named or len(named) > MOST_FILES:
        why = f"holds {len(named)} files of rules (.toml, .yaml): give 1 to {MOST_FILES}"
        raise UnusableRule(f"{place} is refused", [Fault("$", why)])
    return named


def _document(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableRule(f"{file} cannot be read", [Fault("$", str(error))]) from error
    if len(text.encode()) > MOST_BYTES:
        raise UnusableRule(f"{file} is refused", [Fault("$", f"is longer than {MOST_BYTES} bytes: split it")])
    document = _toml(text, file) if file.suffix == ".toml" else _yaml(text, file)
    return document if isinstance(document, dict) else {}


def _toml(text: str, file: Path) -> Any:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnusableRule(f"{file} is no TOML", [Fault("$", str(error) or "is nested too deep")]) from error


def _yaml(text: str, file: Path) -> Any:
    source = read_yaml(text)
    if source.faults:
        raise UnusableRule(f"{file} cannot be read", source.faults)
    return source.value


def _is_plain(words: object) -> bool:
    return isinstance(words, dict) and all(isinstance(one, str) for pair in words.items() for one in pair)


def _parsed(written: Sequence[Any], words: dict[str, str], place: str) -> Iterator[Rule]:
    """The rules, every one tried, or every fault of all of them."""
    faults: list[Fault] = []
    found: list[Rule] = []
    for number, one in enumerate(written):
        try:
            rule = rules.parsed(one, "rule", words)
            wrong = examples.faults(rule)
        except UnusableRule as error:
            wrong = list(error.faults)
        else:
            found.append(rule)
        faults.extend(Fault(place.format(number) + fault.path.removeprefix("$"), fault.message) for fault in wrong)
    faults.extend(_twice(found, {rule.id for rule in rules.shipped(rules.Place.ENCODED)}, place))
    _refuse(faults, "these rules")
    return iter(found)


def _twice(found: Iterable[Rule], taken: set[str], place: str) -> Iterator[Fault]:
    for number, rule in enumerate(found):
        if rule.id in taken:
            yield Fault(f"{place.format(number)}.id", f"there is another rule {rule.id}: choose another id")
        taken.add(rule.id)


def _refuse(faults: Sequence[Fault], name: str) -> None:
    if faults:
        raise UnusableRule(f"{name} cannot be used", faults)

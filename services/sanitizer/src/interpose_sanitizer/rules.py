"""Rules: data in `rules/*.toml`, compiled once. Each brings the texts it must match and those it must spare.

A pattern is RE2, matched on the shadow of a text (`shadow`), and itself folded as texts are: write it in plain letters.
Two signs stand for more: a space is a gap between words, with at least one white space in it, whatever punctuation or
markup stands beside it; `~` is a gap that may also be empty. Inside `[…]` both are themselves. A line break and
indentation are nothing.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import re2  # type: ignore[import-untyped]
from pydantic import ConfigDict, Field, ValidationError

from interpose.contracts.faults import faults_of
from interpose.contracts.model import Closed, Code
from interpose.errors import ConfigurationError, Fault
from interpose_sanitizer.findings import Family
from interpose_sanitizer.shadow import fold

_MOST_MEMORY = 64 << 20
_PUNCTUATION = r"""\"'\x{2018}-\x{201f}«»*_`.,:;!?()\[\]{}<>#/|=+\-\x{2010}-\x{2015}•"""
GAP = rf"[{_PUNCTUATION}]*\s[\s{_PUNCTUATION}]*"
ANY_GAP = rf"[\s{_PUNCTUATION}]*"
_SIGN = re.compile(
    r"(?P<fold>\A +|\n *)|(?P<gap> )|(?P<any>~)"
    r"|(?P<kept>\\p\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?[a-z]+\))|(?P<other>.)",
    re.DOTALL,
)


class RuleAction(StrEnum):
    """What a match leads to."""

    NEUTRALISE = "neutralise"
    """What the hook's mode says."""
    REPORT = "report"
    """It is told and nothing is changed: for a rule that is not sure enough."""


class Rule(Closed):
    """One rule. `matches` are texts in which it must find something, `spares` texts in which it must not."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    id: Code
    family: Family
    pattern: str = Field(min_length=1)
    languages: tuple[str, ...] = Field(min_length=1)
    action: RuleAction = RuleAction.NEUTRALISE
    matches: tuple[str, ...] = Field(min_length=1)
    spares: tuple[str, ...] = Field(min_length=1)


class UnusableRule(ConfigurationError, ValueError):
    """A rule that is not complete, or whose pattern RE2 cannot compile to run in linear time."""


def expanded(pattern: str) -> str:
    """The pattern as RE2 reads it: letters folded, gaps spelled out."""
    return "".join(_expand(sign) for sign in _SIGN.finditer(pattern))


def _expand(sign: re.Match[str]) -> str:
    if sign["gap"]:
        return GAP
    if sign["any"]:
        return ANY_GAP
    if sign["fold"]:
        return ""
    if sign["kept"]:
        return sign["kept"] if sign["kept"].isascii() else "".join(map(_folded, sign["kept"]))
    return _folded(sign["other"])


def _folded(character: str) -> str:
    return character if character.isascii() and not character.isupper() else fold(character)


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    options.never_capture = True
    return options


def compiled(rule: Rule) -> Any:
    """The rule's pattern, ready to search a shadow. Raises UnusableRule."""
    try:
        return re2.compile(expanded(rule.pattern), _options())
    except re2.error as error:
        why = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        raise UnusableRule(
            f"rule {rule.id} is refused", [Fault("$.pattern", f"cannot run in linear time: {why}")]
        ) from error


def prefilter(rules: Sequence[Rule]) -> Any:
    """One automaton that says which of these rules match a shadow at all, by their numbers."""
    together = re2.Set.SearchSet(_options())
    for rule in rules:
        together.Add(expanded(rule.pattern))
    together.Compile()
    return together


def read(text: str, source: str) -> Iterable[Rule]:
    """The rules of one file. Raises UnusableRule."""
    for number, fields in enumerate(tomllib.loads(text)["rule"]):
        try:
            yield Rule.model_validate(fields)
        except ValidationError as error:
            raise UnusableRule(f"rule {number + 1} of {source} is refused", faults_of(error, model=Rule)) from error


@cache
def shipped() -> tuple[Rule, ...]:
    """The rules that come with the service."""
    found = sorted((files(__package__) / "rules").iterdir(), key=lambda file: file.name)
    return tuple(
        rule for file in found if file.name.endswith(".toml") for rule in read(file.read_text("utf-8"), file.name)
    )

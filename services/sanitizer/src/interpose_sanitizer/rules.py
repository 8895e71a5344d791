"""Rules: data in `rules/*.toml`, compiled once. Each brings the texts it must match and those it must spare.

A pattern is RE2, matched on the shadow of a text (`shadow`), and itself folded as texts are: write it in plain letters.
`pattern` tells the signs that stand for more.
"""

import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import ConfigDict, Field, ValidationError

from interpose.contracts.faults import faults_of
from interpose.contracts.model import Closed, Code
from interpose.errors import ConfigurationError, Fault
from interpose_sanitizer import pattern
from interpose_sanitizer.findings import Family
from interpose_sanitizer.pattern import UnusablePattern
from interpose_sanitizer.reach import Reach


class RuleAction(StrEnum):
    """What a match leads to."""

    NEUTRALISE = "neutralise"
    """What the hook's mode says."""
    REPORT = "report"
    """It is told and nothing is changed: for a rule that is not sure enough."""


class Place(StrEnum):
    """Where a rule holds, and where a text is looked at."""

    ANYWHERE = "anywhere"
    TURN = "turn"
    """A whole text that a system is said to have said, or that is left for a machine. No rule holds there alone."""
    HIDDEN = "hidden"
    """Only in what was encoded or is not shown: nobody else than a model is spoken to there."""
    ENCODED = "encoded"
    """Only in what was encoded though plain letters would have done: nobody orders anything honest so."""

    @property
    def within(self) -> frozenset["Place"]:
        """The places whose rules hold here."""
        return _WITHIN[self]


_WITHIN = {place: frozenset([*Place][: number + 1]) for number, place in enumerate(Place)}


class Rule(Closed):
    """One rule. `matches` are texts in which it must find something, `spares` texts in which it must not."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    id: Code
    family: Family
    pattern: str = Field(min_length=1)
    languages: tuple[str, ...] = Field(min_length=1)
    action: RuleAction = RuleAction.NEUTRALISE
    place: Literal[Place.ANYWHERE, Place.HIDDEN, Place.ENCODED] = Place.ANYWHERE
    reach: Reach = Reach.MATCH
    is_doubtful: bool = False
    """Whether people say the same to each other: then the classifier is asked, too."""
    matches: tuple[str, ...] = Field(min_length=1)
    spares: tuple[str, ...] = Field(min_length=1)


class UnusableRule(ConfigurationError, ValueError):
    """A rule that is not complete, or whose pattern RE2 cannot compile to run in linear time."""


def compiled(rule: Rule) -> Any:
    """The rule's pattern, ready to search a shadow. Raises UnusableRule."""
    try:
        return pattern.compiled(rule.pattern)
    except UnusablePattern as error:
        raise UnusableRule(f"rule {rule.id} is refused", [Fault("$.pattern", str(error))]) from error


def read(text: str, source: str, words: Mapping[str, str] | None = None) -> Iterable[Rule]:
    """The rules of one file, its own `[words]` beside the given ones. Raises UnusableRule."""
    document = tomllib.loads(text)
    known = {**(words or {}), **document.get("words", {})}
    for number, fields in enumerate(document["rule"]):
        yield parsed({**document.get("defaults", {}), **fields}, f"rule {number + 1} of {source}", known)


def parsed(fields: dict[str, Any], name: str, words: Mapping[str, str]) -> Rule:
    """One rule from its fields. Raises UnusableRule, which calls it by `name`."""
    try:
        rule = Rule.model_validate(fields)
        return rule.model_copy(update={"pattern": pattern.spelled(rule.pattern, words)})
    except ValidationError as error:
        raise UnusableRule(f"{name} is refused", faults_of(error, model=Rule)) from error
    except UnusablePattern as error:
        raise UnusableRule(f"{name} is refused", [Fault("$.pattern", str(error))]) from error


@cache
def shipped(place: Place = Place.ANYWHERE) -> tuple[Rule, ...]:
    """The rules that come with the service and hold at this place; in what is encoded, all of them."""
    return tuple(rule for rule in _all() if rule.place in place.within)


@cache
def _all() -> tuple[Rule, ...]:
    folder = files(__package__) / "rules"
    words = tomllib.loads((folder / "words.toml").read_text("utf-8"))["words"]
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(
        rule for file in found if file.name != "words.toml" for rule in read(file.read_text("utf-8"), file.name, words)
    )

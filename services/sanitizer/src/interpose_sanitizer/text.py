"""Sanitising one text. What comes out has nothing left to be found, so that doing it again changes nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from interpose_sanitizer.disclosures import masks
from interpose_sanitizer.disclosures.wanted import Treatment
from interpose_sanitizer.draft import Draft
from interpose_sanitizer.findings import DISCLOSURES, Action, Family, Finding, Mode, Span
from interpose_sanitizer.hidden.search import Hidden
from interpose_sanitizer.looking import Eyes, Seen
from interpose_sanitizer.points import points_of, text_of
from interpose_sanitizer.settings import Settings
from interpose_sanitizer.shadow import marker

MOST_LOOKS = 4
"""Taking one attack out may lay another one open. What needs more looks was built to outlast them: it goes whole.

Secrets have as many looks of their own, behind those."""
OUTLASTS = "built-to-outlast"
MOST_FINDINGS = 3_000
"""A text in which more is found, in all looks together, goes whole as well."""
MOST_HIDDEN = 1_000
"""More characters that hide are one finding: then the text is read without them first."""


_DONE = {Treatment.MASK: Action.MASKED, Treatment.ERASE: Action.ERASED, Treatment.REPORT: Action.REPORTED}


@dataclass(frozen=True, slots=True)
class Sanitized:
    """A text without attacks, and what was found, by its place in the text as it came."""

    text: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """An attack in the present draft, and what stands in its place when it is taken out."""

    span: Span
    family: Family
    rule: str
    action: Action = Action.REMOVED
    put: str = ""


def sanitize(text: str, settings: Settings) -> Sanitized:
    """The text as `settings` want it; one in which nothing is found comes back as it is.

    Raises UnicodeEncodeError for what is no Unicode text (lone surrogates).
    """
    return cleaned(text, Eyes.of(settings))


def cleaned(text: str, eyes: Eyes) -> Sanitized:
    """The same for eyes that look at many texts."""
    settings = eyes.settings
    seen = eyes.look(text)
    found = _found(text, seen, settings)
    if not found:
        return Sanitized(text)
    draft, looks, count = Draft.of(text), [0, 0], 0
    findings = [_finding(draft, one, settings.mode) for one in found if one.action is Action.REPORTED]
    while attacks := _apart(one for one in found if one.action is not Action.REPORTED):
        findings.extend(_finding(draft, one, settings.mode) for one in attacks)
        is_disclosed = bool(seen.disclosed)
        looks[is_disclosed] += 1
        count += 0 if is_disclosed else len(attacks)
        if looks[is_disclosed] == MOST_LOOKS or seen.is_flooded or count > MOST_FINDINGS:
            whole = _taken((0, len(text)), attacks[0].family, OUTLASTS, settings.mode)
            findings.append(_finding(Draft.of(text), whole, settings.mode))
            draft = Draft.of(whole.put)
            break
        draft = draft.edited((one.span, one.put) for one in attacks)
        seen = eyes.look(draft.text)
        found = _found(draft.text, seen, settings)
        if not looks[True]:
            told = (one for one in found if one.family in DISCLOSURES and one.action is Action.REPORTED)
            findings.extend(_finding(draft, one, settings.mode) for one in told)
    findings.sort(key=lambda one: one.span)
    return Sanitized(text if settings.mode is Mode.REPORT else draft.text, tuple(findings))


def whole(text: str, family: Family, rule: str, mode: Mode) -> tuple[str, Finding]:
    """What is put in place of a text that is an attack from end to end, and what is told of it."""
    taken = _taken((0, len(text)), family, rule, mode)
    return text if mode is Mode.REPORT else taken.put, _finding(Draft.of(text), taken, mode)


class Disclosed(NamedTuple):
    """A whole string that is a secret by the name of its field: what is told of it, and what is put there, if it is."""

    finding: Finding
    put: str
    is_put: bool


def disclosed(span: Span, rule: str, treatment: Treatment, mode: Mode) -> Disclosed:
    """That, as the settings want it."""
    action = Action.REPORTED if mode is Mode.REPORT else _DONE[treatment]
    marked = masks.put(rule, "", treatment, shown=False)
    return Disclosed(Finding(Family.SECRET, rule, span, action), marked, action is not Action.REPORTED)


def _found(text: str, seen: Seen, settings: Settings) -> list[_Found]:
    """What was seen, and what is to be put in its place."""
    if seen.hidden.places.size > MOST_HIDDEN:
        return [_all_in_one(text, seen.hidden)]
    found = [_Found(*hit) for hit in seen.hidden.hits()]
    found += [_Found(*hit, Action.REPORTED) for hit in seen.reported]
    found += [_Found(one.span, one.family, one.rule, _DONE[one.treatment], one.put) for one in seen.disclosed]
    return found + [_taken(*hit, settings.mode) for hit in seen.attacks]


def _taken(span: Span, family: Family, rule: str, mode: Mode) -> _Found:
    if mode is Mode.REMOVE:
        return _Found(span, family, rule)
    return _Found(span, family, rule, Action.MARKED, marker(family))


def _all_in_one(text: str, hidden: Hidden) -> _Found:
    """From the first to the last of what hides, without any of it."""
    start, end = int(hidden.places[0]), int(hidden.places[-1]) + 1
    left = np.delete(points_of(text[start:end]), hidden.places - start)
    _, family, rule = hidden.first()
    return _Found((start, end), family, rule, put=text_of(left))


def _apart(found: Iterable[_Found]) -> list[_Found]:
    """The attacks in order, none touching another: those that do are one, named after the first that a rule knows."""
    apart: list[_Found] = []
    for one in sorted(found, key=lambda one: (one.span[0], -one.span[1])):
        if apart and _are_one(apart[-1], one):
            apart[-1] = _joined(apart[-1], one)
        else:
            apart.append(one)
    return apart


def _are_one(first: _Found, second: _Found) -> bool:
    reach = first.span[1] - second.span[0]
    return reach > 0 or (reach == 0 and (first.family, first.put) == (second.family, second.put))


def _joined(first: _Found, second: _Found) -> _Found:
    named = first if first.put or not second.put else second
    return replace(named, span=(first.span[0], max(first.span[1], second.span[1])))


def _finding(draft: Draft, one: _Found, mode: Mode) -> Finding:
    action = Action.REPORTED if mode is Mode.REPORT else one.action
    return Finding(one.family, one.rule, draft.origin(one.span), action)

"""Sanitising one text. What comes out has nothing left to be found, so that doing it again changes nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from interpose_sanitizer import matching
from interpose_sanitizer.draft import Draft
from interpose_sanitizer.findings import Action, Family, Finding, Mode, Span
from interpose_sanitizer.hidden.search import Hidden
from interpose_sanitizer.hidden.search import search as search_hidden
from interpose_sanitizer.matching import MOST_MATCHES, Matcher
from interpose_sanitizer.rules import RuleAction
from interpose_sanitizer.settings import Settings
from interpose_sanitizer.shadow import Shadow, marker

MOST_LOOKS = 6
"""Taking one attack out may lay another one open. What needs more looks was built to outlast them: it goes whole."""
OUTLASTS = "built-to-outlast"
MOST_ATTACKS = MOST_MATCHES
"""A text that holds so many goes whole as well."""
MOST_HIDDEN = 1_000
"""More characters that hide are one finding: then the text is read without them first."""

_ESCAPED_SPACE = re.compile(r"\\{1,8}[nrt]")


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


def sanitize(text: str, settings: Settings, matcher: Matcher | None = None) -> Sanitized:
    """The text as `settings` want it; one in which nothing is found comes back as it is.

    Raises UnicodeEncodeError for what is no Unicode text (lone surrogates).
    """
    text.encode()
    draft, findings = Draft.of(text), list[Finding]()
    for look in range(1, MOST_LOOKS + 1):
        found = _search(draft.text, settings, matcher or matching.shipped())
        if look == 1:
            findings.extend(_finding(draft, one, settings.mode) for one in found if one.action is Action.REPORTED)
        attacks = _apart(one for one in found if one.action is not Action.REPORTED)
        if not attacks:
            break
        findings.extend(_finding(draft, one, settings.mode) for one in attacks)
        if look == MOST_LOOKS or len({one.span for one in found}) >= MOST_ATTACKS:
            whole = _taken((0, len(text)), attacks[0].family, OUTLASTS, settings.mode)
            findings.append(_finding(Draft.of(text), whole, settings.mode))
            draft = Draft.of(whole.put)
            break
        draft = draft.edited((one.span, one.put) for one in attacks)
    findings.sort(key=lambda one: one.span)
    return Sanitized(text if settings.mode is Mode.REPORT else draft.text, tuple(findings))


def _search(text: str, settings: Settings, matcher: Matcher) -> list[_Found]:
    """Everything in a text, as often as it can be read differently."""
    hidden = search_hidden(text)
    wanted = [one for one in hidden if one[1] in settings.families]
    if len(wanted) > MOST_HIDDEN:
        return [_all_in_one(text, wanted)]
    found = [_Found(*one) for one in wanted]
    for reading in _readings(text, hidden[:MOST_HIDDEN]):
        for span, rule in matcher.search(Shadow(reading), settings):
            if rule.action is RuleAction.REPORT:
                found.append(_Found(span, rule.family, rule.id, Action.REPORTED))
            else:
                found.append(_taken(span, rule.family, rule.id, settings.mode))
    return found


def _taken(span: Span, family: Family, rule: str, mode: Mode) -> _Found:
    if mode is Mode.REMOVE:
        return _Found(span, family, rule)
    return _Found(span, family, rule, Action.MARKED, marker(family))


def _all_in_one(text: str, hidden: Sequence[Hidden]) -> _Found:
    (start, _), family, rule = hidden[0]
    end = hidden[-1][0][1]
    bounds = [start, *(bound for span, _, _ in hidden for bound in span), end]
    kept = "".join(text[left:right] for left, right in zip(bounds[::2], bounds[1::2], strict=True))
    return _Found((start, end), family, rule, put=kept)


def _readings(text: str, hidden: Sequence[Hidden]) -> Iterator[str]:
    """The text, and with the same places: what does not belong as spaces; the line breaks of JSON in it as spaces."""
    yield text
    if hidden:
        yield Draft.of(text).edited((span, " " * (span[1] - span[0])) for span, _, _ in hidden).text
    if "\\" in text and _ESCAPED_SPACE.search(text):
        yield _ESCAPED_SPACE.sub(lambda found: " " * len(found[0]), text)


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

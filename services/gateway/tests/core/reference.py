"""One call as plainly as it can be said: one hook after the other, no time, no bus, nothing of the gateway's own code.

It knows only the words that the property test draws: lower-case names, keys without exotic spellings, and answers
that depend on nothing but the value shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Value = dict[str, Any]

FAILURES = (
    "no_responders",
    "deadline_exceeded",
    "malformed_verdict",
    "hook_error",
    "connection_lost",
    "not_permitted",
)
YES = ("passed", "transformed", "not_applicable")
EFFECTS = {"allow": "passed", "transform": "transformed", "reject": "stopped", "ask": "approval"}


@dataclass(frozen=True)
class Rule:
    """One hook under one key, and what it answers: a verdict, or a failure."""

    name: str
    key: str
    phase: str
    fail_mode: str
    on_failure: str | None
    transform: bool
    answer: str
    when: str = "true"
    needs: tuple[str, ...] = ()
    shadow: bool = False

    @property
    def enforces(self) -> bool:
        """Whether nothing may pass without its yes."""
        return self.fail_mode != "warn" and self.on_failure != "warn" and not self.shadow and self.when != "false"

    @property
    def transforms(self) -> bool:
        """Whether it stands in the chain."""
        return self.transform or self.fail_mode == "transform"


@dataclass
class Expected:
    """One phase: each hook asked or left out with its effect, the value at the end, and who decided with which code.

    `shadows`: what each shadow would have done. `shown`: the value that each hook was asked about.
    """

    value: Value
    effects: list[tuple[str, str]] = field(default_factory=list)
    shadows: list[tuple[str, str]] = field(default_factory=list)
    shown: dict[str, Value] = field(default_factory=dict)
    stopped_by: tuple[str, str] | None = None


def changed(value: Value, name: str) -> Value:
    """What a transforming hook of this test makes of a value."""
    return value | {"trail": [*value.get("trail", []), name]}


def specificity(key: str, tool: str, action: str | None) -> tuple[int, int] | None:
    """How specific a key is for a call, or None where it does not match."""
    if key == "*":
        return 0, 0
    called = [tool] if action is None else [tool, f"{tool}.{action}"]
    if key.endswith("*"):
        could_be = action is None and key.startswith(f"{tool}.")
        return (1, len(key)) if could_be or any(name.startswith(key[:-1]) for name in called) else None
    if key == tool:
        return 2, 0
    is_untold = action is None and key.startswith(f"{tool}.")
    return (3, 0) if is_untold or key in called else None


def planned(rules: Sequence[Rule], phase: str, tool: str, action: str | None) -> list[Rule]:
    """Who is asked, in order: the chain, then the judges."""
    found = []
    for place, rule in enumerate(rules):
        rank = specificity(rule.key, tool, action) if rule.phase == phase else None
        if rank is not None:
            sign = 1 if phase == "before" else -1
            found.append(((sign * rank[0], sign * rank[1], place), rule))
    once: dict[str, Rule] = {}
    for _, rule in sorted(found, key=lambda pair: pair[0]):
        once.setdefault(rule.name, rule)
    chain = [rule for rule in once.values() if rule.transforms]
    judges = [rule for rule in once.values() if not rule.transforms]
    return in_needed_order(chain) + in_needed_order(judges)


def in_needed_order(rules: list[Rule]) -> list[Rule]:
    """Again and again from the start: the first that needs nobody who is still waiting."""
    ordered: list[Rule] = []
    while rules:
        waiting = {rule.name for rule in rules}
        first = next(rule for rule in rules if not waiting & set(rule.needs))
        ordered.append(first)
        rules = [rule for rule in rules if rule is not first]
    return ordered


def judge(rules: Sequence[Rule], phase: str, tool: str, action: str | None, value: Value) -> Expected:
    """Ask them all, one after the other."""
    expected = Expected(value)
    ended: dict[str, str] = {}
    against: dict[str, list[tuple[str, str]]] = {"stopped": [], "approval": [], "not_asked": []}
    for rule in planned(rules, phase, tool, action):
        is_over = rule.transforms and any(against.values())
        effect, code = ("not_asked", "not-asked") if is_over else turn_of(rule, ended)
        ended[rule.name] = effect
        if not is_over and code != "not-asked" and effect != "not_applicable":
            expected.shown[rule.name] = expected.value
        if rule.shadow:
            expected.shadows.append((rule.name, effect))
            continue
        expected.effects.append((rule.name, effect))
        if effect == "transformed":
            expected.value = changed(expected.value, rule.name)
        if effect in against:
            against[effect].append((rule.name, code))
    expected.stopped_by = (against["stopped"] + against["approval"] + against["not_asked"] or [None])[0]
    return expected


def turn_of(rule: Rule, ended: dict[str, str]) -> tuple[str, str]:
    """Its condition, then those it needs, then its answer: the effect, and the code that a refusal for it has."""
    if rule.when == "false":
        return "not_applicable", ""
    if any(need in ended and ended[need] not in YES for need in rule.needs):
        return ("warned" if rule.fail_mode == "warn" else "not_asked"), "not-asked"
    return effect_of(rule)


def effect_of(rule: Rule) -> tuple[str, str]:
    """What one answer does, and the code that a refusal for it has."""
    answer = "malformed_verdict" if rule.answer == "transform" and not rule.transforms else rule.answer
    if answer in FAILURES:
        is_waived = rule.fail_mode == "warn" or rule.on_failure == "warn"
        return "warned" if is_waived else "stopped", answer.replace("_", "-")
    if answer in ("reject", "ask") and rule.fail_mode == "warn":
        return "warned", ""
    return EFFECTS[answer], {"reject": "rejected", "ask": "approval-required"}.get(answer, "")

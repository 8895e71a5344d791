"""What differs between what was expected of a call and what its hooks made of it. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interpose.contracts.call import Answer, HookReport
from interpose.contracts.record import RecordedHook
from interpose_gateway.trial.event import Expected


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as expected."""

    what: str
    expected: Any
    given: Any

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected!r}, got {self.given!r}"


def differences(expected: Expected, answer: Answer, shadows: Sequence[RecordedHook] = ()) -> list[Difference]:
    """Everything that differs, in the order of the contract. Shadows are hooks like any other here."""
    given = answer.to_wire()
    fields = [name for name in Expected.model_fields if name in expected.model_fields_set and name != "hooks"]
    wanted = expected.model_dump(mode="json", include=set(fields))
    found = [Difference(name, wanted[name], given.get(name)) for name in fields if wanted[name] != given.get(name)]
    endings = {hook.name: hook.ending for hook in shadows} | {hook.name: ending(hook) for hook in answer.hooks}
    return [*found, *_hooks(expected.hooks, endings)]


def _hooks(expected: dict[str, str], endings: dict[str, str]) -> Iterator[Difference]:
    for name, wanted in expected.items():
        if endings.get(name) != wanted:
            yield Difference(f"hook {name}", wanted, endings.get(name, "no part of the plan"))


def ending(report: HookReport) -> str:
    """The verdict, else the failure, else what became of it."""
    return str(report.verdict or report.failure or report.effect)

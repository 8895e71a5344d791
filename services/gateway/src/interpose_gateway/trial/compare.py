"""What differs between what was expected of a call and what its hooks made of it. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpose.contracts.call import Answer, HookReport
from interpose_gateway.trial.event import Expected


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as expected."""

    what: str
    expected: Any
    given: Any

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected!r}, got {self.given!r}"


def differences(expected: Expected, answer: Answer) -> list[Difference]:
    """Everything that differs, in the order of the contract."""
    given = answer.to_wire()
    fields = [name for name in Expected.model_fields if name in expected.model_fields_set and name != "hooks"]
    wanted = expected.model_dump(mode="json", include=set(fields))
    found = [Difference(name, wanted[name], given.get(name)) for name in fields if wanted[name] != given.get(name)]
    return [*found, *_hooks(expected.hooks, answer.hooks)]


def _hooks(expected: dict[str, str], reports: list[HookReport]) -> Iterator[Difference]:
    endings = {report.name: ending(report) for report in reports}
    for name, wanted in expected.items():
        if endings.get(name) != wanted:
            yield Difference(f"hook {name}", wanted, endings.get(name, "no part of the plan"))


def ending(report: HookReport) -> str:
    """The verdict, else the failure, else what became of it."""
    return str(report.verdict or report.failure or report.effect)

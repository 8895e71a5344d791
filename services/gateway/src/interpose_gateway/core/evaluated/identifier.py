"""The name of one evaluation: the call's id and the place of its before record, so that any gateway finds it."""

import re
from dataclasses import dataclass
from typing import Self

_FORM = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\.([1-9][0-9]{0,18})")


@dataclass(frozen=True, slots=True)
class EvaluationId:
    """`<call_id>.<sequence>`; safe in a path."""

    call_id: str
    sequence: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """What a gateway wrote, and nothing that only looks like it."""
        found = _FORM.fullmatch(text)
        return None if found is None else cls(found[1], int(found[2]))

    def __str__(self) -> str:
        return f"{self.call_id}.{self.sequence}"

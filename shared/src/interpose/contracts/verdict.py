"""The verdict: one hook's answer. Anything that is not exactly this is `malformed_verdict`."""

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from interpose.contracts.limits import REASON_CHARACTERS
from interpose.contracts.model import Closed, Code, JsonObject
from interpose.contracts.words import VerdictKind

Reason = Annotated[str, StringConstraints(min_length=1, max_length=REASON_CHARACTERS)]


class Verdict(Closed):
    """`reason` is required for reject and ask, `output` for transform; an `allow` that carries output is neither."""

    verdict: VerdictKind = Field(strict=False)
    reason: Reason | None = None
    code: Code | None = None
    output: JsonObject | None = None
    annotations: JsonObject = Field(default_factory=dict)
    warnings: list[Reason] = Field(default_factory=list, max_length=100)
    ask_id: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.verdict in (VerdictKind.REJECT, VerdictKind.ASK) and self.reason is None:
            raise ValueError(f"a verdict of {self.verdict} needs a reason")
        if self.verdict is VerdictKind.TRANSFORM and self.output is None:
            raise ValueError("a verdict of transform needs output, an object")
        if self.verdict is VerdictKind.ALLOW and self.output is not None:
            raise ValueError("a verdict of allow carries no output; answer transform to change the value")
        return self

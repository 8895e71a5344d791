"""From a reply's bytes to an ending: only a verdict that keeps its contract and its hook's word counts."""

from collections.abc import Callable, Sequence

from interpose.contracts.config import HookSpec
from interpose.contracts.limits import VERDICT_BYTES
from interpose.contracts.model import JsonObject
from interpose.contracts.strict import read_model
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure, VerdictKind
from interpose.errors import Fault, InvalidInput
from interpose_gateway.core.endings import Answered, Ending, Failed

OutputCheck = Callable[[JsonObject], Sequence[Fault]]
"""What is wrong with a transform's output; no faults = it may replace the value."""


def settle(body: bytes, hook: HookSpec, ask_id: str, check_output: OutputCheck) -> Ending:
    """The ending that these bytes mean. Never raises on bytes."""
    try:
        verdict = read_model(Verdict, body, limit=VERDICT_BYTES)
    except InvalidInput as error:
        return _malformed(f"the verdict is malformed: {_few(error.faults)}")
    if verdict.ask_id != ask_id:
        return _malformed("the verdict answers another ask: ask_id is missing or differs")
    if verdict.verdict is VerdictKind.TRANSFORM:
        return _settle_transform(verdict, hook, check_output)
    if verdict.output is not None:
        # Only a no comes here with output: it is dropped, so that nobody ever takes it for a value.
        verdict = verdict.model_copy(update={"output": None})
    return Answered(verdict)


def _settle_transform(verdict: Verdict, hook: HookSpec, check_output: OutputCheck) -> Ending:
    if not hook.transforming:
        return _malformed('it answered transform without declaring "transform": true')
    faults = check_output(verdict.output or {})
    if faults:
        return _malformed(f"the output of its transform cannot be used: {_few(faults)}")
    return Answered(verdict)


def _few(faults: Sequence[Fault]) -> str:
    return "; ".join(f"{fault.path}: {fault.message}" for fault in faults[:3])


def _malformed(detail: str) -> Failed:
    return Failed(Failure.MALFORMED_VERDICT, detail)

"""The validator as a hook: every call and every response it is asked about, judged by the hook's own settings."""

from typing import Any

from interpose import Ask, Hook, Verdict, __version__, allow, reject
from interpose.errors import Fault
from interpose_validator.judge import judge
from interpose_validator.sentence import sentence

CODE = "invalid"
MOST_ERRORS = 100

hook = Hook("validator", version=__version__)


@hook.before("*")
def judge_parameters(ask: Ask) -> Verdict:
    """Judge what is about to run."""
    return _verdict(judge(ask.settings, ask.parameters))


@hook.after("*")
def judge_response(ask: Ask) -> Verdict:
    """Judge what came back."""
    return _verdict(judge(ask.settings, ask.response or {}))


def _verdict(faults: list[Fault]) -> Verdict:
    if not faults:
        return allow()
    errors = [_error(fault) for fault in faults[:MOST_ERRORS]]
    return reject(sentence(faults), code=CODE, annotations={"errors": errors})


def _error(fault: Fault) -> dict[str, Any]:
    limits = {"limit": fault.limit, "given": fault.given}
    told = {name: number for name, number in limits.items() if number is not None}
    return {"path": fault.path, "message": fault.message, **told}

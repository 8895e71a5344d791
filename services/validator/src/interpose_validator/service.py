"""The validator as a hook: every call and every response it is asked about, judged by the hook's own settings."""

from dataclasses import replace
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
    return _verdict(judge(ask.settings, ask.parameters), "$.parameters")


@hook.after("*")
def judge_response(ask: Ask) -> Verdict:
    """Judge what came back."""
    return _verdict(judge(ask.settings, ask.response or {}), "$.response")


def _verdict(faults: list[Fault], root: str) -> Verdict:
    """Paths begin where the caller's own document does, as in every other error of a call."""
    if not faults:
        return allow()
    placed = [replace(fault, path=root + fault.path.removeprefix("$")) for fault in faults]
    errors = [_error(fault) for fault in placed[:MOST_ERRORS]]
    return reject(sentence(placed), code=CODE, annotations={"errors": errors})


def _error(fault: Fault) -> dict[str, Any]:
    limits = {"limit": fault.limit, "given": fault.given}
    told = {name: number for name, number in limits.items() if number is not None}
    return {"path": fault.path, "message": fault.message, **told}

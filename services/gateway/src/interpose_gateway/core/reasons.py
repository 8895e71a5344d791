"""Sentences for people: why a hook gave no verdict, and the remedy."""

from interpose.contracts.config import CANONICALIZER, SCRIPT_RUNNER, HookSpec
from interpose.contracts.words import Failure


def explain(hook: HookSpec, failure: Failure, detail: str, origin: str | None = None) -> str:
    """Name the hook, the failure and what to do about it; `origin` says how an absent hook came in."""
    return f"{hook.name} gave no verdict ({failure}): {detail}. {_remedy(hook, failure, origin)}"


def _remedy(hook: HookSpec, failure: Failure, origin: str | None) -> str:
    service = hook.served_by
    start = "interpose up" if service == SCRIPT_RUNNER else f"interpose up, or interpose run for service {service}"
    remedies = {
        Failure.NO_RESPONDERS: f"No worker of {service} is running: start one ({start}); interpose status shows who is"
        f" present. {_without(hook, origin)}",
        Failure.DEADLINE_EXCEEDED: f"Look at the worker's log (interpose logs {service}), start another worker of"
        f" {service}, or raise {_timeout(hook)} of {hook.timeout} ms",
        Failure.MALFORMED_VERDICT: f"The author of {service} must mend its answer (interpose logs {service})",
        Failure.HOOK_ERROR: f"Look at the worker's log: interpose logs {service}",
        Failure.CONNECTION_LOST: "The broker is gone: interpose status; nothing is sent again by itself",
        Failure.NOT_PERMITTED: "The gateway's user may not publish this ask: check the broker's permissions",
    }
    return remedies[failure] + "."


def _without(hook: HookSpec, origin: str | None) -> str:
    if hook.name == CANONICALIZER:
        return 'To do without the service, set "gateway": {"canonicalizer": "inline"}'
    came = "" if origin is None else f"It was brought in by {origin}. "
    return f"{came}To do without this hook: interpose hooks remove {hook.name}"


def _timeout(hook: HookSpec) -> str:
    return "gateway.canonicalizerTimeout" if hook.name == CANONICALIZER else "the hook's timeout"

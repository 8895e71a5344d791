"""The configuration: whether it can be used, and what in it enforces less than it seems."""

import os
from collections.abc import Iterator
from pathlib import Path

from interpose.contracts.config import Configuration, HookSpec
from interpose.contracts.words import Mode, OnFailure
from interpose.doctor.finding import Finding, bad, note, ok
from interpose.embedded.needs import Needs


def check_rules(needs: Needs) -> Iterator[Finding]:
    """Whether the file is good, and every warning about it."""
    if needs.configuration is None:
        told = needs.trouble or "there is none"
        is_there = needs.path is not None
        remedy = "mend it; `interpose config check` names every fault" if is_there else "`interpose init` writes one"
        yield bad("configuration", told, remedy)
        return
    hooks = _hooks(needs.configuration)
    yield ok("configuration", f"{needs.path} is good: {len(hooks)} hooks")
    for warning in needs.warnings:
        yield note("configuration", warning, "mend the line, or leave it if it is meant so")
    yield from _advisory(hooks)
    for hook in hooks:
        if hook.script is not None:
            yield check_script(hook.name, Path(hook.script))


def _advisory(hooks: list[HookSpec]) -> Iterator[Finding]:
    weak = [f"{hook.name} ({why})" for hook in hooks if (why := _weakness(hook)) is not None]
    if weak:
        yield note(
            "advisory hooks",
            f"these hooks cannot stop every call that they should judge: {', '.join(weak)}",
            "make them failMode reject, or keep them if their silence may let a call through",
        )


def _weakness(hook: HookSpec) -> str | None:
    if hook.mode is Mode.SHADOW:
        return "shadow"
    if hook.advisory:
        return "failMode warn"
    return "onFailure warn" if hook.on_failure is OnFailure.WARN else None


def check_script(hook: str, script: Path) -> Finding:
    """Whether the script runner could start it."""
    if not script.is_file():
        return bad("scripts", f"{script} of hook {hook} does not exist", "write it, or mend its path")
    if not os.access(script, os.X_OK):
        return bad("scripts", f"{script} of hook {hook} is not executable", f"chmod +x {script}")
    return ok("scripts", f"{script} of hook {hook} can be started")


def _hooks(configuration: Configuration) -> list[HookSpec]:
    return list({hook.name: hook for hooks in configuration.hooks.values() for hook in hooks}.values())

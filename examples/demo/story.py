"""The demo's calls, one after another, and what must come of each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from machine import ADDED, Machine
from page import HONEST

BLOCKS = {"channel": "C1", "blocks": [{"type": "divider"}]}
BROKEN = {"channel": "C1", "blocks": [{"type": "header", "text": {"type": "mrkdwn", "text": ""}}, {"type": "section"}]}
PATCH = """*** Begin Patch
*** Add File: notes.txt
+remember the milk
*** Update File: app.py
@@
-print("old")
+print("new")
*** End Patch"""


@dataclass(frozen=True, slots=True)
class Expected:
    """What must hold of an answer. `hooks`: how each named hook ended; texts that the response must hold, or lack."""

    decision: str
    code: str | None = None
    paths: tuple[str, ...] = ()
    hooks: dict[str, str] = field(default_factory=dict)
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One call; `first` is done before it, and its sentence is shown."""

    title: str
    call: dict[str, Any]
    expected: Expected
    first: Callable[[Machine], str] | None = None


def steps(machine: Machine) -> list[Step]:
    """The whole story."""
    message = {"tool": "message", "action": "send", "parameters": BLOCKS}
    everybody = {**message, "parameters": {**BLOCKS, "text": "@channel free cake"}}
    return [
        Step("A message in good Block Kit is sent", message, Expected("deliver", hooks={"block-kit": "allow"})),
        Step(
            "A message in broken Block Kit is refused, each fault with its path",
            {**message, "parameters": BROKEN},
            Expected("refuse", "invalid", _PATHS, {"block-kit": "reject"}),
        ),
        Step(
            "A fetched page that wants to command the agent comes back harmless",
            {"tool": "web_fetch", "parameters": {"url": f"http://127.0.0.1:{machine.page.port}/hours"}},
            Expected(
                "deliver",
                hooks={"page-sanitizer": "transform"},
                holds=(HONEST, "Closed on Sundays."),
                lacks=("<|im_start|>", "Ignore all previous instructions"),
            ),
        ),
        Step(
            "Codex sends a patch: one call, judged by the rules for Write and for Edit",
            {"tool": "apply_patch", "parameters": {"command": PATCH}},
            Expected("deliver", hooks={"no-secrets-written": "allow", "no-lock-files-edited": "allow"}),
        ),
        Step(
            "A rule is added by starting one file",
            everybody,
            Expected("refuse", "to-everybody", hooks={"not-to-everybody": "reject"}),
            first=_add_hook,
        ),
        Step(
            "The validator is killed, and nothing passes without its yes",
            message,
            Expected("refuse", "no-responders", hooks={"block-kit": "no_responders"}),
            first=_kill,
        ),
    ]


_PATHS = ("$.parameters.blocks[0].text.type", "$.parameters.blocks[0].text.text", "$.parameters.blocks[1]")


def _add_hook(machine: Machine) -> str:
    machine.start_hook(ADDED)
    return f"interpose run {ADDED.name}: its hook is in force"


def _kill(machine: Machine) -> str:
    return f"kill -9 {' '.join(str(pid) for pid in machine.kill('validator'))}"


def differences(expected: Expected, answer: dict[str, Any]) -> list[str]:
    """Everything that is not as expected, in words."""
    given = {name: answer.get(name) for name in ("decision", "code")}
    found = [
        f"{name} is {given[name]!r}, not {wanted!r}"
        for name, wanted in (("decision", expected.decision), ("code", expected.code))
        if given[name] != wanted
    ]
    paths = tuple(error["path"] for error in answer.get("errors", []))
    if sorted(paths) != sorted(expected.paths):
        found.append(f"the faults are at {paths}, not at {expected.paths}")
    endings = {hook["name"]: hook.get("verdict") or hook.get("failure") for hook in answer.get("hooks", [])}
    found += [
        f"{name} ended with {endings.get(name)!r}, not {wanted!r}"
        for name, wanted in expected.hooks.items()
        if endings.get(name) != wanted
    ]
    response = str(answer.get("response"))
    found += [f"the response lacks {text!r}" for text in expected.holds if text not in response]
    return found + [f"the response holds {text!r}" for text in expected.lacks if text in response]

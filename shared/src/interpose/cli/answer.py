"""An answer of the gateway in words: the decision, each error with its place, each hook, and what to do about it."""

import json
from typing import TYPE_CHECKING, Any

from interpose.cli.explain_hook import explain
from interpose.cli.output import console
from interpose.cli.plain import plain
from interpose.cli.remedies import remedies

if TYPE_CHECKING:
    from rich.console import Console

    from interpose.embedded.home import Home

DELIVERED, REFUSED, UNREACHABLE, TOOL_FAILED = 0, 2, 3, 4

_RAN = {True: "the tool ran", False: "the tool did not run", "unknown": "nobody knows whether the tool ran"}
_STYLE = {"run": "bold green", "deliver": "bold green", "ask": "bold yellow"}
_EFFECT_STYLE = {"stopped": "red", "warned": "yellow", "approval": "yellow", "transformed": "cyan"}


def exit_code(status: int, answer: dict[str, Any]) -> int:
    """0 delivered, 2 refused or withheld, 3 no decision, 4 the tool itself failed."""
    if status in {503, 504} or answer.get("ran") == "unknown":
        return UNREACHABLE
    if status == 502:
        return TOOL_FAILED
    return DELIVERED if status == 200 and answer.get("decision") in {"run", "deliver"} else REFUSED


def show(tool: str, status: int, answer: dict[str, Any], home: "Home", *, verbose: bool = False) -> None:
    """The whole answer on standard output; `verbose`: with sentences about each hook."""
    screen = console()
    decision = str(answer.get("decision", "no decision"))
    screen.print(plain(decision), style=_STYLE.get(decision, "bold red"), end="  ", markup=False)
    ran = _RAN.get(answer.get("ran", False), "")
    screen.print(f"{plain(tool)}  ({ran}; status {status})", markup=False)
    _show_why(screen, answer)
    _show_hooks(screen, answer.get("hooks", []), verbose=verbose)
    if "response" in answer:
        screen.print("  response", json.dumps(answer["response"], ensure_ascii=False, indent=2), markup=False)
    for remedy in remedies(answer, home):
        screen.print(f"  remedy   {plain(remedy)}", style="bold", markup=False)
    places = [f"{name} {answer[key]}" for name, key in _PLACES if answer.get(key) is not None]
    screen.print(f"  {plain(', '.join(places))}", style="dim", markup=False)


_PLACES = (("call", "call_id"), ("trace", "trace_id"), ("revision", "revision"))


def _show_why(screen: "Console", answer: dict[str, Any]) -> None:
    why = ": ".join(str(answer[key]) for key in ("code", "reason") if answer.get(key))
    if why:
        by = f" (decided by {answer['decided_by']})" if answer.get("decided_by") else ""
        screen.print(f"  {plain(why, lines=True)}{plain(by)}", markup=False)
    for error in answer.get("errors", []):
        bounds = ", ".join(f"{key} {error[key]}" for key in ("limit", "given") if key in error)
        message = f"{error.get('path')}: {error.get('message')}" + (f" ({bounds})" if bounds else "")
        screen.print(f"  - {plain(message)}", markup=False)
    for warning in answer.get("warnings", []):
        screen.print(f"  warning  {plain(str(warning))}", style="yellow", markup=False)


def _show_hooks(screen: "Console", hooks: list[dict[str, Any]], *, verbose: bool) -> None:
    for hook in hooks:
        ending = hook.get("verdict") or hook.get("failure") or "not asked"
        worker = f"  {hook['worker']}" if hook.get("worker") else ""
        told = f"{hook['phase']:<7}{hook['name']:<24} {ending} → {hook['effect']}  {hook['ms']:.1f} ms{worker}"
        screen.print(f"  hook     {plain(told)}", style=_EFFECT_STYLE.get(hook["effect"], ""), markup=False)
        for sentence in explain(hook) if verbose else ():
            screen.print(f"             {plain(sentence)}", style="dim", markup=False)

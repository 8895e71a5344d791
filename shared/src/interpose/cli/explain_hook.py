"""One hook's part in a decision as sentences: what it said, what that did to the call, and why."""

from collections.abc import Mapping
from typing import Any

_VERDICTS = {
    "allow": "said yes",
    "reject": "said no",
    "transform": "answered with another value",
    "ask": "wants a person to decide",
}
_ENDINGS = {
    "not_asked": "was not asked",
    "not_applicable": "was not asked, since its condition does not hold for this call",
    "cut_off": "was cut off by the call's own limit",
}
_EFFECTS = {
    "passed": "the call goes on",
    "transformed": "which replaces what the hooks behind it see, and what runs or is delivered",
    "stopped": "which stops the call",
    "approval": "and nobody can be asked yet, so the call stops",
    "warned": "which is only warned about, since this hook cannot stop a call",
    "not_asked": "because something before it had decided, or a hook that it needs did not end well",
    "not_applicable": "the call goes on",
}


def explain(hook: Mapping[str, Any]) -> list[str]:
    """The sentences about one hook of an answer or of a record."""
    effect = str(hook.get("effect", ""))
    lines = [f"{hook['name']} {_ending(hook)}: {_EFFECTS.get(effect, effect)}"]
    if hook.get("mode") == "shadow":
        lines = [f"{hook['name']} {_ending(hook)}: it is a shadow, and changes nothing"]
    lines += [f"because: {hook['reason']}"] if hook.get("reason") else []
    lines += [f"code: {hook['code']}"] if hook.get("code") else []
    lines += [f"look at: interpose explain-error {hook['failure']}"] if hook.get("failure") else []
    lines.append(f"after {hook['ms']:.1f} ms{_by(hook)}")
    return lines


def _ending(hook: Mapping[str, Any]) -> str:
    if hook.get("failure"):
        return f"gave no verdict ({hook['failure']})"
    word = str(hook.get("verdict") or hook.get("ending") or hook.get("effect"))
    return _VERDICTS.get(word) or _ENDINGS.get(word, "was cut off by the call's own limit")


def _by(hook: Mapping[str, Any]) -> str:
    worker = f", by worker {hook['worker']}" if hook.get("worker") else ""
    return worker + (f", span {hook['span_id']}" if hook.get("span_id") else "")

"""Interpose: deterministic enforcement for AI agents' tool calls.

`from interpose import Ask, Hook, allow, reject` is all that a hook needs. Names load on first use (PEP 562), so that
`import interpose` loads no broker.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpose.contracts.ask import Ask
    from interpose.contracts.run import Run
    from interpose.contracts.verdict import Verdict
    from interpose.hook.app import Hook
    from interpose.hook.tool import Tool, ToolError
    from interpose.hook.verdicts import allow, reject, require_approval, transform

__version__ = "0.1.0"

_HOMES = {
    "Ask": "interpose.contracts.ask",
    "Run": "interpose.contracts.run",
    "Verdict": "interpose.contracts.verdict",
    "Hook": "interpose.hook.app",
    "Tool": "interpose.hook.tool",
    "ToolError": "interpose.hook.tool",
    "allow": "interpose.hook.verdicts",
    "reject": "interpose.hook.verdicts",
    "require_approval": "interpose.hook.verdicts",
    "transform": "interpose.hook.verdicts",
}

__all__ = ["Ask", "Hook", "Run", "Tool", "ToolError", "Verdict", "allow", "reject", "require_approval", "transform"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'interpose' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

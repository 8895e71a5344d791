"""One tool with an action for each kind of call, so that one configuration serves every workload."""

from datetime import UTC, datetime

import orjson

from interpose.contracts.registry import SCHEMA, Document

TOOL = "nothing"
CLIENT = "bench"
HOOKS = ("a", "b", "c", "d", "e", "f", "g", "h")
"""Eight hooks that say yes, each a service and a process of its own."""
HUNG = "hung"
"""A service that hears its asks and never answers."""
HUNG_TIMEOUT_MS = 200

CALLS = {"one": ("a",), "three": HOOKS[:3], "eight": HOOKS, "hung": (HUNG,)}
"""The before hooks of each kind of call."""
PARAMETERS = {"text": "x" * 600, "list": list(range(40))}
"""With these an ask is about as long as the floor's request."""


def body(kind: str) -> bytes:
    """The call of one kind."""
    return orjson.dumps({"tool": TOOL, "action": kind, "parameters": PARAMETERS})


def document(canonicalizer: str) -> Document:
    """The registry; `whole` is W1's call, a hook on either side of the tool. `canonicalizer`: inline or service."""
    keys = {f"before:{TOOL}.{kind}": names for kind, names in CALLS.items()}
    keys |= {f"before:{TOOL}.whole": ("a",), f"after:{TOOL}.whole": ("b",)}
    return Document.model_validate(
        {
            "schema": SCHEMA,
            "entries": [_entry(key, name) for key, names in keys.items() for name in names],
            "tools": {TOOL: {"executor": {"bus": {}}}},
            "gateway": {"canonicalizer": canonicalizer},
            "applied": {"at": datetime.now(UTC), "by": CLIENT, "what": "the benchmark's rules"},
        }
    )


def _entry(key: str, name: str) -> dict[str, object]:
    hook = {"name": name, "service": name, "timeout": HUNG_TIMEOUT_MS if name == HUNG else 5000}
    return {"key": key, "hook": hook, "owner": "operator", "source": CLIENT}

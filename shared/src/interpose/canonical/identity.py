"""Tool and action of a call, from its name, its parameters and the caller's word; two that disagree are an error."""

from collections.abc import Mapping
from dataclasses import dataclass

from interpose.canonical.pointer import resolve
from interpose.contracts.config import ToolSpec
from interpose.contracts.keys import Names
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.errors import Fault, InvalidInput

SHIPPED_ACTION_FROM: Mapping[str, str] = {"message": "/action"}
"""Tools whose action stands in their parameters, by canonical name (OpenClaw's message tool)."""

KINDS: Mapping[str, str] = {
    "Bash": "Execute",
    "Read": "FileRead",
    "Write": "FileWrite",
    "Edit": "FileEdit",
    "Glob": "Glob",
    "Grep": "Grep",
    "LS": "ListDir",
    "Task": "Task",
    "WebFetch": "WebFetch",
    "WebSearch": "WebSearch",
    "TodoRead": "TodoRead",
    "TodoWrite": "TodoWrite",
    "NotebookEdit": "Notebook",
    "AskUserQuestion": "AskUser",
    "message": "Message",
}
_KINDS_FOLDED = {fold(name): kind for name, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Identity:
    """`canonical` is the tool's one name, `native` the caller's spelling; `action` None when it cannot be told."""

    canonical: str
    native: str
    action: str | None
    kind: str

    @property
    def names(self) -> Names:
        """What hook keys are compared with."""
        return Names.of({self.canonical, self.native}, self.action)


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools a configuration declares, found by folded name."""

    specs: Mapping[str, tuple[str, ToolSpec]]

    @classmethod
    def of(cls, tools: Mapping[str, ToolSpec]) -> "Tools":
        """Index by folded name."""
        return cls({fold(name): (name, spec) for name, spec in tools.items()})

    def find(self, name: str) -> tuple[str, ToolSpec] | None:
        """The declared name and specification, or None."""
        return self.specs.get(fold(name))

    def knows(self, name: str) -> bool:
        """Declared, or known to ship with an action of its own."""
        return fold(name) in self.specs or fold(name) in SHIPPED_ACTION_FROM

    def action_pointer(self, canonical: str) -> str | None:
        """Where the action stands; a declared `actionFrom`, null included, overrides what is shipped."""
        declared = self.find(canonical)
        if declared and "action_from" in declared[1].model_fields_set:
            return declared[1].action_from
        return SHIPPED_ACTION_FROM.get(fold(canonical))


def identify(tool: str, action: str | None, parameters: JsonObject, tools: Tools) -> Identity:
    """Say what is called. Raises InvalidInput where two sources of the action disagree."""
    canonical, in_name = _split(tool, tools)
    told = {
        "$.tool": in_name,
        "$.action": action,
        **_action_in(parameters, tools.action_pointer(canonical)),
    }
    return Identity(canonical, tool, _agreed(told), _KINDS_FOLDED.get(fold(canonical), "Other"))


def action_of(canonical: str, parameters: JsonObject, tools: Tools) -> str | None:
    """The action that the parameters alone tell: a transform must not change it."""
    return next(iter(_action_in(parameters, tools.action_pointer(canonical)).values()), None)


def _split(tool: str, tools: Tools) -> tuple[str, str | None]:
    head, dot, rest = tool.partition(".")
    if dot and rest and not tools.knows(tool) and tools.knows(head):
        return _declared_name(head, tools), rest
    return _declared_name(tool, tools), None


def _declared_name(tool: str, tools: Tools) -> str:
    found = tools.find(tool)
    if found:
        return found[0]
    return next((name for name in SHIPPED_ACTION_FROM if fold(name) == fold(tool)), tool)


def _action_in(parameters: JsonObject, pointer: str | None) -> dict[str, str | None]:
    if pointer is None:
        return {}
    value = resolve(parameters, pointer)
    path = "$.parameters" + pointer.replace("/", ".")
    return {path: value if isinstance(value, str) and value else None}


def _agreed(told: Mapping[str, str | None]) -> str | None:
    said = {path: action for path, action in told.items() if action is not None}
    if len({fold(action) for action in said.values()}) > 1:
        words = ", ".join(f"{path} says {action!r}" for path, action in said.items())
        faults = [Fault(path, f"says {action!r}") for path, action in said.items()]
        raise InvalidInput(f"the call's action is told twice and differs: {words}; send it once", faults)
    return next(iter(said.values()), None)

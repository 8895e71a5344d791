"""The hooks and tools of a Python file: import it by path, look at what stands in it."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal, Protocol

from interpose.errors import ConfigurationError

if TYPE_CHECKING:
    from interpose.contracts.registry import Manifest
    from interpose.hook.worker import Endpoint


class Runnable(Protocol):
    """What can be served: a `Hook` or a `Tool`."""

    @property
    def name(self) -> str:
        """Its service's or its tool's name."""

    @property
    def role(self) -> Literal["service", "tool"]:
        """Which of the two."""

    def endpoint(self) -> "Endpoint":
        """Where and how it is served."""

    def manifest(self) -> "Manifest | None":
        """What a hook asks to be registered with; None for a tool."""


def load(file: Path, name: str | None = None) -> Runnable:
    """The one hook or tool of the file, or the one of that name. Raises ConfigurationError with the remedy."""
    found = runnables(import_file(file))
    if not found:
        raise ConfigurationError(
            f'{file} holds no hook and no tool: write `hook = Hook("name")` or `tool = Tool("name")`'
        )
    names = ", ".join(each.name for each in found)
    chosen = [each for each in found if name in (None, each.name)]
    if not chosen:
        raise ConfigurationError(f"{file} holds no {name}; there are: {names}")
    if len(chosen) > 1:
        raise ConfigurationError(
            f"{file} holds several: {names}; name one, as in `interpose run {file} {chosen[0].name}`"
        )
    return chosen[0]


def runnables(module: ModuleType) -> list[Runnable]:
    """Every hook and tool at the top of the module, each once, in the order of the file."""
    from interpose.hook.app import Hook
    from interpose.hook.tool import Tool

    values = {id(value): value for value in vars(module).values() if isinstance(value, Hook | Tool)}
    return list(values.values())


def import_file(file: Path) -> ModuleType:
    """Run the file as a module of its own name; what stands beside it can be imported by it."""
    if not file.is_file():
        raise ConfigurationError(f"there is no file {file}")
    spec = spec_from_file_location(f"interpose_run_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise ConfigurationError(f"{file} is no Python file: its name ends in .py")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(file.absolute().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        # The broad catch around the author's code: whatever it raises is told with its line.
        raise ConfigurationError(
            f"{file} cannot be imported: {_place(error, file)}{type(error).__name__}: {error}"
        ) from error
    return module


def _place(error: Exception, file: Path) -> str:
    """The deepest line of the file itself that the error passed through."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == str(file):
        line = error.lineno or 0
    return f"line {line}: " if line else ""

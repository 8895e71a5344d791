"""`interpose hooks apply|rollback|remove|disable|enable`: from a word of the operator to the next document."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.cli.hooks.carrying import Order
    from interpose.contracts.registry import Document
    from interpose.registry.changes import Changed
    from interpose.registry.version import Version

CODES = (
    "Exit code: 0 in force at every gateway that is present; 1 not applied, or a gateway does not report it in time."
)
APPLY_EPILOG = f"{CODES}\n\nExample:\n\n  interpose hooks apply interpose.json"
ROLLBACK_EPILOG = f"{CODES}\n\nExample:\n\n  interpose hooks rollback"
REMOVE_EPILOG = f"{CODES}\n\nExample:\n\n  interpose hooks remove no-force-push"
DISABLE_EPILOG = f"{CODES}\n\nExample:\n\n  interpose hooks disable no-force-push"
ENABLE_EPILOG = f"{CODES}\n\nExample:\n\n  interpose hooks enable no-force-push"

File = Annotated[
    Path | None,
    typer.Argument(metavar="[FILE]", help="The file; INTERPOSE_CONFIG, else interpose.json or .yaml here."),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The hook.")]
Revision = Annotated[
    int | None, typer.Argument(metavar="[REVISION]", min=1, help="Which one; the one before the present one.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before enforcement shrinks, or may.")]
Wait = Annotated[int, typer.Option("--timeout-ms", min=100, help="How long to wait for the gateways.")]


def apply(
    file: File = None,
    yes: Yes = False,
    timeout_ms: Wait = 15_000,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Put a configuration file in force: show what changes, ask before enforcement shrinks, wait for the gateways.

    It takes the place of what the last file gave. Hooks that workers or operators registered stay.
    """
    from interpose.cli.hooks.carrying import Order, carry_out
    from interpose.config.find import find_configuration
    from interpose.config.load import load
    from interpose.errors import ConfigurationError
    from interpose.registry.apply import next_of
    from interpose.registry.changes import Changed, somebody

    path = find_configuration(file)
    if path is None:
        raise ConfigurationError("there is no interpose.json or interpose.yaml here: `interpose init` writes one")
    loaded = load(path)

    def change(version: "Version") -> "Changed":
        changed = next_of(version, loaded, somebody())
        return Changed(changed.document, (*changed.notes, *loaded.warnings))

    carry_out(Order(home, timeout_ms, asks=not yes, json=json), change)


def rollback(
    revision: Revision = None,
    yes: Yes = False,
    timeout_ms: Wait = 15_000,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Put an older document in force again, as a new revision. `interpose hooks history` lists them."""
    from interpose.cli.hooks.carrying import Order, roll_back

    roll_back(Order(home, timeout_ms, asks=not yes, json=json), revision)


def remove(
    name: Name,
    yes: Yes = False,
    timeout_ms: Wait = 15_000,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Take a hook out of the registry, whoever put it there; ask before that shrinks enforcement."""
    from interpose.cli.hooks.carrying import Order, carry_out
    from interpose.registry.changes import Changed, now, somebody, without

    def change(version: "Version") -> "Changed":
        before = version.document()
        after = without(before, name, now(somebody(), f"remove {name}"))
        return Changed(after, (_comes_back(before, name),))

    carry_out(Order(home, timeout_ms, asks=not yes, json=json), change)


def disable(
    name: Name,
    yes: Yes = False,
    timeout_ms: Wait = 15_000,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Leave a hook in the registry and take it out of force, until it is enabled again; ask as `remove` does."""
    from interpose.cli.hooks.carrying import Order

    _switch(name, Order(home, timeout_ms, asks=not yes, json=json), enabled=False)


def enable(name: Name, timeout_ms: Wait = 15_000, home: options.Home = None, json: options.Json = False) -> None:
    """Put a disabled hook in force again."""
    from interpose.cli.hooks.carrying import Order

    # What was disabled enforced nothing, so no change of it loosens.
    _switch(name, Order(home, timeout_ms, asks=False, json=json), enabled=True)


def _switch(name: str, order: "Order", *, enabled: bool) -> None:
    from interpose.cli.hooks.carrying import carry_out
    from interpose.registry.changes import Changed, now, somebody, switched

    word = "enable" if enabled else "disable"

    def change(version: "Version") -> "Changed":
        return Changed(switched(version.document(), name, now(somebody(), f"{word} {name}"), enabled=enabled))

    carry_out(order, change)


def _comes_back(before: "Document", name: str) -> str:
    """How it may come back, by its owner."""
    entry = before.of(name)[0]
    said = {
        "file": f"{name} comes back when {entry.source} is applied again: take it out there as well",
        "worker": f"{name} comes back while a worker announces it: stop {entry.source}, or disable the hook instead",
        "operator": f"{name} was put there by {entry.source}",
    }
    return said[entry.owner]

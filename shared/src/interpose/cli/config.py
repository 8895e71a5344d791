"""`interpose config`: read a configuration without running anything."""

import json as encoding
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.config.load import Loaded
    from interpose.errors import ConfigurationError

EPILOG = "Example:\n\n  interpose config check"
CHECK_EPILOG = "Exit code: 0 good, 1 refused.\n\nExample:\n\n  interpose config check interpose.json"
SHOW_EPILOG = "Example:\n\n  interpose config show --effective"
SCHEMA_EPILOG = "Example:\n\n  interpose config schema > interpose.schema.json"

File = Annotated[
    Path | None,
    typer.Argument(metavar="[FILE]", help="The file; INTERPOSE_CONFIG, else interpose.json or .yaml here."),
]
Effective = Annotated[
    bool, typer.Option("--effective", help="As it is enforced: every default and all that is implied written out.")
]

app = typer.Typer(no_args_is_help=True, help="Check and show a configuration without running anything.")


@app.command("check", epilog=CHECK_EPILOG)
def check(file: File = None, json: options.Json = False) -> None:
    """Say whether the file can be used: every fault at once, with line, path and remedy, and every warning."""
    from interpose.cli.output import write_json
    from interpose.errors import ConfigurationError

    try:
        loaded = _load(file)
    except ConfigurationError as error:
        if not json:
            raise
        write_json(_refused(error))
        raise typer.Exit(1) from error
    if json:
        write_json({"good": True, "file": str(loaded.path), "digest": loaded.digest, "warnings": loaded.warnings})
    else:
        _tell(loaded)


@app.command("show", epilog=SHOW_EPILOG)
def show(file: File = None, effective: Effective = False, json: options.Json = False) -> None:
    """Print the configuration as JSON: what the file says, or with --effective what is enforced."""
    from interpose.cli.output import write_json
    from interpose.config.load import effective as whole

    loaded = _load(file)
    said = loaded.configuration.model_dump(mode="json", by_alias=True, exclude_unset=True)
    chosen = whole(loaded.configuration) if effective else said
    shown = {"hooks": chosen["hooks"], **chosen}  # what a reader looks for comes first
    if json:
        write_json(shown)
    else:
        typer.echo(encoding.dumps(shown, indent=2, ensure_ascii=False))


@app.command("schema", epilog=SCHEMA_EPILOG)
def schema(json: options.Json = False) -> None:
    """Print the JSON Schema of a configuration file, for editors; `interpose init` writes it beside the file."""
    from interpose.cli.output import write_json
    from interpose.contracts.schemas import rendered

    if json:
        write_json(encoding.loads(rendered("configuration")))
    else:
        typer.echo(rendered("configuration"), nl=False)


def _load(file: Path | None) -> "Loaded":
    from interpose.config.find import find_configuration
    from interpose.config.load import load
    from interpose.errors import ConfigurationError

    path = find_configuration(file)
    if path is None:
        raise ConfigurationError("there is no interpose.json or interpose.yaml here: `interpose init` writes one")
    return load(path)


def _tell(loaded: "Loaded") -> None:
    from interpose.cli.output import console
    from interpose.cli.plain import plain

    screen = console()
    count = len({hook.name for hooks in loaded.configuration.hooks.values() for hook in hooks})
    screen.print("good", style="green", end="  ", markup=False)
    screen.print(f"{plain(str(loaded.path))}: {count} {'hook' if count == 1 else 'hooks'}", markup=False)
    for warning in loaded.warnings:
        screen.print(f"warning: {plain(warning, lines=True)}", style="yellow", markup=False)


def _refused(error: "ConfigurationError") -> dict[str, object]:
    faults = [
        {"line": fault.line, "column": fault.column, "path": fault.path, "message": fault.message}
        for fault in error.faults
    ]
    return {"good": False, "message": error.message, "faults": faults}

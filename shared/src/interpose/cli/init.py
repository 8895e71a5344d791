"""`interpose init`: a commented configuration to begin with, and the schema that editors check it by."""

from pathlib import Path
from typing import Annotated

import typer

from interpose.cli import options

EPILOG = "Example:\n\n  interpose init"

TEMPLATE = "starter.yaml"
FILE, SCHEMA = "interpose.yaml", "interpose.schema.json"

Folder = Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Where to write; the working folder.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that are there already.")]


def init(folder: Folder = None, force: Force = False, json: options.Json = False) -> None:
    """Write interpose.yaml with rules to start from, and its schema; the file's last lines are a refused call.

    Exit code 1 where a configuration stands already.
    """
    from interpose.cli.output import write_json
    from interpose.contracts.schemas import rendered

    where = folder or Path()
    starter = Path(__file__).with_name(TEMPLATE).read_text(encoding="utf-8").replace("{schema}", f"./{SCHEMA}")
    _refuse_to_replace(where, force=force)
    written = [_write(where / FILE, starter), _write(where / SCHEMA, rendered("configuration"))]
    if json:
        write_json({"written": [str(path) for path in written]})
        return
    for path in written:
        typer.echo(f"wrote {path}")
    typer.echo("next: interpose config check, then interpose up; the file's last lines are a call that is refused")


def _refuse_to_replace(where: Path, *, force: bool) -> None:
    """Two configurations side by side would refuse, so any of the known names counts."""
    from interpose.config.find import NAMES
    from interpose.errors import ConfigurationError

    known = (*NAMES, SCHEMA)
    found = [where / name for name in known if (where / name).exists() and not (force and name in {FILE, SCHEMA})]
    if found:
        listed = ", ".join(str(path) for path in found)
        remedy = f"--force replaces {FILE} and {SCHEMA} and nothing else"
        raise ConfigurationError(f"{listed} is there already: name another folder, or move it away; {remedy}")


def _write(path: Path, text: str) -> Path:
    from interpose.errors import ConfigurationError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"cannot write {path}: {error.strerror}") from error
    return path

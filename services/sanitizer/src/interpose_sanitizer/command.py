"""`interpose sanitize`: the service's own code on a file, for scripts and for trying settings."""

from typing import TYPE_CHECKING, Annotated

import typer

from interpose.cli import options
from interpose_sanitizer.findings import Mode
from interpose_sanitizer.settings import Quoted

if TYPE_CHECKING:
    from interpose_sanitizer.text import Sanitized

EPILOG = "Example:\n\n  interpose sanitize --mode report page.html"

app = typer.Typer(add_completion=False)

File = Annotated[str, typer.Argument(metavar="FILE|-", help="A text in UTF-8; - reads standard input.")]
ModeOption = Annotated[Mode, typer.Option("--mode", help="What becomes of an attack.")]
QuotedOption = Annotated[Quoted, typer.Option("--quoted", help="What becomes of one that is only quoted.")]


@app.command("sanitize", epilog=EPILOG)
def sanitize(
    file: File,
    mode: ModeOption = Mode.NEUTRALISE,
    quoted: QuotedOption = Quoted.SPARE,
    json: options.Json = False,
) -> None:
    """Write a text without what attacks its reader; standard error tells what was found.

    With --json: {"text", "changed", "findings"}. Where nothing is found the text comes out byte for byte.
    """
    from interpose_sanitizer import text
    from interpose_sanitizer.settings import Settings

    original = _read(file)
    sanitized = text.sanitize(original, Settings(mode=mode, quoted=quoted))
    if json:
        _write_json(original, sanitized)
    else:
        _write(sanitized)


def _read(file: str) -> str:
    import sys
    from pathlib import Path

    from interpose.errors import Fault, InvalidInput

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}") from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        said = Fault("$", f"byte {error.start} is not valid UTF-8 ({error.reason}): give text in UTF-8")
        raise InvalidInput(f"{file} cannot be read", [said]) from error


def _write_json(original: str, sanitized: "Sanitized") -> None:
    from interpose.cli.output import write_json
    from interpose_sanitizer.telling import found

    findings = [found(one) for one in sanitized.findings]
    write_json({"text": sanitized.text, "changed": sanitized.text != original, "findings": findings})


def _write(sanitized: "Sanitized") -> None:
    import sys

    from interpose.cli.output import leave

    for one in sanitized.findings:
        print(f"{one.action} {one.family} ({one.rule}) at {one.span[0]} to {one.span[1]}", file=sys.stderr)
    try:
        sys.stdout.buffer.write(sanitized.text.encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        leave()

"""`interpose hook`, as the list of commands shows it: the console entry runs it without coming here."""

from typing import Any

import typer

EPILOG = "Example:\n\n  interpose hook claude-code < event.json"
AS_IT_COMES: dict[str, Any] = {"ignore_unknown_options": True, "allow_extra_args": True}


def hook(context: typer.Context) -> None:
    """Judge one tool call of an agent: its event on standard input, its platform's own answer on standard output."""
    from interpose.shim.run import main

    raise typer.Exit(main(context.args))

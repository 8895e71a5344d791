"""Options that several commands share, so that they read the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", help="The state folder; INTERPOSE_HOME, else ./.interpose."),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Explain each hook's part in the decision.")]
Json = Annotated[bool, typer.Option("--json", help="Answer with JSON on standard output.")]

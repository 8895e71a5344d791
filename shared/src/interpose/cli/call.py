"""`interpose call`: one tool call through the running gateway, and its answer in words."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose.client.http import Gateway

EPILOG = (
    "Exit code: 0 delivered (or, with --dry-run, would run), 2 refused or withheld, 3 no decision or no gateway, "
    "4 the tool itself failed, 1 wrong use.\n\n"
    "Example:\n\n  interpose call message --action send --param channel=C1 --param text=Hello"
)

Tool = Annotated[str, typer.Argument(metavar="TOOL", help="The tool's name.")]
Action = Annotated[str | None, typer.Option("--action", help="What it shall do, where the tool knows several things.")]
Param = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="KEY=VALUE", help="A text; KEY:=JSON for any other value. Repeatable."),
]
Params = Annotated[str | None, typer.Option("--params", metavar="JSON", help="All parameters as one JSON object.")]
ParamsFile = Annotated[
    str | None, typer.Option("--params-file", metavar="FILE", help="The same from a file, or - for standard input.")
]
User = Annotated[str | None, typer.Option("--user", help="For whom, where the token may speak for others.")]
Session = Annotated[str | None, typer.Option("--session", help="The agent's session.")]
Timeout = Annotated[int | None, typer.Option("--timeout-ms", min=100, max=3_600_000, help="The whole call's budget.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Ask the hooks, run nothing.")]
Url = Annotated[str | None, typer.Option("--url", help="Another gateway than the one of the state folder.")]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", metavar="FILE", help="The token; default: the state folder's own client.")
]


def call(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    tool: Tool,
    action: Action = None,
    param: Param = None,
    params: Params = None,
    params_file: ParamsFile = None,
    user: User = None,
    session: Session = None,
    timeout_ms: Timeout = None,
    dry_run: DryRun = False,
    url: Url = None,
    token_file: TokenFile = None,
    verbose: options.Verbose = False,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Call a tool through the gateway: hooks judge it, the tool runs, hooks judge the response."""
    from interpose.cli.answer import UNREACHABLE, exit_code, show
    from interpose.cli.output import write_json
    from interpose.embedded.home import Home
    from interpose.errors import GatewayUnreachable, NotRunning

    body = {
        "tool": tool,
        "action": action,
        "parameters": parameters(params, params_file, param or []),
        "context": _present({"user": user, "session": session}),
        "timeout_ms": timeout_ms,
        "dry_run": dry_run or None,
    }
    where = Home.find(home)
    try:
        status, answer = _gateway(where, url, token_file).call(_present(body))
    except (GatewayUnreachable, NotRunning) as error:
        _show_unreachable(error, json=json)
        raise typer.Exit(UNREACHABLE) from error
    if json:
        write_json({"status": status, "answer": answer})
    else:
        show(tool, status, answer, where, verbose=verbose)
    raise typer.Exit(exit_code(status, answer))


def parameters(params: str | None, params_file: str | None, singles: list[str]) -> dict[str, Any]:
    """All parameters: the object first, then each single one over it. Raises typer.BadParameter, InvalidInput."""
    from interpose.contracts.limits import PARAMETERS_BYTES
    from interpose.contracts.strict import parse_object

    if params is not None and params_file is not None:
        raise typer.BadParameter("give --params or --params-file, not both", param_hint="--params")
    data = params.encode("utf-8", "surrogateescape") if params is not None else _read(params_file)
    whole = parse_object(data, limit=PARAMETERS_BYTES, what="--params") if data is not None else {}
    return whole | dict(_single(text) for text in singles)


def _read(params_file: str | None) -> bytes | None:
    if params_file is None:
        return None
    if params_file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(params_file).read_bytes()
    except OSError as error:
        raise typer.BadParameter(f"{params_file}: {error.strerror}", param_hint="--params-file") from error


def _single(text: str) -> tuple[str, Any]:
    from interpose.contracts.limits import PARAMETERS_BYTES
    from interpose.contracts.strict import parse

    key, equals, value = text.partition("=")
    name = key.removesuffix(":")
    if not equals or not name:
        raise typer.BadParameter(f"{text!r} is not KEY=VALUE, as in text=Hello", param_hint="--param")
    if name == key:
        return key, value
    return name, parse(value.encode("utf-8", "surrogateescape"), limit=PARAMETERS_BYTES, what=f"--param {name}")


def _gateway(home: Any, url: str | None, token_file: Path | None) -> "Gateway":
    """The state folder's token goes to its own gateway only, never to a URL that was named."""
    from interpose.client.http import Gateway
    from interpose.embedded.state import RunState
    from interpose.embedded.tokens import LOCAL

    own = token_file or (home.token(LOCAL) if url is None else None)
    return Gateway(url or RunState.running(home).url, None if own is None else _token(own))


def _token(path: Path) -> str:
    from interpose.errors import ConfigurationError

    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"cannot read the token {path}: {error}") from error


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, {}) or name == "parameters"}


def _show_unreachable(error: Exception, *, json: bool) -> None:
    from interpose.cli.output import write_json
    from interpose.cli.plain import plain

    unknown = getattr(error, "was_sent", False)
    told = "; it may have the call, so nobody knows whether the tool ran: look with `interpose records follow`"
    sentence = str(error) + (told if unknown else "")
    if json:
        write_json({"status": None, "error": sentence, "ran": "unknown" if unknown else False})
    else:
        print(f"interpose: {plain(sentence, lines=True)}", file=sys.stderr)

"""The console entry. `interpose hook` starts at each tool call of an agent, so it is met before anything is loaded."""

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["hook"]:
        from interpose.shim.run import main as judge

        return judge(given[1:])
    from interpose.cli.app import run

    return run(arguments)

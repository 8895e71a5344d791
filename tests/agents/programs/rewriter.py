"""Rewrites what OpenClaw wants to run: a command becomes another one, or loses what stands beside it."""

import os

from interpose import Ask, Hook, Verdict, allow, transform

hook = Hook(os.environ.get("INTERPOSE_TEST_SERVICE", "rewriter"))


@hook.before("Bash")
async def rewrite(ask: Ask) -> Verdict:
    """`rewritten` becomes `rewritten safely`, `bared` keeps nothing but the command."""
    command = ask.parameters.get("command")
    if command == "rewritten":
        return transform({**ask.parameters, "command": "rewritten safely"})
    return transform({"command": "bared"}) if command == "bared" else allow()


if __name__ == "__main__":
    hook.run()

"""Judges what OpenClaw wants to do: each word of a command is what the test wants to come of it."""

import os

from interpose import Ask, Hook, Verdict, allow, reject, require_approval

hook = Hook(os.environ.get("INTERPOSE_TEST_SERVICE", "guard"))


@hook.before("Bash")
async def command(ask: Ask) -> Verdict:
    """A word in the command decides."""
    words = str(ask.parameters.get("command", "")).split()
    if "refused" in words:
        return reject("nobody runs this here", code="closed")
    return require_approval("may it run?") if "asked" in words else allow()


@hook.before("install")
async def install(ask: Ask) -> Verdict:
    """A name decides."""
    name = str(ask.parameters.get("name", ""))
    return reject("its publisher is not known", code="unknown-publisher") if name == "stranger" else allow()


@hook.after("Bash")
async def outcome(ask: Ask) -> Verdict:
    """What must not be seen is withheld, although the tool has run."""
    return reject("a secret", code="secret") if "hush" in str(ask.response) else allow()


if __name__ == "__main__":
    hook.run()

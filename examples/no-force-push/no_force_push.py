"""Refuses forced pushes, also behind options, quotes or other commands. Protect the branch on the server as well."""

import re

from interpose import Ask, Hook, allow, reject

hook = Hook("no-force-push")

QUOTES = re.compile(r"""['"\\]""")
BREAKS = re.compile(r"[\s;&|(){}<>`$,=]+")
FORCED = re.compile(r"-[a-zA-Z0-9]*f.*|--force.*|--mirror|\+.+")  # -f, -uf, --force-with-lease, --mirror, +main


@hook.before("Bash")
async def check(ask: Ask):
    words = iter(BREAKS.split(QUOTES.sub("", ask.parameters.get("command", ""))))
    pushes = any(word.rpartition("/")[2] == "git" for word in words) and "push" in words
    if pushes and any(FORCED.fullmatch(word) for word in words):
        return reject("force push is not allowed; give an honest push a command of its own", code="force-push")
    return allow()

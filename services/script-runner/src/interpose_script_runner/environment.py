"""What a script finds in its environment: enough to run, the call it is asked about, and never the runner's secrets."""

import os
from collections.abc import Mapping

from interpose.contracts.ask import Ask

PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
OPEN_PREFIX = "INTERPOSE_SCRIPT_"
"""The operator's own settings for scripts: every variable of the runner that begins so is handed to every script."""
CLOSED_PREFIX = "INTERPOSE_SCRIPT_RUNNER_"
"""The service's own settings happen to begin alike and stay with the service."""


def for_script(ask: Ask, own: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a script that is asked `ask`, taken from the runner's `own`."""
    passed = {name: value for name, value in own.items() if _is_passed(name)}
    passed.setdefault("PATH", os.defpath)
    told = {"INTERPOSE_CALL_ID": ask.call_id, "INTERPOSE_HOOK": ask.hook, "INTERPOSE_PHASE": ask.phase.value}
    return passed | told


def _is_passed(name: str) -> bool:
    return name in PASSED_ON or (name.startswith(OPEN_PREFIX) and not name.startswith(CLOSED_PREFIX))

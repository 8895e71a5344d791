"""One ask answered by one script: the checks before it runs, its time, its environment, its verdict."""

import stat
from collections.abc import Mapping
from pathlib import Path

from interpose.contracts.ask import Ask
from interpose.contracts.limits import SCRIPT_OUTPUT_BYTES
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure
from interpose_script_runner import process
from interpose_script_runner.environment import for_script
from interpose_script_runner.verdict import Broke, judge, plain

KILL_MARGIN_MS = 5.0
KILL_MARGIN_SHARE = 0.1
"""A script is killed this much before its time is up, so that it is gone when the gateway decides without it.

The lesser of the two counts, so that a short timeout still is one.
"""


class ScriptRunner:
    """Answers asks with scripts, as many at once as it is asked. `environment` is the runner's own (os.environ)."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    async def answer(
        self, ask: Ask, raw: bytes, script: str, declares_transform: bool, time_left_ms: float
    ) -> Verdict | Broke:
        """Run `script` in its own folder with `raw`, the very bytes of the ask, on stdin.

        `script` comes from the configuration, never from an ask. Cancelling kills it.
        """
        if time_left_ms <= 0:
            return Broke(Failure.DEADLINE_EXCEEDED, "the time was up before the script could start")
        program = Path(script)
        if (fault := _find_fault(program)) is not None:
            return Broke(Failure.HOOK_ERROR, plain(f"script {script} {fault}"))
        ending = await process.run(
            program,
            raw,
            timeout_ms=time_left_ms - min(KILL_MARGIN_MS, time_left_ms * KILL_MARGIN_SHARE),
            cwd=program.parent,
            output_limit=SCRIPT_OUTPUT_BYTES,
            env=for_script(ask, self._environment),
        )
        return judge(ending, declares_transform=declares_transform)


def _find_fault(program: Path) -> str | None:
    if not program.is_absolute():
        return "is not an absolute path"
    try:
        mode = program.stat().st_mode
    except (OSError, ValueError) as error:
        return f"cannot be used: {error}"
    return None if stat.S_ISREG(mode) else "is not a regular file"

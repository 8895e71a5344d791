"""The script runner's process: reads its settings and the configuration, then answers."""

import os
import sys
from pathlib import Path

from pydantic import Field

from interpose.bus.settings import Settings
from interpose.config.find import find_configuration
from interpose.config.load import load
from interpose.contracts.config import Configuration
from interpose.errors import InterposeError
from interpose.hook.worker import serve
from interpose_script_runner.runner import ScriptRunner
from interpose_script_runner.scripts import ScriptsFile
from interpose_script_runner.service import ScriptService


class RunnerSettings(Settings):
    """What the runner serves."""

    config: Path | None = Field(
        default=None,
        description="The configuration whose script hooks are served. Without it the usual folders are searched.",
    )


def main() -> int:
    """Serve until SIGTERM or SIGINT."""
    try:
        path = find_configuration(RunnerSettings.from_environment().config)
        if path is None:
            print("interpose-script-runner: no configuration found; set INTERPOSE_CONFIG to it", file=sys.stderr)
            return 1
        scripts = ScriptsFile(path, _read)
    except InterposeError as error:
        print(f"interpose-script-runner: {error}", file=sys.stderr)
        return 1
    serve(ScriptService(scripts, ScriptRunner(os.environ)).endpoint())
    return 0


def _read(path: Path) -> Configuration:
    return load(path).configuration


if __name__ == "__main__":
    sys.exit(main())

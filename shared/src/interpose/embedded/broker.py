"""The broker's program: where it is, and whether it takes its configuration."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from interpose.errors import ConfigurationError

PROGRAM = "nats-server"


def locate() -> Path:
    """The wheel's nats-server beside this Python, else the one on PATH. Raises ConfigurationError with the remedy."""
    beside = Path(sys.executable).parent / PROGRAM
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which(PROGRAM)
    if found is None:
        raise ConfigurationError(
            f"there is no {PROGRAM} beside {sys.executable} or on PATH: "
            "pip install 'interpose[embedded]', or name a running broker with INTERPOSE_NATS_URL"
        )
    return Path(found)


def validate(program: Path, config: Path) -> None:
    """Let the server itself read the configuration. Raises ConfigurationError with its words."""
    result = subprocess.run([program, "-c", config, "-t"], capture_output=True, text=True, check=False)  # noqa: S603 - our own program and file
    if result.returncode != 0:
        raise ConfigurationError(f"{PROGRAM} refuses {config}: {(result.stderr or result.stdout).strip()}")

"""The broker's program: where it is, whether its configuration is good, and which port it gets."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from interpose.embedded.nats_config import LOOPBACK
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


def choose_port(given: int | None, preferred: int) -> int:
    """The given port, or the preferred one, or a free one when that is taken. Raises ConfigurationError."""
    if given is not None:
        if not is_free(given):
            raise ConfigurationError(f"port {given} on {LOOPBACK} is taken; name another one")
        return given
    return preferred if is_free(preferred) else free_port()


def is_free(port: int) -> bool:
    """Whether nobody listens on this loopback port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A loopback port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])

"""Which files of tests/integration run over a broker in a container.

By default those that use, between them, everything that the fixture of the broker can do: users and their permissions,
connections, a server that is started, stopped, killed, frozen and made to read its users again, keys that are added
while it runs. INTERPOSE_OVER_CONTAINER=whole (`make over-container`) takes every file. None is left out: the
container's server is on this machine's network and among its processes, so that ports, signals and files mean the same.
"""

import os
from pathlib import Path

INTEGRATION = Path(__file__).parents[1] / "integration"
CHOSEN = (
    "test_asker.py",
    "test_broker.py",
    "test_call.py",
    "test_clients.py",
    "test_outage.py",
    "test_permissions.py",
    "test_presence.py",
    "test_records.py",
)
WHOLE = "whole"
VARIABLE = "INTERPOSE_OVER_CONTAINER"


def every_file() -> tuple[str, ...]:
    """All of them, below tests/integration."""
    return tuple(sorted(str(path.relative_to(INTEGRATION)) for path in INTEGRATION.rglob("test_*.py")))


def wanted() -> tuple[str, ...]:
    """Those that this run shall take."""
    return every_file() if os.environ.get(VARIABLE) == WHOLE else CHOSEN

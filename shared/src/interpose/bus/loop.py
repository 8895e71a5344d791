"""The event loop of gateway and workers: uvloop where it runs, which takes less processor time to read and write."""

import asyncio
import sys
from collections.abc import Callable


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """For `asyncio.Runner`; None means Python's own loop."""
    if sys.platform == "win32":
        return None
    import uvloop

    return uvloop.new_event_loop

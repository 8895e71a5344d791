"""For tests of hooks, yours and ours: a bus in memory, time that jumps, one-line asks, and the exam of every hook.

`judge(hook, tool="Bash", parameters={"command": "ls"})` is all that most tests need. Nothing here needs a broker, and
nothing here sleeps. `interpose.testing.conformance` holds the exam; `interpose.testing.spans` receives the spans of a
running system.
"""

from interpose.testing.asks import NoVerdict, judge, make_ask
from interpose.testing.memory_bus import MemoryBus
from interpose.testing.virtual_time import VirtualLoop, run

__all__ = ["MemoryBus", "NoVerdict", "VirtualLoop", "judge", "make_ask", "run"]

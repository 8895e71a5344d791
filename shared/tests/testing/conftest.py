"""Services of the tests: one that speaks raw bytes, and one hook that does everything right."""

from collections.abc import Awaitable, Callable

import pytest

from interpose import Ask, Hook, Verdict, allow, reject
from interpose.bus import subjects
from interpose.bus.responder import Incoming, Outgoing
from interpose.hook.worker import Endpoint


class Raw:
    """A service whose whole behaviour is one function."""

    def __init__(self, name: str, handle: Callable[[Incoming], Awaitable[Outgoing]]) -> None:
        self.name = name
        self.handle = handle

    def endpoint(self) -> Endpoint:
        """Served like a hook of that name."""
        return Endpoint("service", self.name, "1", subjects.asks(self.name), subjects.queue(self.name), self.handle)


@pytest.fixture
def raw() -> type[Raw]:
    """The class of raw services."""
    return Raw


@pytest.fixture
def no_force() -> Hook:
    """A hook that refuses what has `force` in its parameters."""
    hook = Hook("no-force")

    @hook.before("Bash")
    async def check(ask: Ask) -> Verdict:
        return reject("no force", code="force") if ask.parameters.get("force") else allow()

    return hook

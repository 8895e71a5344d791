"""Events of agents' own hooks over the core's ports in memory: the fixtures of every platform, and what it is told."""

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.context import Context

from interpose.contracts.clients import ClientEntry
from interpose.platforms.ruling import NativeAnswer
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.native.hooks import NativeHooks
from interpose_gateway.core.evaluated.native.means import Means
from interpose_gateway.core.evaluated.native.ports import Waiting
from interpose_gateway.core.evaluated.ports import Unavailable

FIXTURES = Path(__file__).parents[6] / "tests" / "fixtures" / "platforms"
PAIRS = {
    "claude-code": ("pre_bash", "post_bash"),
    "codex": ("pre_bash", "post_bash"),
    "copilot-cli": ("pre_bash_camel", "post_bash_camel"),
    "cursor": ("pre_shell", "post_shell"),
    "gemini-cli": ("pre_shell", "post_shell"),
    "mcp": ("pre_tools_call", "post_result_text"),
    "openclaw": ("pre_exec", "post_exec"),
    "opencode": ("pre_bash", "post_bash"),
    "vscode-copilot": ("pre_terminal", "post_terminal"),
}
"""An event before a call and one after a call, of each platform."""
MOST = 2


@dataclass
class Waits:
    """Lists in memory. `away`: nobody can tell."""

    of: defaultdict[str, list[Waiting]] = field(default_factory=lambda: defaultdict(list))
    away: bool = False

    async def add(self, key: str, call: Waiting, now_s: float, keep_s: float) -> bool:
        """At most two."""
        self._check()
        assert call.until == now_s + keep_s
        if len(self._open(key, now_s)) >= MOST:
            return False
        self.of[key].append(call)
        return True

    async def take(self, key: str, now_s: float, *, newest: bool) -> Waiting | None:
        """One of those whose time is not over."""
        self._check()
        calls = self._open(key, now_s)
        return calls.pop(-1 if newest else 0) if calls else None

    async def drop(self, key: str, evaluation_id: str, _now_s: float) -> None:
        """Gone."""
        self._check()
        self.of[key] = [call for call in self.of[key] if call.evaluation_id != evaluation_id]

    @property
    def all(self) -> list[Waiting]:
        """Whatever waits."""
        return [call for calls in self.of.values() for call in calls]

    def _open(self, key: str, now_s: float) -> list[Waiting]:
        self.of[key] = [call for call in self.of[key] if call.until > now_s]
        return self.of[key]

    def _check(self) -> None:
        if self.away:
            raise Unavailable("the broker is away")


@dataclass
class Tally:
    """What was counted."""

    hooks: list[tuple[str, str, str]] = field(default_factory=list)

    def hooked(self, platform: str, moment: str, ruling: str) -> None:
        """One event."""
        self.hooks.append((platform, moment, ruling))


class Native:
    """A gateway that hears hooks."""

    def __init__(self, agents: Any) -> None:
        self.agents, self.world, self.does = agents, agents.world, agents.hooks.does
        self.waits, self.tally = Waits(), Tally()
        self.hooks = NativeHooks(Means(agents.calls, self.waits, self.tally))

    def configure(self, **hooks: Any) -> None:
        """`before` and `after` of every tool."""
        self.world.configure({f"{phase}:*": [hook] for phase, hook in hooks.items()})

    async def send(self, platform: str, event: Any, name: str | None = None, client: str | None = "") -> NativeAnswer:
        """An object, bytes, or the name of a fixture; by default from a client of this very platform."""
        data = event if isinstance(event, bytes) else json.dumps(self.event(platform, event)).encode()
        of = platform if client == "" else client
        entry = ClientEntry(token_sha256="0" * 64, platform=of, scopes=["evaluate"])
        return await self.hooks.answer(Caller("local", entry), platform, data, name, Context())

    async def before(self, platform: str) -> NativeAnswer:
        """The platform's event before a call."""
        return await self.send(platform, PAIRS[platform][0])

    async def after(self, platform: str) -> NativeAnswer:
        """The event after the same call."""
        return await self.send(platform, self.followed(platform))

    def followed(self, platform: str) -> dict[str, Any]:
        """The fixture after a call, made to follow the fixture before it."""
        before, after = (self.event(platform, name) for name in PAIRS[platform])
        for name in ("tool_input", "toolArgs"):
            if name in after:
                after[name] = before[name]
        return after

    @staticmethod
    def name(platform: str) -> str:
        """Of its fixture before a call."""
        return PAIRS[platform][0]

    @staticmethod
    def event(platform: str, event: Any) -> dict[str, Any]:
        """A fixture by its name."""
        if isinstance(event, str):
            return dict(json.loads((FIXTURES / platform / f"{event}.json").read_bytes()))
        return dict(event)


@pytest.fixture
def native(agents: Any) -> Native:
    """With no rules, under which every call is allowed."""
    return Native(agents)

"""One event of an agent's hook, answered whatever happens, in the words of its platform."""

import logging
from dataclasses import dataclass

from opentelemetry.context import Context

from interpose.canonical.table import platform_of
from interpose.errors import InvalidInput
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.failing import say, seen
from interpose.platforms.read import read
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.native import ruled
from interpose_gateway.core.evaluated.native.after import rule_after
from interpose_gateway.core.evaluated.native.before import rule_before, rule_install
from interpose_gateway.core.evaluated.native.means import Means
from interpose_gateway.core.evaluated.ports import Unavailable
from interpose_gateway.core.refusals import BROKE

WRONG_CLIENT = (
    "the token is of client {name}, which is {which}: give this hook a token of its own with"
    " interpose clients add NAME --platform {platform} --scope evaluate"
)
NO_SESSION = "the event names no session, so nobody could tell its calls from those of others"
AWAY = "nobody can tell what was asked about this call ({why})"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NativeHooks:
    """Answers events. Nothing here raises: a status or a trace in place of an answer is an allow on most platforms."""

    means: Means

    async def answer(
        self, caller: Caller, platform: str, data: bytes, name: str | None, parent: Context
    ) -> NativeAnswer:
        """What this platform's hook says. `name` is the event's, where the way it came tells it."""
        try:
            return await self._answer(caller, platform, data, name, parent)
        except Exception as error:
            # The one broad catch: whatever breaks is a no, never an unjudged run.
            log.exception("the gateway broke on an event of %s", platform)
            self.means.observer.alarm("gateway-error", f"an event of {platform}: {type(error).__name__}")
            return self.refuse(platform, data, name, BROKE)

    def refuse(self, platform: str, data: bytes, name: str | None, reason: str) -> NativeAnswer:
        """A no to whatever this is: it was turned away before it was looked at."""
        return self._say(seen(platform, data, name), Ruling(Kind.UNAVAILABLE, reason))

    async def _answer(
        self, caller: Caller, platform: str, data: bytes, name: str | None, parent: Context
    ) -> NativeAnswer:
        try:
            event = read(platform, data, event=name)
        except InvalidInput as error:
            return self._say(seen(platform, data, name), ruled.unreadable(error))
        try:
            ruling = await self._judge(caller, event, parent)
        except InvalidInput as error:
            ruling = ruled.unreadable(error)
        except Unavailable as error:
            ruling = Ruling(Kind.UNAVAILABLE, AWAY.format(why=error))
        return self._say(event, ruling)

    async def _judge(self, caller: Caller, event: ToolEvent, parent: Context) -> Ruling:
        if event.moment is Moment.OTHER:
            return Ruling(Kind.ALLOW)
        if platform_of(caller.entry.platform) != event.platform:
            return Ruling(Kind.REFUSE, _wrong(caller, event.platform))
        if event.moment is Moment.INSTALL:
            return await rule_install(self.means, caller, event, parent)
        if not (event.session or "").strip():
            return Ruling(Kind.REFUSE, NO_SESSION)
        rule = rule_before if event.moment is Moment.BEFORE else rule_after
        return await rule(self.means, caller, event, parent)

    def _say(self, event: ToolEvent, ruling: Ruling) -> NativeAnswer:
        self.means.tally.hooked(event.platform, event.moment.value, ruling.kind.value)
        return say(event, ruling)


def _wrong(caller: Caller, platform: str) -> str:
    of = caller.entry.platform
    which = f"of platform {of}" if of else "of no platform"
    return WRONG_CLIENT.format(name=caller.name, which=which, platform=platform)

"""`Hook`: one name, some handlers, a worker. The code of a rule stands in its handlers and nowhere else."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, Unpack

import orjson

from interpose.bus import headers, subjects
from interpose.bus.responder import Incoming, Outgoing, ServiceError
from interpose.contracts.ask import Ask
from interpose.contracts.keys import Key, Names, Rank
from interpose.contracts.limits import ASK_BYTES
from interpose.contracts.registry import Manifest
from interpose.contracts.strict import read_model
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Phase, VerdictKind
from interpose.errors import InvalidInput
from interpose.hook.begun import Begun
from interpose.hook.manifest import HookSettings, make_manifest
from interpose.hook.worker import Endpoint, serve
from interpose.telemetry import logs, names, spans

MOST_REMEMBERED = 1024
"""For how many ways to name a call the handler is remembered; names come from callers, so there is an end to it."""

_PLAIN = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
"""What orjson would write in other words than pydantic does is left to pydantic."""

Judge = Callable[[Ask], Verdict] | Callable[[Ask], Awaitable[Verdict]]
F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class _Handler:
    key: Key
    judge: Judge
    is_async: bool

    async def call(self, ask: Ask) -> object:
        """What it says; nothing of it is checked."""
        told = self.judge(ask) if self.is_async else asyncio.to_thread(self.judge, ask)
        # A plain function may block: it must not hold up the asks beside it.
        return await told  # type: ignore[misc]  # `is_async` tells which of the two it is


class Hook:
    """A hook service. `name` is the service's name in the configuration and, usually, the hook's own.

    Handlers are plain or async functions from `Ask` to `Verdict`. An exception in one answers as `hook_error`; an ask
    that no handler's key matches answers 404: neither ever looks like an allow.

    `settings` (`fail_mode`, `timeout_ms`, `transform`, …) are what `interpose run` registers the hook with where nobody
    configured it; the keys are those of its handlers.
    """

    role: Literal["service"] = "service"

    def __init__(self, name: str, *, version: str = "0.1.0", **settings: Unpack[HookSettings]) -> None:
        self.name = name
        self.version = version
        self._settings = settings
        self._handlers: list[_Handler] = []
        self._found: dict[tuple[Phase, str, str, str, str | None], Sequence[_Handler]] = {}

    def before(self, key: str) -> Callable[[F], F]:
        """Judge calls before they run: `@hook.before("Bash")`, `"message.send"`, `"mcp__github__*"`, `"*"`."""
        return self._register(Phase.BEFORE, key)

    def after(self, key: str) -> Callable[[F], F]:
        """Judge responses before the agent sees them."""
        return self._register(Phase.AFTER, key)

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT; every ask that was delivered is answered before this returns."""
        serve(self.endpoint())

    def endpoint(self) -> Endpoint:
        """Where and how this hook is served."""
        return Endpoint(
            role=self.role,
            name=self.name,
            version=self.version,
            subject=subjects.asks(self.name),
            queue=subjects.queue(self.name),
            handle=self.handle,
        )

    def manifest(self) -> Manifest | None:
        """What it asks to be registered with; None without a handler. Raises ConfigurationError for wrong settings."""
        keys = [handler.key.text for handler in self._handlers]
        return make_manifest(self.name, keys, self._settings) if keys else None

    async def handle(self, request: Incoming) -> Outgoing:
        """Answer one ask's bytes. Raises ServiceError for everything that is no verdict."""
        ask = read_ask(request)
        logs.about(ask.call_id)
        attributes = names.ask_attributes(ask.hook, self.name, ask.phase)
        with spans.start(names.ANSWER, attributes, parent=spans.extract(request.headers)) as span:
            verdict = await self.answer(ask, request.time_left_s)
            span.set_attribute(names.ENDING, verdict.verdict.value)
            if verdict.verdict in (VerdictKind.REJECT, VerdictKind.ASK):
                spans.keep(span)
        return encode(verdict, ask)

    async def answer(self, ask: Ask, time_left_s: float | None = None) -> Verdict:
        """The verdict on one ask; what tests call."""
        handlers = self._find(ask)
        ends_at = None if time_left_s is None else asyncio.get_running_loop().time() + time_left_s
        begun = Begun(self._ask_all(handlers, ask))
        if begun.is_done:
            return _agreed(begun.result)
        try:
            async with asyncio.timeout_at(ends_at) as limit:
                return _agreed(await begun)
        except TimeoutError as error:
            if not limit.expired():
                raise  # the author's own: it broke in time, and nothing was late
            raise ServiceError(headers.TIMED_OUT, f"{self.name} did not finish in the time of the ask") from error

    async def _ask_all(self, handlers: Sequence[_Handler], ask: Ask) -> list[Verdict]:
        return [self._checked(await handler.call(ask)) for handler in handlers]

    def _checked(self, verdict: object) -> Verdict:
        if not isinstance(verdict, Verdict):
            raise ServiceError(headers.BROKE, f"{self.name} returned {type(verdict).__name__}, which is no verdict")
        return verdict

    def _register(self, phase: Phase, key: str) -> Callable[[F], F]:
        parsed = Key.parse(f"{phase}:{key}")

        def register(judge: F) -> F:
            self._found.clear()
            is_async = inspect.iscoroutinefunction(judge)
            self._handlers.append(_Handler(parsed, judge, is_async))  # type: ignore[arg-type]  # F keeps the author's signature
            return judge

        return register

    def _find(self, ask: Ask) -> Sequence[_Handler]:
        """The most specific handler. Where the action cannot be told, all that could be meant: each must agree."""
        called = ask.phase, ask.tool, ask.canonical_tool, ask.native.tool, ask.action
        handlers = self._found.get(called)
        if handlers is None:
            handlers = self._search(*called)
            if len(self._found) < MOST_REMEMBERED:
                self._found[called] = handlers
        return handlers

    def _search(self, phase: Phase, tool: str, canonical: str, native: str, action: str | None) -> Sequence[_Handler]:
        called = Names.of({tool, canonical, native}, action)
        ranked = [(handler.key.match(called), handler) for handler in self._handlers if handler.key.phase is phase]
        met = [(rank, handler) for rank, handler in ranked if rank is not None]
        if not met:
            raise ServiceError(headers.NO_HANDLER, f"{self.name} has no handler for {phase}:{canonical}")
        best = max(rank for rank, _ in met)
        if best is Rank.TOOL_ACTION and called.action is None:
            return [handler for rank, handler in met if rank >= Rank.TOOL]
        return [next(handler for rank, handler in met if rank is best)]


def _agreed(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict of several handlers: the first no, then the first question, then yes."""
    if len(verdicts) == 1:
        return verdicts[0]
    for kind in (VerdictKind.REJECT, VerdictKind.ASK, VerdictKind.TRANSFORM):
        found = next((verdict for verdict in verdicts if verdict.verdict is kind), None)
        if found is not None and kind is VerdictKind.TRANSFORM:
            said = "the call's action cannot be told, and a change by one handler was judged by none of the others"
            raise ServiceError(headers.BROKE, said)
        if found is not None:
            return found
    return verdicts[0]


def read_ask(request: Incoming) -> Ask:
    """The ask of a request; ServiceError where it is none, or speaks another version."""
    version = request.headers.get(headers.VERSION, headers.WIRE_VERSION)
    if version != headers.WIRE_VERSION:
        raise ServiceError(headers.MALFORMED, f"this worker speaks version {headers.WIRE_VERSION}, the ask {version}")
    try:
        return read_model(Ask, request.body, limit=ASK_BYTES, what="the ask")
    except InvalidInput as error:
        raise ServiceError(headers.TOO_LARGE if error.too_large else headers.MALFORMED, str(error)) from error


def encode(verdict: Verdict, ask: Ask) -> Outgoing:
    """The verdict's bytes, with the ask it answers."""
    told = {name: value for name, value in vars(verdict).items() if value is not None}
    try:
        return Outgoing(orjson.dumps(told | {"ask_id": ask.ask_id}, option=_PLAIN))
    except orjson.JSONEncodeError:
        # An author's own objects in annotations or output: pydantic knows how more of them are written.
        told = verdict.model_dump(mode="json", exclude_none=True)
        return Outgoing(orjson.dumps(told | {"ask_id": ask.ask_id}))

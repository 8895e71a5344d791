"""The configuration file as models. `interpose.config` reads files into these; this module only says what is right."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from interpose.contracts.keys import Key
from interpose.contracts.model import Closed, HookName, JsonObject
from interpose.contracts.words import FailMode, Mode, OnFailure

MAX_TIMEOUT_MS = 600_000
SCRIPT_RUNNER = "script-runner"

Pointer = Annotated[str, StringConstraints(pattern=r"^(/([^~/]|~[01])*)+$")]
"""A JSON pointer (RFC 6901) into the parameters."""


class HookSpec(Closed):
    """One hook. Exactly one of `service` and `script`; `failMode: transform` implies `transform: true`."""

    name: HookName
    service: HookName | None = None
    script: str | None = Field(default=None, min_length=1)
    fail_mode: FailMode = Field(default=FailMode.REJECT, alias="failMode", strict=False)
    on_failure: OnFailure | None = Field(default=None, alias="onFailure", strict=False)
    timeout: int = Field(default=5000, ge=1, le=MAX_TIMEOUT_MS)
    transform: bool = False
    when: str | None = None
    needs: list[HookName] = Field(default_factory=list)
    mode: Mode = Field(default=Mode.ENFORCE, strict=False)
    repeatable: bool = True
    native: bool = False
    sandbox: Any = None
    network: Any = None
    read: list[str] | None = None
    write: list[str] | None = None
    settings: JsonObject = Field(default_factory=dict, alias="with")

    @model_validator(mode="after")
    def _one_reading(self) -> Self:
        if (self.service is None) == (self.script is None):
            raise ValueError("a hook has exactly one of service and script")
        if self.fail_mode is FailMode.WARN and self.on_failure is OnFailure.REJECT:
            raise ValueError("a warn hook is advisory and cannot stop a call: use failMode reject, or drop onFailure")
        return self

    @property
    def transforming(self) -> bool:
        """Whether its output replaces the value."""
        return self.transform or self.fail_mode is FailMode.TRANSFORM

    @property
    def served_by(self) -> str:
        """The service that answers for it: its own, or the script runner."""
        return self.service if self.service is not None else SCRIPT_RUNNER

    @property
    def advisory(self) -> bool:
        """Whether it can never stop a call."""
        return self.fail_mode is FailMode.WARN


class Executor(Closed):
    """How the gateway runs a tool: `{"bus": {}}`, a worker on `tool.exec.<tool>`."""

    bus: JsonObject | None = None
    http: JsonObject | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.bus is None) == (self.http is None):
            raise ValueError("an executor is exactly one of bus and http")
        if self.bus:
            raise ValueError("the bus executor takes no settings: write {}")
        return self


class ToolSpec(Closed):
    """One tool. `timeout` in ms is the tool's own deadline; without `executor` the gateway cannot run it."""

    executor: Executor | None = None
    action_from: Pointer | None = Field(default=None, alias="actionFrom")
    input_schema: JsonObject | None = Field(default=None, alias="inputSchema")
    timeout: int = Field(default=30_000, ge=1, le=MAX_TIMEOUT_MS)


class Defaults(Closed):
    """Defaults of the whole file. `approvalTimeout` in ms."""

    unknown_tool: Literal["allow", "ask", "reject"] = Field(default="allow", alias="unknownTool")
    approval_timeout: int = Field(default=120_000, alias="approvalTimeout", ge=1000, le=86_400_000)


class Configuration(Closed):
    """The whole file. A file without `hooks` refuses; `"hooks": {}` is good and enforces nothing."""

    hooks: dict[str, list[HookSpec]]
    tools: dict[str, ToolSpec] = Field(default_factory=dict)
    tool_aliases: dict[str, str] = Field(default_factory=dict, alias="toolAliases")
    defaults: Defaults = Field(default_factory=Defaults)
    records: JsonObject = Field(default_factory=dict)
    registration: Literal["open", "signed", "closed"] = "open"
    gateway: JsonObject = Field(default_factory=dict)

    @field_validator("hooks")
    @classmethod
    def _keys_are_keys(cls, hooks: dict[str, list[HookSpec]]) -> dict[str, list[HookSpec]]:
        for key in hooks:
            Key.parse(key)
        return hooks

    @model_validator(mode="after")
    def _same_name_same_hook(self) -> Self:
        seen: dict[str, HookSpec] = {}
        for key, hooks in self.hooks.items():
            for hook in hooks:
                if seen.setdefault(hook.name, hook) != hook:
                    raise ValueError(f"{key}: {hook.name} is already another hook; the same name must be the same hook")
        return self

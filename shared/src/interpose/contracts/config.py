"""The configuration file as models. `interpose.config` reads files into these; this module only says what is right."""

from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from interpose.contracts.keys import Key
from interpose.contracts.model import Closed, HookName, JsonObject
from interpose.contracts.words import FailMode, Mode, OnFailure

MAX_TIMEOUT_MS = 600_000
SCRIPT_RUNNER = "script-runner"

Pointer = Annotated[str, StringConstraints(pattern=r"^(/([^~/]|~[01])*)+$")]
"""A JSON pointer (RFC 6901) into the parameters."""


def _key(text: str) -> str:
    Key.parse(text)
    return text


HookKey = Annotated[str, AfterValidator(_key), WithJsonSchema({"type": "string", "pattern": "^(before|after):."})]
"""What is intercepted: see `interpose.contracts.keys`."""


class HookSpec(Closed):
    """One hook. Exactly one of `service` and `script`; `failMode: transform` implies `transform: true`."""

    name: HookName
    service: HookName | None = None
    script: str | None = Field(default=None, min_length=1, validate_default=True)
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

    # Rules over two fields stand at the later one, so that they are told beside whatever else is wrong.
    @field_validator("script")
    @classmethod
    def _is_served_once(cls, script: str | None, info: ValidationInfo) -> str | None:
        if "service" in info.data and (info.data["service"] is None) == (script is None):
            raise ValueError("a hook has exactly one of service and script")
        return script

    @field_validator("on_failure")
    @classmethod
    def _is_not_both(cls, on_failure: OnFailure | None, info: ValidationInfo) -> OnFailure | None:
        if on_failure is OnFailure.REJECT and info.data.get("fail_mode") is FailMode.WARN:
            raise ValueError("a warn hook is advisory and cannot stop a call: use failMode reject, or drop onFailure")
        return on_failure

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
    http: JsonObject | None = Field(default=None, validate_default=True)

    @field_validator("bus")
    @classmethod
    def _is_bare(cls, bus: JsonObject | None) -> JsonObject | None:
        if bus:
            raise ValueError("the bus executor takes no settings: write {}")
        return bus

    @field_validator("http")
    @classmethod
    def _is_one_kind(cls, http: JsonObject | None, info: ValidationInfo) -> JsonObject | None:
        if "bus" in info.data and (info.data["bus"] is None) == (http is None):
            raise ValueError("an executor is exactly one of bus and http")
        return http


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

    hooks: dict[HookKey, list[HookSpec]] = Field(json_schema_extra={"additionalProperties": False})
    tools: dict[str, ToolSpec] = Field(default_factory=dict)
    tool_aliases: dict[str, str] = Field(default_factory=dict, alias="toolAliases")
    defaults: Defaults = Field(default_factory=Defaults)
    records: JsonObject = Field(default_factory=dict)
    registration: Literal["open", "signed", "closed"] = "open"
    gateway: JsonObject = Field(default_factory=dict)

    @model_validator(mode="after")
    def _same_name_same_hook(self) -> Self:
        seen: dict[str, HookSpec] = {}
        for key, hooks in self.hooks.items():
            for hook in hooks:
                if seen.setdefault(hook.name, hook) != hook:
                    raise ValueError(f"{key}: {hook.name} is already another hook; the same name must be the same hook")
        return self

"""How a process finds its broker: the environment, the same for every service."""

from pathlib import Path
from typing import Self

from pydantic import Field, FilePath, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from interpose.contracts.faults import message_of
from interpose.errors import ConfigurationError, Fault

PREFIX = "INTERPOSE_"


class Settings(BaseSettings):
    """Settings of one process, from the environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    @classmethod
    def from_environment(cls) -> Self:
        """Read them. Raises ConfigurationError naming each variable that cannot be used."""
        try:
            return cls()
        except ValidationError as error:
            faults = [Fault(PREFIX + str(one["loc"][0]).upper(), message_of(one)) for one in error.errors()]
            raise ConfigurationError("the environment cannot be used", faults) from error


class BusSettings(Settings):
    """The broker and this process's identity on it."""

    nats_url: str = Field(default="nats://127.0.0.1:4222", description="Where the broker is.")
    nats_seed: FilePath | None = Field(
        default=None, description="The file that holds this process's nkey seed. Without it nobody is logged in."
    )
    instance: str | None = Field(
        default=None,
        description="What this process calls itself in answers, records and logs. Default: name and chance.",
    )
    ready_socket: Path | None = Field(
        default=None,
        description="Where a worker says that it is ready, for health checks beside it: a Unix socket that it makes.",
    )
    concurrency: int = Field(
        default=64,
        ge=1,
        description="How many asks one worker answers at once. Sixteen times as many may wait; further ones are told"
        " that it is busy.",
    )

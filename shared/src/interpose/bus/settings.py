"""How a process finds its broker: the environment, the same for every service."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class BusSettings(BaseSettings):
    """The broker and this process's identity on it."""

    model_config = SettingsConfigDict(env_prefix="INTERPOSE_", frozen=True)

    nats_url: str = Field(default="nats://127.0.0.1:4222", description="Where the broker is.")
    nats_seed: Path | None = Field(
        default=None, description="The file that holds this process's nkey seed. Without it nobody is logged in."
    )
    instance: str | None = Field(
        default=None,
        description="What this process calls itself in answers, records and logs. Default: name and chance.",
    )
    concurrency: int = Field(
        default=64,
        ge=1,
        description="How many asks one worker answers at once. Sixteen times as many may wait; further ones are told"
        " that it is busy.",
    )

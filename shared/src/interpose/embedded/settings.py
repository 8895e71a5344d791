"""Settings of the embedded default, from `INTERPOSE_*` in the environment."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class EmbeddedSettings(BaseSettings):
    """All times in ms. `nats_url` names a broker that somebody else runs: then none is started."""

    model_config = SettingsConfigDict(env_prefix="INTERPOSE_", frozen=True)

    config: Path | None = None
    nats_url: str | None = None
    http_host: str = "127.0.0.1"
    http_port: int | None = Field(default=None, ge=1, le=65535)
    restart_backoff_ms: int = Field(default=2_000, ge=1)
    ready_timeout_ms: int = Field(default=30_000, ge=100)
    drain_timeout_ms: int = Field(default=10_000, ge=100)

"""How a process finds its broker: the environment, the same for every service."""

from pathlib import Path

from pydantic_settings import BaseSettings, SettingsConfigDict


class BusSettings(BaseSettings):
    """`INTERPOSE_NATS_URL`, `INTERPOSE_NATS_SEED` (a file holding the nkey seed), `INTERPOSE_INSTANCE`."""

    model_config = SettingsConfigDict(env_prefix="INTERPOSE_", frozen=True)

    nats_url: str = "nats://127.0.0.1:4222"
    nats_seed: Path | None = None
    instance: str | None = None
    concurrency: int = 64
    """How many asks one worker answers at once; more wait in line and are told how long they may still wait."""

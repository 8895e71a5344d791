"""The gateway's settings, from `INTERPOSE_*` in the environment."""

from ipaddress import ip_address
from pathlib import Path

from pydantic import Field

from interpose.bus.settings import BusSettings


class GatewaySettings(BusSettings):
    """Where to listen, which configuration and clients to use, how much to take at once."""

    config: Path | None = None
    clients: Path | None = None
    http_host: str = "127.0.0.1"
    http_port: int = Field(default=8600, ge=0, le=65535)
    most_in_flight: int = Field(default=512, ge=1)
    drain_s: float = Field(default=15.0, gt=0)

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the HTTP API."""
        try:
            return ip_address(self.http_host).is_loopback
        except ValueError:
            return self.http_host == "localhost"

"""How HTTP is served."""

import httpx
from fastapi import FastAPI

from interpose_gateway.__main__ import configured
from interpose_gateway.settings import GatewaySettings

LONGEST_OF_CLIENTS_S = 60


def test_an_idle_connection_outlives_its_clients_patience() -> None:
    """Both letting go after five seconds, a call that is sent just then is lost: httpx and uvicorn agree on them."""
    served = configured(GatewaySettings(), FastAPI())

    assert httpx.Limits().keepalive_expiry == 5
    assert served.timeout_keep_alive > LONGEST_OF_CLIENTS_S

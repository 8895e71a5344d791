"""The integration tests over a broker in a container: the same tests through the same fixture, one variable differs."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from .suite import INTEGRATION, wanted

pytestmark = [pytest.mark.docker, pytest.mark.server]

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 900


@pytest.mark.parametrize("chosen", wanted())
def test_it_passes_over_a_broker_in_a_container(engine: Any, image: str, chosen: str) -> None:
    """Every test of the file passes and none is skipped; no container is left behind."""
    mark = uuid4().hex
    told = {"INTERPOSE_BROKER_IMAGE": image, "INTERPOSE_BROKER_RUN": mark, "CI": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(INTEGRATION / chosen)]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | told, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
        left = engine.containers.list(all=True, filters={"label": f"interpose.tests={mark}"})
    finally:
        for container in engine.containers.list(all=True, filters={"label": f"interpose.tests={mark}"}):
            container.remove(force=True)

    print(done.stdout.strip().splitlines()[-1:])
    assert (0, False, []) == (done.returncode, "skipped" in done.stdout, left), done.stdout[-4000:] + done.stderr

"""The benchmark runs and every workload of it is answered; how fast is nobody's test."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SHORT = ["--rounds", "1", "--seconds", "0.3", "--json"]


@pytest.mark.server
def test_every_workload_is_measured() -> None:
    """Each workload has calls that were all delivered, and each figure its ratio to the floor of the same run."""
    program = Path(__file__).parent

    ended = subprocess.run([sys.executable, str(program), *SHORT], capture_output=True, text=True, check=False)

    assert 0 == ended.returncode, ended.stderr
    rows = json.loads(ended.stdout)["rows"]
    assert ["W0", "W0", "W1", "W1", "W1", "W1", "W2", "W2"] == [row["workload"] for row in rows]
    assert all(row["calls"] and row["p50_ratio"] for row in rows)

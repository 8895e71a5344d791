"""The benchmark runs, every workload of it is answered and every target is judged; how fast is nobody's test."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SHORT = ["--rounds", "1", "--seconds", "0.2", "--pairs", "1", "--json"]


@pytest.mark.server
def test_every_workload_is_measured() -> None:
    """Each workload has calls that were all answered as they should be, and each figure its ratio to the floor."""
    program = Path(__file__).parent

    ended = subprocess.run([sys.executable, str(program), *SHORT], capture_output=True, text=True, check=False)

    assert 0 == ended.returncode, ended.stderr
    told = json.loads(ended.stdout)
    rows = told["rows"]
    assert {"W0", "W1", "W2", "W3"} == {row["workload"] for row in rows}
    assert len(rows) == len({row["key"] for row in rows})
    assert all(row["calls"] and row["p50_ratio"] for row in rows)
    assert told["hung"]["calls"]
    assert told["targets"]
    assert all(target["reason"] for target in told["targets"] if not target["is_reached"])

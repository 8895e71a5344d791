"""The benchmark runs, every workload of it is answered and every target is judged; how fast is nobody's test."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SHORT = [
    "--rounds", "1", "--seconds", "0.2", "--pairs", "1", "--starts", "1",
    "--turns", "2", "--megabytes", "0.002", "--asks", "20", "--json",
]  # fmt: skip


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
    assert all(row["canonical_us"] and row["normal_us"] for row in told["canonical"])
    assert all(row["validator_us"] and row["slack_sdk_us"] and row["jsonschema_us"] for row in told["validator"])
    assert all(row["rules_us"] for row in told["rules"])
    assert all(row["pairs"] and row["first_byte_ms"] for row in told["starts"])
    assert all(row["ask_ms"] and row["asks_s"] for row in told["limits"])
    assert len(told["limits"]) > 0
    assert all(row["sanitizer_ms"] and row["growth"] for row in told["sanitizer"])
    assert all(row["p99_ms"] >= row["p50_ms"] > 0 for row in told["pages"])
    assert len(told["targets"]) > len(told["canonical"]) + len(told["starts"]) > 0
    assert all(target["reason"] for target in told["targets"] if not target["is_reached"])


@pytest.mark.parametrize("group", ["canonical", "validator", "rules"])
def test_a_group_is_taken_alone(group: str) -> None:
    """Without a broker where it needs none, and its own targets are judged."""
    command = [sys.executable, str(Path(__file__).parent), *SHORT, "--only", group]

    ended = subprocess.run(command, capture_output=True, text=True, check=False)

    assert 0 == ended.returncode, ended.stderr
    told = json.loads(ended.stdout)
    assert ([], None, []) == (told["rows"], told["hung"], told["starts"])
    assert len(told[group]) == len(told["targets"]) > 0

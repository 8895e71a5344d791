"""The checks of what runs: processes, gateway, door, workers, collector."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from interpose import __version__
from interpose.doctor import running
from interpose.doctor.finding import Finding, State
from interpose.embedded.home import Home
from interpose.embedded.state import ProcessState, RunState, this_process
from interpose.embedded.status import BrokerStatus, GatewayStatus, ServiceStatus, Status, WorkerStatus

GONE = ProcessState(name="interpose", pid=os.getpid(), began="another beginning")


def run_state(supervisor: ProcessState, *children: ProcessState) -> RunState:
    """What `interpose up` would have written."""
    return RunState(
        supervisor=supervisor, url="http://127.0.0.1:1", nats_url="", config=None, started="", children=list(children)
    )


def status(**gateway: Any) -> Status:
    """A status with that gateway."""
    return Status(
        home="",
        supervisor_pid=1,
        revision=None,
        ready=False,
        broker=BrokerStatus(url="", ready=True),
        gateway=GatewayStatus(url="http://127.0.0.1:8600", **gateway),
        services=[],
        hooks=[],
        warnings=[],
        remedies=[],
    )


def state_of(finding: Finding) -> State:
    """What is not ok must have a remedy."""
    assert finding.remedy or finding.state is State.OK
    return finding.state


@pytest.mark.parametrize(
    ("found", "state", "said"),
    [
        (run_state(this_process("interpose")), State.OK, "runs as process"),
        (run_state(GONE, this_process("validator-1")), State.BAD, "left over from a run that was killed: validator-1"),
        (run_state(GONE), State.BAD, "nothing runs here"),
        (None, State.BAD, "nothing runs here"),
    ],
)
def test_processes(found: RunState | None, state: State, said: str) -> None:
    """A supervisor that lives is good; children without one are leftovers."""
    [finding] = running.check_processes(found)

    assert state is state_of(finding)
    assert said in finding.said


def test_a_gateway_that_is_not_ready_is_bad() -> None:
    """Its own trouble is the finding."""
    finding = running.check_gateway(status(ready=False, trouble=["no configuration is in force"]))

    assert State.BAD is state_of(finding)
    assert "no configuration is in force" in finding.said
    assert State.OK is state_of(running.check_gateway(status(ready=True, revision=3)))


@pytest.mark.parametrize(
    ("url", "state"),
    [
        ("http://127.0.0.1:8600", State.OK),
        ("http://localhost:8600", State.OK),
        ("http://[::1]:8600", State.OK),
        ("http://192.0.2.1:8600", State.NOTE),
        ("http://gateway.example:8600", State.NOTE),
    ],
)
def test_a_port_beyond_this_machine_is_noted(url: str, state: State) -> None:
    """Tokens travel there in clear."""
    assert state is state_of(running.check_reach(url))


@pytest.mark.parametrize(
    ("versions", "needed", "state"),
    [
        ([__version__], ["a"], State.OK),
        ([], ["a"], State.BAD),
        ([], [], State.NOTE),
        ([__version__, "0.0.1"], ["a"], State.NOTE),
    ],
)
def test_a_service_must_be_present_in_one_version(versions: list[str], needed: list[str], state: State) -> None:
    """Needed and absent is bad, another version is noted."""
    workers = [
        WorkerStatus(instance=f"validator-{number}", version=version, answered=0, errors=0, pid=number)
        for number, version in enumerate(versions)
    ]
    service = ServiceStatus(name="validator", role="service", needed_by=needed, workers=workers)

    assert state is state_of(running.check_service(service))


def test_a_collector_must_be_reachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is a note, a listening one is good, one that is gone is bad."""
    for name in running.OTLP:
        monkeypatch.delenv(name, raising=False)
    assert State.NOTE is state_of(running.check_spans())
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.getsockname()[1]}")

        assert State.OK is state_of(running.check_spans())
    assert State.BAD is state_of(running.check_spans())


def test_a_door_that_nobody_answers_is_bad(tmp_path: Path) -> None:
    """The gateway's port is closed."""
    [finding] = running.check_door(Home(tmp_path), "http://127.0.0.1:9")

    assert State.BAD is state_of(finding)

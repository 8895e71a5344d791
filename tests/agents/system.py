"""Everything that `interpose up` starts, for the tests of agents' plugins."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from interpose.embedded.home import Home
from interpose.embedded.ports import free_port
from interpose.embedded.state import RunState

PROGRAMS = Path(__file__).parent / "programs"
CLI = [sys.executable, "-m", "interpose.cli"]
PATIENCE_S = 120
LOOK_AGAIN_S = 0.2


class Interpose:
    """A running system with the test's rules and hooks."""

    def __init__(self, folder: Path, rules: dict[str, Any], hooks: Sequence[str]) -> None:
        self.folder = folder
        self.hooks = hooks
        self.port = free_port()
        self.token = ""
        (folder / "interpose.json").write_text(json.dumps(rules))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("INTERPOSE_", "OTEL_"))}
        ports = {"INTERPOSE_HTTP_PORT": str(self.port), "INTERPOSE_NATS_PORT": str(free_port())}
        self.environment = kept | ports | {"INTERPOSE_HOME": str(folder / "home")}

    def tried(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command to its end."""
        return subprocess.run(
            [*CLI, *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def run(self, *words: str) -> str:
        """A command to its good end; what it says."""
        done = self.tried(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def up(self) -> None:
        """Start everything; it is ready on return."""
        hooks = [word for name in self.hooks for word in ("--with", str(PROGRAMS / f"{name}.py"))]
        self.run("up", "--config", "interpose.json", *hooks, "--detach")

    def let_in(self, name: str) -> str:
        """A client for that platform; its token."""
        added = self.run("clients", "add", name, "--scope", "evaluate", "--platform", name, "--json")
        return Path(json.loads(added)["token_file"]).read_text().strip()

    def records(self, session: str) -> list[dict[str, Any]]:
        """The records of a session's calls, in order."""
        listed = self.run("records", "list", "--session", session, "--source", "stream", "--json")
        return [json.loads(line)["record"] for line in listed.splitlines()]

    def approvals(self, call_id: str) -> list[dict[str, Any]]:
        """The answers of people about a call."""
        listed = self.run("records", "list", "--call", call_id, "--source", "stream", "--json")
        records = [json.loads(line)["record"] for line in listed.splitlines()]
        return [record for record in records if "resolution" in record]

    def outcome(self, session: str) -> dict[str, Any]:
        """The after record of a session with one call, as soon as it is there."""
        return until(lambda: next((one for one in self.records(session) if one["phase"] == "after"), None))

    def kill_gateway(self) -> None:
        """kill -9."""
        state = RunState.running(Home(self.folder / "home"))
        [gateway] = [child for child in state.children if child.name == "gateway"]
        os.kill(gateway.pid, signal.SIGKILL)


def until(find: Callable[[], Any]) -> Any:
    """What it finds, as soon as it finds something; another process has to do it."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if (found := find()) is not None:
            return found
        time.sleep(LOOK_AGAIN_S)
    raise AssertionError(f"nothing came of it within {PATIENCE_S} s")

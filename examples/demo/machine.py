"""Everything that the demo runs on: `interpose up` in a folder that is gone afterwards, a page, a collector."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from page import PageServer

from interpose.client.http import Gateway
from interpose.embedded.home import Home
from interpose.embedded.ports import own_ports
from interpose.testing.spans import SpanReceiver

HERE = Path(__file__).parent
PATIENCE_S = 120
ADDED = HERE / "not_to_everybody.py"


class Machine:
    """A running Interpose of the demo's own; `hooks_by_name` is what the gateway plans on now."""

    def __init__(
        self, home: Home, url: str, environment: dict[str, str], collector: SpanReceiver, page: PageServer
    ) -> None:
        self.home = home
        self.gateway = Gateway(url, home.token("local").read_text().strip())
        self.collector = collector
        self.page = page
        self._environment = environment
        self._started: list[subprocess.Popen[bytes]] = []

    def call(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """One tool call through the gateway."""
        return self.gateway.call(body)

    def kill(self, service: str) -> list[int]:
        """kill -9 every worker of a service; their process ids. Returns when the broker knows that they are gone."""
        pids = self._pids(service)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        while self._pids(service):
            pass
        return pids

    def start_hook(self, file: Path) -> None:
        """Start a worker from one file and return when the gateway plans on its hook."""
        before = self._registered()
        command = [*_interpose(), "run", str(file), "--json"]
        log = self.home.log(file.stem)
        with log.open("w") as output:
            worker = subprocess.Popen(command, env=self._environment, stdout=output, stderr=output)  # noqa: S603
        self._started.append(worker)
        while self._registered() == before:
            if worker.poll() is not None:
                raise SystemExit(f"{file.name} ended before its hook was registered: {log.read_text()}")

    def close(self) -> None:
        """Stop the workers that were started here."""
        for worker in self._started:
            worker.terminate()
            worker.wait()

    def _pids(self, service: str) -> list[int]:
        """Nobody there is exit code 1 and an empty list."""
        command = [*_interpose(), "status", "--pids", service]
        told = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)  # noqa: S603
        return [int(line) for line in told.stdout.split()]

    def _registered(self) -> int:
        return int(self.gateway.readiness()[1].get("hooks", 0))


@contextmanager
def running(rules: Path) -> Iterator[Machine]:
    """Start everything and stop it again, whatever happens between."""
    page, collector = PageServer(), SpanReceiver()
    with tempfile.TemporaryDirectory(prefix="interpose-demo-") as folder:
        home = Home(Path(folder) / "home")
        environment = _environment(home, collector)
        up = _up(Path(folder), rules.read_text().replace("{page_port}", str(page.port)), environment)
        try:
            machine = Machine(home, _started(up), environment, collector, page)
            try:
                yield machine
            finally:
                machine.close()
        finally:
            up.send_signal(signal.SIGINT)
            up.communicate(timeout=PATIENCE_S)
            collector.close()
            page.close()


def _up(folder: Path, rules: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    config = folder / "rules.json"
    config.write_text(rules)
    tools = [word for name in ("outbox.py", "patches.py") for word in ("--with", str(HERE / name))]
    command = [*_interpose(), "up", "--json", "--config", str(config), *tools]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)  # noqa: S603


def _started(up: subprocess.Popen[str]) -> str:
    """The gateway's URL, when everything is ready; progress on the way."""
    for line in up.stdout or ():
        told = json.loads(line)
        if "started" in told:
            return str(told["started"]["url"])
        if told.get("event", {}).get("kind") == "ready":
            print(f"  {told['event']['name']} {told['event']['message']}", flush=True)
    raise SystemExit(f"interpose up ended with {up.wait()}")


def _environment(home: Home, collector: SpanReceiver) -> dict[str, str]:
    """Nothing of the caller's own Interpose or telemetry, its ports least; a killed worker stays dead, to be missed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("INTERPOSE_", "OTEL_"))}
    own = {"INTERPOSE_HOME": str(home.root), "INTERPOSE_RESTART_BACKOFF_MS": "3600000"}
    return {**kept, **own, **own_ports(), "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}


def _interpose() -> list[str]:
    return [sys.executable, "-m", "interpose.cli"]

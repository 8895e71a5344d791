"""Interpose in containers, wherever a Docker engine answers.

Base images that are neither here nor to be pulled are built from Debian's packages and wheels, so no registry is
needed. Images stay as a cache for the next run, under tags of their own; every container, network and volume is
removed with the test that made it.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from interpose.embedded import broker as program
from interpose.embedded import nats_config, provision
from interpose.embedded.home import Home
from interpose.embedded.ports import free_port

ROOT = Path(__file__).parents[2]
IMAGE = "interpose-tests/nats:from-wheel"
DOCKERFILE = 'FROM scratch\nCOPY nats-server /nats-server\nENTRYPOINT ["/nats-server"]\n'
CONFIG, STORE = "/etc/nats.conf", Path("/data")
VERSION = "tests"
BUILD_S, UP_S = 1500, 300
LAYERS = ("compose.yaml", "examples/quickstart/compose.yaml")

Run = Callable[..., subprocess.CompletedProcess[str]]


def run(*command: str, timeout_s: int = UP_S, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command in the project's folder to its end, whatever its exit code."""
    return subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
        stdin=subprocess.DEVNULL,
        **more,
    )


@pytest.fixture(scope="session")
def engine() -> Iterator[Any]:
    """The Docker engine's client; skips, with its reason, where none answers."""
    docker = pytest.importorskip("docker")
    try:
        found = docker.from_env()
        found.ping()
    except docker.errors.DockerException as error:
        pytest.skip(f"no Docker engine answers: {error}")
    yield found
    found.close()


@pytest.fixture(scope="session")
def image(engine: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The image of a bare nats-server."""
    folder = tmp_path_factory.mktemp("image")
    shutil.copy(program.locate(), folder / "nats-server")
    (folder / "Dockerfile").write_text(DOCKERFILE)
    engine.images.build(path=str(folder), tag=IMAGE, rm=True, forcerm=True)
    return IMAGE


@pytest.fixture
def contained(image: str, tmp_path: Path) -> Iterator[tuple[Home, str]]:
    """A provisioned home, and the URL of a container that runs its broker on a network of its own."""
    # testcontainers' reaper is an image of its own, which nothing here could pull; the fixture removes its container.
    os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"
    from testcontainers.community.nats import NatsContainer

    home = Home(tmp_path / "home")
    made = provision.ensure(home, ("validator",), ("echo",), ("local",), broker=free_port())
    config = tmp_path / "nats.conf"
    config.write_text(nats_config.render_contained(STORE, made.directory.identities))
    container = NatsContainer(image).with_command(f"-c {CONFIG}").with_volume_mapping(str(config), CONFIG, "ro")
    with container as running:
        host, port = running.nats_host_and_port()
        yield home, f"nats://{host}:{port}"


class Compose:
    """One project of compose.yaml and the quickstart's layer, on a port of its own."""

    def __init__(self, command: Sequence[str]) -> None:
        self.project = f"interpose-tests-{uuid4().hex[:8]}"
        self.port = free_port()
        layers = [word for layer in LAYERS for word in ("--file", layer)]
        self._command = [*command, "--project-name", self.project, *layers]
        own = {"INTERPOSE_PORT": str(self.port), "INTERPOSE_VERSION": VERSION}
        self._environment = os.environ | own

    def __call__(self, *words: str, timeout_s: int = UP_S) -> subprocess.CompletedProcess[str]:
        """Run a command of compose to its end, whatever its exit code."""
        return run(*self._command, *words, timeout_s=timeout_s, env=self._environment)

    def must(self, *words: str, timeout_s: int = UP_S) -> str:
        """The same, and what it said; the test fails, with all logs, when the command does."""
        done = self(*words, timeout_s=timeout_s)
        assert done.returncode == 0, done.stdout + done.stderr + self("logs", "--tail=20", "--no-color").stdout
        return done.stdout.strip()

    def containers(self, service: str) -> list[str]:
        """The ids of a service's running containers."""
        return self.must("ps", "--quiet", service).split()

    def state(self, service: str) -> list[dict[str, Any]]:
        """What the engine says of each of them."""
        return [json.loads(run("docker", "inspect", each).stdout)[0] for each in self.containers(service)]

    @staticmethod
    def kill(container: str) -> None:
        """End one container as a crash would."""
        done = run("docker", "kill", container)
        assert done.returncode == 0, done.stderr


def compose_command() -> list[str]:
    """Docker Compose of either kind; skips, with its reason, where there is none."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) and run(*command, "version").returncode == 0:
            return command
    pytest.skip("there is no Docker Compose")


@pytest.fixture(scope="session")
def built(engine: Any) -> Compose:
    """Compose with every image built; skips, with its reason, where their bases cannot be had."""
    compose = Compose(compose_command())
    bases = run("deploy/build-stand-ins.sh", timeout_s=BUILD_S)
    if bases.returncode != 0 and not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        pytest.skip(f"the base images can be neither pulled nor built: {bases.stderr.strip()[-200:]}")
    assert bases.returncode == 0, bases.stderr
    compose.must("build", "--quiet", timeout_s=BUILD_S)
    return compose


@pytest.fixture(scope="module")
def compose(built: Compose) -> Iterator[Compose]:
    """The project, up and healthy; taken down with its volumes."""
    try:
        built.must("up", "--detach")
        yield built
    finally:
        built("down", "--volumes", "--remove-orphans", "--timeout", "20")

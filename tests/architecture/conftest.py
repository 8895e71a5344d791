"""The workspace as a whole: its members, found by the one rule of the tree and never listed, and programs run on it."""

import shutil
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Member:
    """One distribution: folder `shared` or `services/<name>`."""

    folder: Path

    @property
    def project(self) -> dict[str, Any]:
        """Its `[project]` table."""
        return tomllib.loads((self.folder / "pyproject.toml").read_text())["project"]

    @property
    def distribution(self) -> str:
        """`interpose` or `interpose-<name>`."""
        return "interpose" if self.is_library else f"interpose-{self.folder.name}"

    @property
    def package(self) -> str:
        """What is imported."""
        return self.distribution.replace("-", "_")

    @property
    def is_library(self) -> bool:
        """Whether this is the shared distribution."""
        return self.folder.name == "shared"


def members_of(root: Path) -> list[Member]:
    """Every distribution of a workspace."""
    services = sorted(root.glob("services/*/pyproject.toml"))
    return [Member(found.parent) for found in [root / "shared/pyproject.toml", *services]]


Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's own folder."""
    return ROOT


@pytest.fixture(scope="session")
def members() -> list[Member]:
    """Every distribution of this workspace."""
    return members_of(ROOT)


@pytest.fixture(scope="module", params=members_of(ROOT), ids=lambda member: member.distribution)
def member(request: pytest.FixtureRequest) -> Member:
    """Each distribution of this workspace in turn."""
    return request.param


@pytest.fixture(scope="session")
def run_program() -> Program:
    """Run a program to its end; with `expect` another exit code than 0 is a failure that shows what it said."""

    def run(*command: object, expect: int | None = 0, **options: Any) -> subprocess.CompletedProcess[str]:
        ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
        assert expect in (None, ended.returncode), f"{command} ended with {ended.returncode}:\n{ended.stderr}"
        return ended

    return run


@pytest.fixture(scope="session")
def copy_workspace(root: Path, members: list[Member]) -> Callable[[Path], Path]:
    """Copies sources, manifests, lock and rules into a folder."""

    def copy(folder: Path) -> Path:
        for member in members:
            shutil.copytree(member.folder, folder / member.folder.relative_to(root), ignore=_leave_out)
        for name in ("pyproject.toml", "Makefile", "requirements.lock", "tools.lock", "tests/architecture/linter.py"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
        return folder

    return copy


def _leave_out(_folder: str, names: list[str]) -> set[str]:
    return {"tests", "__pycache__"} & set(names)


@pytest.fixture(scope="session")
def uv(root: Path) -> Path:
    """The installer, which `make setup` puts into the project."""
    program = root / ".tools/bin/uv"
    assert program.exists(), "no installer in .tools: run `make setup`"
    return program

"""Mutants of the decision logic and of strict parsing: each must be noticed by a test, or be listed as equivalent.

`make mutants` copies what `[tool.mutmut]` names and the tests that matter into `mutants/`, in the layout that mutmut
knows (one `src`), and runs it there, so that the mutated copy and nothing else is imported. A survivor fails the run
unless `tests/equivalent-mutants.txt` lists it; so does a line there whose mutant does not survive.
`ARGS='*planning.plan*'` tries some mutants only.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAGE = ROOT / "mutants"
EQUIVALENT = ROOT / "tests" / "equivalent-mutants.txt"
MUTMUT = str(Path(sys.executable).with_name("mutmut"))

COPIES = {
    "shared/src/interpose": "src/interpose",
    "services/gateway/src/interpose_gateway": "src/interpose_gateway",
    "services/gateway/tests/core": "tests/core",
    "shared/tests/contracts": "tests/contracts",
    "shared/tests/conditions": "tests/conditions",
    "shared/tests/bus/test_outstanding.py": "tests/bus/test_outstanding.py",
    "shared/tests/planning": "tests/planning",
    "pyproject.toml": "pyproject.toml",
    "conftest.py": "conftest.py",
    "tests/allowed-skips": "tests/allowed-skips",
    "tests/mutation/stage_conftest.py": "tests/conftest.py",
}
NOTICED = {"killed", "timeout", "segfault", "caught by type check"}
"""How a mutant may end that somebody noticed."""


def main(patterns: list[str]) -> int:
    """Run mutmut and compare. 0 when every mutant is noticed or listed."""
    shutil.rmtree(STAGE, ignore_errors=True)
    for source, target in COPIES.items():
        _copy(ROOT / source, STAGE / target)
    ran = _mutmut("run", "--max-children", str(os.cpu_count() or 1), *patterns, timeout=None)
    if ran.returncode != 0:
        return ran.returncode
    endings = dict(_endings())
    survivors = {name for name, ending in endings.items() if ending not in NOTICED and ending != "not checked"}
    listed = dict(_listed())
    unlisted = sorted(survivors - listed.keys())
    for name in unlisted:
        print(f"\nsurvived, and no line of {EQUIVALENT.name} says why it may: {endings[name]}", flush=True)
        _mutmut("show", name)
    dead = sorted(name for name in listed.keys() - survivors if endings.get(name) != "not checked")
    for name in dead:
        print(f"\nlisted in {EQUIVALENT.name} and does not survive ({endings.get(name, 'no such mutant')}): {name}")
    tried = [ending for ending in endings.values() if ending != "not checked"]
    print(f"\n{len(tried)} mutants: {len(tried) - len(survivors)} noticed, {len(survivors)} survived,", end=" ")
    print(f"{len(survivors & listed.keys())} of them listed as equivalent")
    return 1 if unlisted or dead else 0


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)


def _mutmut(*arguments: str, timeout: int | None = 60) -> subprocess.CompletedProcess[bytes]:
    """In the stage, at low priority, and with nothing on the path that could be imported in the copy's place."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
    command = ["nice", "-n", "10", MUTMUT, *arguments]
    return subprocess.run(command, cwd=STAGE, env=environment | {"CI": "true"}, timeout=timeout, check=False)


def _endings() -> Iterator[tuple[str, str]]:
    command = [MUTMUT, "results", "--all", "true"]
    listing = subprocess.run(command, cwd=STAGE, capture_output=True, text=True, timeout=60, check=True).stdout
    for line in listing.splitlines():
        name, colon, ending = line.strip().partition(": ")
        if colon:
            yield name, ending


def _listed() -> Iterator[tuple[str, str]]:
    """Names and reasons. A line without a reason is an error."""
    for line in EQUIVALENT.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            if not reason.strip():
                raise SystemExit(f"{EQUIVALENT.name}: {name} needs a reason behind its name")
            yield name, reason.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

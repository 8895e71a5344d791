"""Skips are counted and named; in CI one that `tests/allowed-skips` does not list fails the run.

In CI random examples are the same in every run, and what fails is printed as a line that repeats it. No example has a
deadline: how long one takes is the machine's.
"""

import os
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", derandomize=True, print_blob=True, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")
# Tests start some thousand processes of ours: where nothing compiled may be kept, each compiles all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

ALLOWED = Path(__file__).parent / "tests" / "allowed-skips"
_skipped: dict[str, str] = {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Workers take files in this order, so that some of them compute while others wait.

    Those that start containers come first, then files that start servers and files that do not, in turns: none is left
    with a long one when all others are done.
    """
    if hasattr(config, "workerinput"):
        marks: dict[Path, set[str]] = defaultdict(set)
        for item in items:
            marks[item.path].update(mark.name for mark in item.iter_markers())
        waits = {path: not marks[path].isdisjoint({"docker", "server"}) for path in marks}
        turns = [[path for path in marks if waits[path] is kind] for kind in (True, False)]
        places = {path: (number + 1) / len(some) for some in turns for number, path in enumerate(some)}
        items.sort(key=lambda item: ("docker" not in marks[item.path], places[item.path]))


def allowed_skips() -> set[str]:
    """Test ids, one a line; a line may end in `# why`."""
    lines = (line.split("#", 1)[0].strip() for line in ALLOWED.read_text().splitlines())
    return {line for line in lines if line}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note each skip with its reason; an expected failure is none."""
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped[report.nodeid] = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was skipped."""
    if _skipped:
        terminalreporter.section(f"{len(_skipped)} skipped")
        for test, reason in sorted(_skipped.items()):
            terminalreporter.line(f"{test}: {reason}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skip that nobody allowed is a failure."""
    surprising = sorted(_skipped.keys() - allowed_skips())
    if os.environ.get("CI") and surprising:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        for test in surprising:
            print(f"\nskipped in CI and not listed in {ALLOWED.name}: {test}")

"""The order of the checks: what stands on disk first, then the broker, then what runs."""

from collections.abc import AsyncIterator
from pathlib import Path

from interpose.doctor import broker, folder, rules, running
from interpose.doctor.finding import Finding, bad
from interpose.embedded.home import Home
from interpose.embedded.needs import Needs, read_needs
from interpose.embedded.state import RunState
from interpose.errors import ConfigurationError, InterposeError


async def examine(home: Home, config: Path | None) -> AsyncIterator[Finding]:
    """Every finding, as it is made. What cannot be looked at is a finding too."""
    for finding in folder.check_folder(home):
        yield finding
    state = _state(home)
    if isinstance(state, Finding):
        yield state
        state = None
    needs = _needs(config, state)
    for finding in rules.check_rules(needs):
        yield finding
    for finding in [*broker.check_program(home), *running.check_processes(state), running.check_spans()]:
        yield finding
    if state is None or not state.supervisor.lives:
        return
    async for finding in broker.check_bus(home, needs):
        yield finding
    try:
        for finding in await running.check_running(home):
            yield finding
    except InterposeError as error:
        yield bad("running", str(error), "start with `interpose up`")


def _state(home: Home) -> RunState | Finding | None:
    try:
        return RunState.read(home)
    except ConfigurationError as error:
        return bad("state file", str(error), f"remove {home.state}")


def _needs(config: Path | None, state: RunState | None) -> Needs:
    """The file that was named, else the one that runs, else the one that `interpose up` would take."""
    ran = Path(state.config) if state is not None and state.config is not None else None
    try:
        return read_needs(config or ran)
    except ConfigurationError as error:
        return Needs(trouble=str(error))

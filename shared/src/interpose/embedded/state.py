"""What runs now, as `interpose up` wrote it: for `status`, `down`, `call`, and for cleaning up after a kill -9."""

import os
from typing import Self

from pydantic import Field, ValidationError

from interpose.contracts.model import Closed
from interpose.embedded.files import replace_private
from interpose.embedded.home import Home
from interpose.embedded.processes import is_same, mark
from interpose.errors import ConfigurationError, NotRunning


class ProcessState(Closed):
    """One process. `began` tells it from a later process with the same number."""

    name: str
    pid: int
    began: str | None

    @property
    def lives(self) -> bool:
        """Whether this very process still runs."""
        return is_same(self.pid, self.began)


class RunState(Closed):
    """The running Interpose. `ready` is False until every process was ready once; `warnings` are for people.

    `trouble` says why the configuration file is not in force, and what is.
    """

    supervisor: ProcessState
    url: str
    nats_url: str
    config: str | None
    started: str
    ready: bool = False
    trouble: str | None = None
    warnings: list[str] = Field(default_factory=list)
    children: list[ProcessState] = Field(default_factory=list)

    @property
    def said(self) -> list[str]:
        """All that a person should know of it: the trouble, then the warnings."""
        return [*([] if self.trouble is None else [self.trouble]), *self.warnings]

    @classmethod
    def read(cls, home: Home) -> Self | None:
        """What the file says, whether or not it still runs; None without one. Raises ConfigurationError."""
        try:
            return cls.model_validate_json(home.state.read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError as error:
            raise ConfigurationError(f"{home.state} is damaged; remove it: {error.error_count()} faults") from error

    @classmethod
    def running(cls, home: Home) -> Self:
        """What runs. Raises NotRunning with the remedy."""
        state = cls.read(home)
        if state is None or not state.supervisor.lives:
            raise NotRunning(
                f"nothing runs in {home.root}: start it with `interpose up`, or name its folder with --home"
            )
        return state

    def write(self, home: Home) -> None:
        """Replace the file as a whole."""
        replace_private(home.state, self.model_dump_json(indent=1).encode())


def this_process(name: str) -> ProcessState:
    """The calling process."""
    return ProcessState(name=name, pid=os.getpid(), began=mark(os.getpid()))

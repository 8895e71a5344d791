"""What `interpose up` shows: lines for people, or one JSON object for each thing that happens."""

from typing import TYPE_CHECKING

from interpose.cli.explain_hook import explain
from interpose.cli.lines import event_line, stored_line
from interpose.cli.output import console, write_json
from interpose.cli.plain import plain

if TYPE_CHECKING:
    from interpose.embedded.events import Event
    from interpose.embedded.home import Home
    from interpose.embedded.state import RunState
    from interpose.records.stored import Stored


class TerminalScreen:
    """For people."""

    def __init__(self, home: "Home", *, verbose: bool = False) -> None:
        self._home = home
        self._verbose = verbose
        self._console = console()

    def report(self, event: "Event") -> None:
        """One line for one event."""
        self._console.print(event_line(event))

    def started(self, state: "RunState") -> None:
        """Where everything is, and what is wrong with it."""
        self._console.print()
        for line in summary(self._home, state):
            self._console.print(line, markup=False)
        for warning in state.said:
            self._console.print(f"warning: {plain(warning, lines=True)}", style="bold yellow", markup=False)
        self._console.print()

    def record(self, stored: "Stored") -> None:
        """One line for one decision; with `verbose` each hook of it explained below."""
        self._console.print(stored_line(stored))
        hooks = stored.record.hooks if self._verbose and stored.record is not None else []
        for sentence in (line for hook in hooks for line in explain(hook.model_dump(mode="json"))):
            self._console.print(f"          {plain(sentence)}", style="dim", markup=False)


class JsonScreen:
    """For programs: `{"event": …}`, `{"started": …}`, `{"record": …}`, one a line."""

    def report(self, event: "Event") -> None:
        """An event."""
        write_json({"event": {"kind": event.kind, "name": event.name, "message": event.message}})

    def started(self, state: "RunState") -> None:
        """The state file."""
        write_json({"started": state.model_dump(mode="json")})

    def record(self, stored: "Stored") -> None:
        """The record as it stands in the stream."""
        write_json({"record": stored.body})


def summary(home: "Home", state: "RunState") -> list[str]:
    """What a person needs next."""
    return [
        f"Interpose is up (process {state.supervisor.pid})",
        f"  gateway   {state.url}",
        f"  token     {home.token('local')}",
        f"  broker    {state.nats_url}",
        f"  rules     {state.config or 'none'}",
        f"  logs      {home.logs}",
        "  try       interpose call TOOL --param name=value, interpose status",
    ]

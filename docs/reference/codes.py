"""The error catalogue as a page: one section for each code, from the data that `interpose explain-error` reads."""

from interpose.contracts.codes import Code, Where, catalogue, find
from interpose.contracts.protocol_error import STATUS_OF, Error
from reference.table import code, table

PLACES = {
    Where.ANSWER: "answers and records",
    Where.FAILURE: "answers and records; a hook's `failure`",
    Where.HOOK: "answers and records; said by a hook that ships",
    Where.ALARM: "alarms",
}


def codes() -> str:
    """Every code with its statuses, where it is met, cause and remedy."""
    return "\n\n".join(_section(entry) for entry in catalogue())


def agent_errors() -> str:
    """Every error of the requests of agents that run their own tools, in the words of the catalogue."""
    rows = sorted((STATUS_OF[error], error.value, _means(error)) for error in Error)
    return table(["status", "`error`", "meaning"], [[str(status), code(error), means] for status, error, means in rows])


def _means(error: Error) -> str:
    entry = find(error.value)
    if entry is None:
        raise ValueError(f"{error} has no entry in the catalogue")
    return entry.means


def _section(entry: Code) -> str:
    statuses = f", status {' or '.join(str(status) for status in entry.statuses)}" if entry.statuses else ""
    met = "; ".join(PLACES[where] for where in entry.where)
    return (
        f"### `{entry.code}`\n\n{entry.means} (In {met}{statuses}.)\n\n- Cause: {entry.cause}\n- Remedy: {entry.remedy}"
    )

"""The error catalogue as a page: one section for each code, from the data that `interpose explain-error` reads."""

from interpose.contracts.codes import Code, Where, catalogue

PLACES = {
    Where.ANSWER: "answers and records",
    Where.FAILURE: "answers and records; a hook's `failure`",
    Where.HOOK: "answers and records; said by a hook that ships",
    Where.ALARM: "alarms",
}


def codes() -> str:
    """Every code with its statuses, where it is met, cause and remedy."""
    return "\n\n".join(_section(entry) for entry in catalogue())


def _section(entry: Code) -> str:
    statuses = f", status {' or '.join(str(status) for status in entry.statuses)}" if entry.statuses else ""
    met = "; ".join(PLACES[where] for where in entry.where)
    return (
        f"### `{entry.code}`\n\n{entry.means} (In {met}{statuses}.)\n\n- Cause: {entry.cause}\n- Remedy: {entry.remedy}"
    )

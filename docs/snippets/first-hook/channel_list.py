"""Messages go to listed channels only. The list stands in the hook's `with`."""

from interpose import Ask, Hook, Verdict, allow, reject

hook = Hook("channel-list")


@hook.before("message.send")
def check(ask: Ask) -> Verdict:
    """Refuse every channel that is not on the list."""
    channel = ask.parameters.get("channel")
    # A tuple, because `in` on a list that somebody wrote as plain text would accept a part of it.
    if channel in tuple(ask.settings["channels"]):
        return allow()
    error = {"path": "$.channel", "message": "is not on the list of channels"}
    return reject(f"no message goes to {channel}", code="channel-not-listed", annotations={"errors": [error]})

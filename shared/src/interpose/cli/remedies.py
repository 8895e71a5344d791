"""What to do about a hook that failed, in words."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpose.embedded.home import Home

_WORDS = {
    "no_responders": (
        "no worker of {service} answers for {hook}: `interpose status` shows who is present. `interpose up` starts "
        "a crashed worker again within seconds; a hook of your own is served with `interpose run FILE.py`"
    ),
    "deadline_exceeded": (
        "{hook} did not answer within its timeout: `interpose logs {service}` shows what keeps it; "
        "start more workers or raise its timeout"
    ),
    "hook_error": "{hook} broke: `interpose logs {service}` shows its error",
    "malformed_verdict": "{hook} answered with something that is no verdict: `interpose logs {service}`",
    "connection_lost": "the broker was lost while {hook} was asked: `interpose status`, then call again",
    "not_permitted": "the broker's users do not let the gateway ask {hook}: `interpose down`, then `interpose up`",
}


def remedies(answer: "Mapping[str, Any]", home: "Home") -> list[str]:
    """One sentence for each hook of the answer that failed."""
    failed = {hook["name"]: hook["failure"] for hook in answer.get("hooks", []) if hook.get("failure") in _WORDS}
    if not failed:
        return []
    served = _services(home)
    return [
        _WORDS[failure].format(hook=hook, service=served.get(hook, "its service")) for hook, failure in failed.items()
    ]


def _services(home: "Home") -> dict[str, str]:
    """Which service answers for each hook, as the registry says; empty where it cannot be read from here."""
    import asyncio

    from interpose.errors import InterposeError

    try:
        return asyncio.run(_registered(home))
    except InterposeError:
        return {}  # a gateway elsewhere: its registry is not ours to read


async def _registered(home: "Home") -> dict[str, str]:
    from interpose.embedded import operator
    from interpose.registry.store import Store

    client = await operator.reach(home)
    try:
        document = (await Store(client).read()).document()
    finally:
        await client.close()
    return {entry.hook.name: entry.hook.served_by for entry in document.entries}

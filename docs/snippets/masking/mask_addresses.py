"""E-mail addresses in fetched pages are masked before the agent reads them."""

import re
from typing import Any

from interpose import Ask, Hook, Verdict, allow, transform

hook = Hook("mask-addresses")

# Every repetition is bounded: pages are foreign text, and must not choose how long the match takes.
ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")


@hook.after("web_fetch")
def mask(ask: Ask) -> Verdict:
    """Deliver the response with every address replaced."""
    response = masked(ask.response)
    return allow() if response == ask.response else transform(response)


def masked(value: Any) -> Any:
    """The value with the addresses in its texts replaced, at any depth."""
    if isinstance(value, dict):
        return {name: masked(item) for name, item in value.items()}
    if isinstance(value, list):
        return [masked(item) for item in value]
    return ADDRESS.sub("[address]", value) if isinstance(value, str) else value

"""Two hooks that write down what they said, and of which bytes, before they say it.

`stamp` transforms: the parameters get the call's id. `gate` judges: no where `say` names the phase, else yes.
"""

import asyncio
import os

from clock import be_ready_to_jump
from diary import note

from interpose import Ask, Hook, Verdict, allow, reject, transform
from interpose.contracts.digest import digest
from interpose.contracts.words import Phase

hook = Hook(os.environ.get("INTERPOSE_TEST_SERVICE", "gatekeeper"))


@hook.before("*")
@hook.after("*")
async def judge(ask: Ask) -> Verdict:
    """Work, note, say."""
    await asyncio.sleep(ask.parameters.get("work_ms", 0) / 1000)
    value = ask.parameters if ask.phase is Phase.BEFORE else ask.response or {}
    said = verdict(ask)
    note(
        "said",
        call_id=ask.call_id,
        phase=ask.phase,
        hook=ask.hook,
        verdict=said.verdict,
        digest=digest(value if said.output is None else said.output),
    )
    return said


def verdict(ask: Ask) -> Verdict:
    """What the call's own parameters want."""
    if ask.hook == "stamp":
        return transform({**ask.parameters, "stamp": ask.call_id})
    if ask.parameters.get("say") == ask.phase:
        return reject("the gate says no", code="closed")
    return allow()


if __name__ == "__main__":
    be_ready_to_jump()
    hook.run()

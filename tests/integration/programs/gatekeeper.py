"""A hook that says what it is asked and then does what the call's parameters want of it.

`hold`: `before` or `after` waits in that phase until the test lets it go. `say`: `reject`, `ask`, `raise` or `grow`
instead of `allow`; `grow` transforms into more than a message may hold, `chatter` annotates with almost as much as
a verdict may hold. `before` and `after` are whole verdicts for that phase.
"""

import json
import os

from report import report

from interpose import Ask, Hook, Verdict, allow, reject, require_approval, transform

MUCH = 2 * 1024 * 1024
TOO_MUCH = 9 * 1024 * 1024

hook = Hook(os.environ["INTERPOSE_TEST_SERVICE"])


@hook.before("*")
@hook.after("*")
async def judge(ask: Ask) -> Verdict:
    """Report, wait if told to, answer."""
    await report(f"asked {ask.phase}", ask.call_id, ask.parameters, holds=ask.parameters.get("hold") == ask.phase)
    if (told := ask.parameters.get(ask.phase)) is not None:
        return Verdict.model_validate_json(json.dumps(told))
    match ask.parameters.get("say"):
        case "reject":
            return reject("the gatekeeper says no", code="closed")
        case "ask":
            return require_approval("may it?")
        case "raise":
            raise RuntimeError("the gatekeeper broke")
        case "chatter":
            return allow(annotations={"said": "x" * MUCH})
        case "grow":
            return transform({"text": "x" * TOO_MUCH})
        case _:
            return allow()


if __name__ == "__main__":
    hook.run()

"""A hook that does with an agent's own calls whatever their parameters want: rewrite, refuse, ask, withhold."""

import os

from interpose import Ask, Hook, Verdict, allow, reject, require_approval, transform

hook = Hook(os.environ["INTERPOSE_TEST_SERVICE"])


@hook.before("*")
def before(ask: Ask) -> Verdict:
    """Judge the call, or the install."""
    match ask.parameters.get("before"):
        case "refuse":
            return reject("the rogue says no", code="rogue-no")
        case "ask":
            return require_approval("may it?")
        case "rewrite":
            return transform({**ask.parameters, "rewritten": True})
        case _:
            return reject("this package is not known") if ask.parameters.get("name") == "left-pad" else allow()


@hook.after("*")
def after(ask: Ask) -> Verdict:
    """Judge the response."""
    match ask.parameters.get("after"):
        case "withhold":
            return reject("the response holds a secret", code="a-secret")
        case "rewrite":
            return transform({"text": "[gone]"})
        case _:
            return allow()


if __name__ == "__main__":
    hook.run()

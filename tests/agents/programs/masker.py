"""Masks what a tool gave back: a key in it is replaced, in whatever form the response has."""

import json
import os

from interpose import Ask, Hook, Verdict, allow, transform

hook = Hook(os.environ.get("INTERPOSE_TEST_SERVICE", "masker"))


@hook.after("Bash")
async def mask(ask: Ask) -> Verdict:
    """`abc123` becomes `***`; a response that says `flat` becomes one of another form."""
    text = json.dumps(ask.response)
    if "flat" in text:
        return transform({"said": "nothing else"})
    return transform(json.loads(text.replace("abc123", "***"))) if "abc123" in text else allow()


if __name__ == "__main__":
    hook.run()

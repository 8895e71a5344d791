"""The hook that the demo adds by starting this file: nothing is sent to everybody."""

from interpose import Ask, Hook, allow, reject

hook = Hook("not-to-everybody")


@hook.before("message.send")
async def check(ask: Ask):
    if "@channel" in str(ask.parameters):
        return reject("a message to everybody needs a person to send it", code="to-everybody")
    return allow()

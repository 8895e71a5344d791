"""The audit logger as a hook: it allows, and says how far the store is.

The call that it is asked about is stored from its record, which the gateway makes durable before the call runs or is
refused: the store does not depend on this hook being asked. With `{"require": "stored"}` a call is refused while
records cannot be stored.
"""

from interpose import Ask, Hook, Verdict, __version__, allow, reject
from interpose.bus import subjects
from interpose_audit_logger.progress import Progress
from interpose_audit_logger.settings import Require, read

CODE = "audit-unavailable"


def make_hook(progress: Progress) -> Hook:
    """The hook of one process."""
    hook = Hook(subjects.AUDIT_LOGGER, version=__version__)

    @hook.before("*")
    @hook.after("*")
    async def tell(ask: Ask) -> Verdict:
        told = {"audit": progress.annotation}
        if read(ask.settings) is Require.STORED and progress.trouble is not None:
            return reject(f"no call without its audit: {progress.trouble}", code=CODE, annotations=told)
        return allow(annotations=told)

    return hook

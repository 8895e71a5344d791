"""What a process made while it started stays until it ends: the garbage collector need not look at it again and again.

It looks at everything every now and then, and calls wait for it meanwhile: most of it is modules, models and schemas.
"""

import gc


def keep_for_good() -> None:
    """Call once, when the process is ready: what is garbage by now goes, and what is there is never looked at again."""
    gc.collect()
    gc.freeze()

"""What a process holds when it is ready is set aside from the garbage collector."""

import gc
import weakref

from interpose.bus.memory import keep_for_good


class Circle:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_goes_and_the_rest_is_kept() -> None:
    """What nobody holds any more is not kept for good with the rest."""
    garbage = weakref.ref(Circle())
    try:
        keep_for_good()
        kept = gc.get_freeze_count()
    finally:
        gc.unfreeze()

    assert garbage() is None
    assert kept > len(gc.get_objects(generation=0))

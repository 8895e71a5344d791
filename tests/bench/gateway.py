"""A gateway's process, with records as the product makes them or, in the benchmark only, without: `gateway.py off`."""

import sys

from interpose.contracts.record import Record
from interpose_gateway import __main__ as gateway
from interpose_gateway import composition

OFF = "off"


class NoRecords:
    """Keeps nothing, to see what records cost. It exists here only: the product always records."""

    owed = 0

    def __init__(self, _asker: object) -> None: ...

    async def write(self, _record: Record, _timeout_s: float) -> int:
        """Nothing."""
        return 0

    def owe(self, *records: Record) -> None:
        """Nothing."""

    async def drain(self, _timeout_s: float) -> int:
        """Nothing is owed."""
        return 0


def arrange(records: str) -> None:
    """Put the recorder that keeps nothing in the place of the stream's, where records are off."""
    if records == OFF:
        composition.StreamRecorder = NoRecords  # type: ignore[assignment, misc]


if __name__ == "__main__":
    arrange(sys.argv[1])
    sys.exit(gateway.main())

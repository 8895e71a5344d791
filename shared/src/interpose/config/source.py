"""What was read from a file: a value, and where in the file each part of it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interpose.contracts.paths import Path, json_path
from interpose.errors import Fault

Place = tuple[int, int]
"""Line and column, both from 1."""


@dataclass(frozen=True, slots=True)
class Source:
    """`value` is None and `is_whole` false when the text could not be read to its end; `faults` then say why.

    A whole source may carry faults too, those that leave the rest readable: it can be checked further, never used.
    """

    value: Any
    places: Mapping[Path, Place]
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    is_whole: bool = True

    def fault(self, steps: Path, message: str) -> Fault:
        """A fault at this path, with its place."""
        return Fault(json_path(steps), message, *self.place(steps))

    def place(self, steps: Path) -> Place:
        """Where this path, or the nearest thing around it, stands; the whole text always has a place."""
        around = (steps[:length] for length in range(len(steps), -1, -1))
        return next(self.places[path] for path in around if path in self.places)

    def note(self, steps: Path, message: str) -> str:
        """A warning with the same place as a fault would have."""
        return str(self.fault(steps, message))

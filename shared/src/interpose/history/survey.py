"""Going through logs for their calls alone; nothing is stored."""

from collections.abc import Iterable

from interpose.errors import Fault, InvalidInput
from interpose.history.entries import Call, Damage, Position
from interpose.history.formats import Format
from interpose.history.importing import Witness
from interpose.history.reading import parts
from interpose.history.shapes import Shapes
from interpose.history.sources import Log

TELL_EACH = 500


def survey(logs: Iterable[Log], form: Format, shapes: Shapes, witness: Witness) -> int:
    """Add every call to the shapes; how many pieces were damaged. Raises InvalidInput."""
    damaged = 0
    for log in logs:
        try:
            damaged += _one(log, form, shapes, witness)
        except OSError as error:
            raise InvalidInput(
                "this history cannot be read", [Fault(log.name, error.strerror or str(error))]
            ) from error
    return damaged


def _one(log: Log, form: Format, shapes: Shapes, witness: Witness) -> int:
    damaged, state = 0, form.begin(log.path) | log.tells
    for count, entry in enumerate(log.entries(Position()), start=1):
        for part in parts(form, entry, state):
            if isinstance(part, Damage):
                damaged += 1
                witness.damaged(log, entry.number, part.message)
            elif isinstance(part, Call):
                shapes.add(part)
        if count % TELL_EACH == 0:
            witness.advanced(log, entry.after.offset)
    return damaged

"""Reading what agents send: parsed once and strictly, each part with its own limit. Raises `TurnedAway`."""

from collections.abc import Sequence
from typing import TypeVar

from interpose.contracts.evaluation import (
    ARGUMENTS_BYTES,
    BODY_BYTES,
    METADATA_BYTES,
    Evaluate,
    InstallScan,
    Report,
    Resolution,
    Resolve,
    ResolveById,
)
from interpose.contracts.model import Closed
from interpose.contracts.protocol_error import Error
from interpose.contracts.strict import check_fields, read_model
from interpose.errors import Fault, InvalidInput
from interpose_gateway.core.evaluated.told import TurnedAway

Body = TypeVar("Body", bound=Closed)


def read_evaluate(body: bytes) -> Evaluate:
    """The question, with its arguments and metadata in their bounds."""
    asked = read(Evaluate, body, "the evaluation")
    _check({"arguments": asked.arguments, "metadata": asked.metadata})
    return asked


def read_install(body: bytes) -> InstallScan:
    """The install, with its metadata in its bounds."""
    asked = read(InstallScan, body, "the install")
    _check({"metadata": asked.metadata})
    return asked


def read_report(body: bytes) -> Report:
    """The report; what of its evidence is too much is dropped later, entry by entry."""
    return read(Report, body, "the report")


def read_resolve(body: bytes, identifier: str | None) -> tuple[str, Resolve]:
    """The person's answer, and which question it is for: of the path, or of the body where there is no path."""
    if identifier is None:
        told = read(ResolveById, body, "the answer")
        return told.id, _answered(told)
    return identifier, _answered(read(Resolve, body, "the answer"))


def _answered(asked: Resolve) -> Resolve:
    if asked.resolved_by is None and asked.resolution in (Resolution.APPROVED, Resolution.DENIED):
        fault = Fault("$.resolved_by", f"is required: who said {asked.resolution}")
        raise TurnedAway(Error.INVALID, "the answer is not acceptable", [fault])
    return asked


def read(model: type[Body], body: bytes, what: str) -> Body:
    """Any body of the protocol."""
    try:
        return read_model(model, body, limit=BODY_BYTES, what=what)
    except InvalidInput as error:
        raise refusal(error) from error


def refusal(error: InvalidInput) -> TurnedAway:
    """The same in the protocol's words."""
    said = Error.TOO_LARGE if error.too_large else Error.INVALID
    return TurnedAway(said, error.message, error.faults)


def _check(fields: dict[str, object]) -> None:
    limits = {"arguments": ARGUMENTS_BYTES, "metadata": METADATA_BYTES}
    faults: Sequence[Fault] = check_fields(fields, limits, METADATA_BYTES)
    if faults:
        raise TurnedAway(Error.TOO_LARGE, "the evaluation is too large", faults)

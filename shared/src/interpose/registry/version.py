"""What stands under `current` of the bucket `HOOKS`, from the broker's own answer; pure, for everybody who reads it.

Read from the leader with `$JS.API.STREAM.MSG.GET`: a direct read may come from a replica that lags behind.
"""

from dataclasses import dataclass

from interpose.bus import messages, subjects
from interpose.config.load import check
from interpose.contracts.config import Configuration
from interpose.contracts.limits import KIB
from interpose.contracts.registry import REGISTRY_BYTES, Document
from interpose.contracts.strict import read_model
from interpose.errors import BusUnavailable, InvalidInput, NoRegistry

WHAT = "the registry"
REQUEST = messages.last_of(subjects.REGISTRY_KEY)
"""The request for the last message under the key, whatever it says."""
ANSWER_BYTES = REGISTRY_BYTES * 4 // 3 + 64 * KIB

_MARKERS = ("KV-Operation", "Nats-Marker-Reason")
"""Headers of a message that says that a key is gone (NATS ADR-8, ADR-43)."""
_REMEDY = "put one in force with `interpose hooks apply FILE`, or start `interpose up` with a configuration"


@dataclass(frozen=True, slots=True)
class Version:
    """One revision of the key as bytes. `data` is None where nothing stands, and `absence` says why.

    `revision` 0: nothing was ever written.
    """

    revision: int
    data: bytes | None
    absence: str = ""

    def document(self) -> Document:
        """The document. Raises NoRegistry where there is none, InvalidInput where these bytes are none."""
        if self.data is None:
            raise NoRegistry(f"{self.absence}: {_REMEDY}")
        return read_document(self.data)[0]


def read_document(data: bytes) -> tuple[Document, Configuration]:
    """A document that holds as a whole, and its configuration in force.

    Raises InvalidInput with every fault: also for what the form allows and this version does not do.
    """
    document = read_model(Document, data, limit=REGISTRY_BYTES, what=WHAT)
    configuration = document.configuration()
    faults = check(configuration.model_dump(mode="json", by_alias=True, exclude_unset=True))
    if faults:
        raise InvalidInput(f"{WHAT} is not acceptable", faults)
    return document, configuration


def read_answer(body: bytes) -> Version:
    """The version in an answer to REQUEST, or to the same with a number. Raises BusUnavailable where it tells none."""
    try:
        found = messages.read_message(body)
    except ValueError as error:
        raise BusUnavailable(f"the broker's answer about {WHAT} cannot be read: {error}") from error
    if isinstance(found, messages.NoMessage):
        return _absent(found)
    if found.subject != subjects.REGISTRY_KEY:
        # Whoever may name a reply subject may have any message sent here: only this key is the registry.
        raise BusUnavailable(f"the broker's answer about {WHAT} is about {found.subject}")
    if any(found.header(marker) is not None for marker in _MARKERS):
        return Version(found.sequence, None, f"{WHAT} was deleted from the bucket {subjects.REGISTRY_BUCKET}")
    return Version(found.sequence, found.data)


def _absent(told: messages.NoMessage) -> Version:
    if told.code == messages.NO_MESSAGE:
        return Version(0, None, f"nothing was ever put in force: the bucket {subjects.REGISTRY_BUCKET} is empty")
    if told.code == messages.NO_STREAM:
        return Version(0, None, f"there is no bucket {subjects.REGISTRY_BUCKET} on the broker")
    raise BusUnavailable(f"the broker does not tell {WHAT}: {told.said}")

"""What stands under `current` of the bucket `HOOKS`, from the broker's own answer; pure, for everybody who reads it.

Read from the leader with `$JS.API.STREAM.MSG.GET`: a direct read may come from a replica that lags behind.
"""

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any

from interpose.bus import subjects
from interpose.config.load import check
from interpose.contracts.config import Configuration
from interpose.contracts.limits import KIB
from interpose.contracts.registry import REGISTRY_BYTES, Document
from interpose.contracts.strict import read_model
from interpose.errors import BusUnavailable, InvalidInput, NoRegistry

WHAT = "the registry"
REQUEST = json.dumps({"last_by_subj": subjects.REGISTRY_KEY}).encode()
"""The request for the last message under the key, whatever it says."""
ANSWER_BYTES = REGISTRY_BYTES * 4 // 3 + 64 * KIB

_NO_MESSAGE = 10037
_NO_STREAM = 10059
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
        answer = json.loads(body)
        if "error" in answer:
            return _absent(answer["error"])
        message = answer["message"]
        revision, data = int(message["seq"]), base64.b64decode(message.get("data") or "", validate=True)
        headers = base64.b64decode(message.get("hdrs") or "").decode(errors="replace")
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise BusUnavailable(f"the broker's answer about {WHAT} cannot be read: {error!r}") from error
    if any(f"\n{marker}:" in headers for marker in _MARKERS):
        return Version(revision, None, f"{WHAT} was deleted from the bucket {subjects.REGISTRY_BUCKET}")
    return Version(revision, data)


def _absent(error: dict[str, Any]) -> Version:
    if error.get("err_code") == _NO_MESSAGE:
        return Version(0, None, f"nothing was ever put in force: the bucket {subjects.REGISTRY_BUCKET} is empty")
    if error.get("err_code") == _NO_STREAM:
        return Version(0, None, f"there is no bucket {subjects.REGISTRY_BUCKET} on the broker")
    raise BusUnavailable(f"the broker does not tell {WHAT}: {error.get('description', error)}")

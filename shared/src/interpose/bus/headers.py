"""Every header, in one file. Errors follow the NATS micro services protocol (ADR-32): a text and a code."""

from typing import Final

VERSION: Final = "Interpose-Version"
TIMEOUT_MS: Final = "Interpose-Timeout-Ms"
WORKER: Final = "Interpose-Worker"
STATUS: Final = "Interpose-Status"
ERROR: Final = "Nats-Service-Error"
ERROR_CODE: Final = "Nats-Service-Error-Code"
MESSAGE_ID: Final = "Nats-Msg-Id"
EXPECTED_STREAM: Final = "Nats-Expected-Stream"
EXPECTED_LAST: Final = "Nats-Expected-Last-Subject-Sequence"
LIFE: Final = "Nats-TTL"
"""How long a message lives, in whole seconds: the broker cuts off what is less (NATS ADR-43)."""
ATTEMPT: Final = "Interpose-Attempt"
"""Who wrote a key, by chance: a writer that nobody answered finds its own value again."""

WIRE_VERSION: Final = "1"

NO_HANDLER: Final = "404"
TIMED_OUT: Final = "408"
SEEN_BEFORE: Final = "409"
TOO_LARGE: Final = "413"
BAD_OUTPUT: Final = "422"
"""The hook ran and its output is no verdict (a script that printed something else)."""
MALFORMED: Final = "400"
BROKE: Final = "500"
BUSY: Final = "503"

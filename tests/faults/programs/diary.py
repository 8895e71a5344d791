"""What the programs of these tests did, written down before they answer: one line each, in a file of the process's own.

A line is one write to a file that is opened for appending, so kill -9 loses nothing that was written.
"""

import json
import os
from functools import cache
from pathlib import Path


def note(event: str, **told: object) -> None:
    """Write one line; on return it outlives this process."""
    os.write(_file(), json.dumps({"event": event, **told}).encode() + b"\n")


@cache
def _file() -> int:
    path = Path(os.environ["INTERPOSE_TEST_DIARY"]) / f"{os.environ['INTERPOSE_INSTANCE']}-{os.getpid()}.jsonl"
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

"""Identifiers: each is somebody's alone, and nobody can tell one from those before it."""

import re
import subprocess
import sys

from interpose.contracts.ids import call_id, secret

FORK = """
import os
from interpose.contracts.ids import secret
secret()
reads, writes = os.pipe()
if os.fork() == 0:
    os.write(writes, "".join(secret() for _ in range(64)).encode())
    os._exit(0)
os.wait()
print("".join(secret() for _ in range(64)), os.read(reads, 1 << 16).decode())
"""


def test_no_secret_is_given_twice() -> None:
    """However many were drawn at once."""
    drawn = [secret() for _ in range(1000)]

    assert len(drawn) == len(set(drawn))
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in drawn)


def test_a_forked_process_has_secrets_of_its_own() -> None:
    """What was drawn and not given before the fork is the parent's."""
    ran = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, check=True)

    parents, childs = ({given[at : at + 32] for at in range(0, len(given), 32)} for given in ran.stdout.split())
    assert (64, 64) == (len(parents), len(childs))
    assert not parents & childs


def test_call_ids_sort_by_time_and_differ() -> None:
    """UUIDv7: the version, the variant, and chance behind the time."""
    early, late = call_id(now_ms=1_000), call_id(now_ms=2_000)

    assert early < late
    assert call_id(now_ms=1_000) != early
    assert re.fullmatch("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", early)

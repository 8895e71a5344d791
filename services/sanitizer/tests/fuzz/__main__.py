"""`make sanitizer-fuzz`: look for inputs that break the sanitizer, from those that are kept, and keep what is new.

The search runs in a process of its own: libFuzzer ends the process when it is done, or at the first input that breaks
something. That input is printed and written to `broke.txt`, so that the tests replay it until it is mended.
"""

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from corpora import corpus
from corpora.corpus import Half
from disclosures.samples import made

from interpose_sanitizer.disclosures.detectors import shipped

from . import kept

LONGEST = 2_000
"""Bytes of an input; and of a text of the corpora that the search begins with."""
SLOWEST_S = 60
"""An input that takes longer is reported as one that hangs."""
ROUND_S = 120
"""Of one process: the instruments in it keep memory for each input."""
BEGUN_A_MINUTE = 40
"""Texts that the search begins with: each is read some times before the first new one, and before any is kept."""
INTERRUPTED = 130
MOST_KEPT, MOST_KEPT_BYTES = 400, 80_000
LONGEST_KEPT = 600


def main(words: Sequence[str] | None = None) -> int:
    """Search for so many minutes, then keep the smallest inputs that reach all that was reached."""
    arguments = argparse.ArgumentParser(prog="make sanitizer-fuzz", description=__doc__)
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--seeds", type=Path, help="a folder of further inputs, one a file; what is new is added")
    given = arguments.parse_args(words)
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory(prefix="interpose-fuzz-") as scratch:
            return _search(Path(scratch), given.minutes, given.seeds)
    except KeyboardInterrupt:
        print("interrupted: nothing was kept, and nothing is left running", file=sys.stderr)
        return INTERRUPTED


def _search(scratch: Path, minutes: float, seeds: Path | None) -> int:
    until = time.monotonic() + minutes * 60
    work, begun, least, found = (scratch / name for name in ("work", "begun", "least", "found"))
    for folder in (work, begun, least, found):
        folder.mkdir()
    sampled = sorted(_of_corpora(), key=lambda one: hashlib.sha256(one).digest())[: round(minutes * BEGUN_A_MINUTE)]
    for number, one in enumerate((*kept.read(kept.KEPT), *kept.read(kept.BROKE), *sampled)):
        (work / str(number)).write_bytes(one)
    launcher = _launcher(scratch)
    # Every round reads all that it begins with: all texts of the corpora would take longer than a round.
    ended = _run(launcher, ["-merge=1", str(begun), str(work)])
    folders = [str(seeds), str(begun)] if seeds else [str(begun)]
    while (left := round(until - time.monotonic())) > 0 and not ended:
        ended = _run(launcher, [f"-max_total_time={min(left, ROUND_S)}", f"-artifact_prefix={found}/", *folders])
    # What was slow on a busy machine is told by libFuzzer and breaks nothing; what hangs is a timeout.
    broken = [one.read_bytes() for one in sorted(found.iterdir()) if not one.name.startswith("slow-unit")]
    if broken:
        kept.write(kept.BROKE, [*kept.read(kept.BROKE), *broken])
        print(f"kept in {kept.BROKE}: {broken}")
        return 1
    if ended:
        return ended
    ended = _run(launcher, ["-merge=1", str(least), *folders])
    kept.write(kept.KEPT, _smallest(one.read_bytes() for one in least.iterdir()))
    return ended


def _smallest(inputs: Iterable[bytes]) -> list[bytes]:
    chosen: list[bytes] = []
    for one in sorted(inputs, key=len)[:MOST_KEPT]:
        if len(one) <= LONGEST_KEPT and sum(map(len, chosen)) + len(one) <= MOST_KEPT_BYTES:
            chosen.append(one)
    return chosen


def _of_corpora() -> list[bytes]:
    """Open attacks and honest texts, and what detectors find and spare, each with settings of its own."""
    texts = [one.text for one in (*corpus.written(Half.OPEN), *corpus.honest(Half.OPEN))]
    data = [one.encode() for one in texts]
    examples = [made(text).encode() for one in shipped() for text in (*one.matches, *one.spares)]
    begun = [bytes([len(one) % 4 | 0x80, 0]) + one for one in data if len(one) <= LONGEST]
    return begun + [b"\x98\0" + one for one in examples]


def _launcher(scratch: Path) -> Path:
    """What starts one process of the fuzzer; a merge starts more of them, by this name."""
    file = scratch / "launcher"
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fuzz.run "$0" "$@"\n', "utf-8")
    file.chmod(0o700)
    return file


def _run(launcher: Path, options: Sequence[str]) -> int:
    limits = [f"-max_len={LONGEST}", f"-timeout={SLOWEST_S}", "-rss_limit_mb=6144", "-print_final_stats=1"]
    # A process of its own: libFuzzer leaves the interpreter without unwinding it. And a group of its own: a merge
    # starts more of them, which nobody else would end.
    scratch = {**os.environ, "TMPDIR": str(launcher.parent)}
    child = subprocess.Popen([launcher, *limits, *options], env=scratch, start_new_session=True)
    try:
        return child.wait()
    except BaseException:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        raise


if __name__ == "__main__":
    sys.exit(main())

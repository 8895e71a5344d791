"""How long a process of this machine waits for its turn: a short sleep and a little work, again and again.

Time that passed and was neither asked for nor worked is a stall: told as `begin end` on the machine's monotonic clock.
"""

import time

BEAT_S = 0.01
WORK_S = 0.001
NOTICED_S = 0.003


def beat() -> None:
    """One sleep and one piece of work; told when it took much longer."""
    began, worked = time.monotonic(), time.thread_time()
    time.sleep(BEAT_S)
    while time.thread_time() - worked < WORK_S:
        pass
    ended = time.monotonic()
    stalled_s = ended - began - BEAT_S - (time.thread_time() - worked)
    if stalled_s > NOTICED_S:
        print(ended - stalled_s, ended, flush=True)


if __name__ == "__main__":
    while True:
        beat()

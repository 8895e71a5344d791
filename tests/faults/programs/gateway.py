"""The gateway as it is shipped, in a process whose wall clock can jump (`clock`)."""

import sys

from clock import be_ready_to_jump

from interpose_gateway.__main__ import main

if __name__ == "__main__":
    be_ready_to_jump()
    sys.exit(main())

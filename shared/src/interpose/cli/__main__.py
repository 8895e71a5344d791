"""`python -m interpose.cli`: how the supervisor starts commands with its own Python."""

import sys

from interpose.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

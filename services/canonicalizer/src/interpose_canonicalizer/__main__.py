"""The canonicalizer's process. The table is read before the first ask, so that none waits for it."""

from interpose.canonical.table import table
from interpose_canonicalizer.service import hook

if __name__ == "__main__":
    table()
    hook.run()

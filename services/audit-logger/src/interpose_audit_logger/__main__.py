"""The audit logger's process: opens its store, then keeps it and answers."""

import sys
from dataclasses import replace

from interpose.embedded.audit import store_path
from interpose.embedded.files import create_private, make_folder
from interpose.embedded.home import Home
from interpose.errors import InterposeError
from interpose.hook.worker import serve
from interpose.records.store import Store
from interpose_audit_logger.keeping import Keeper
from interpose_audit_logger.progress import Progress
from interpose_audit_logger.service import make_hook


def main() -> int:
    """Serve until SIGTERM or SIGINT."""
    try:
        store = _open()
    except InterposeError as error:
        print(f"interpose-audit-logger: {error}", file=sys.stderr)
        return 1
    progress = Progress()
    keeper = Keeper(store, progress)
    try:
        serve(replace(make_hook(progress).endpoint(), beside=keeper.keeping))
    finally:
        store.close()
    return 0


def _open() -> Store:
    """The store, for its owner alone from its first byte on."""
    path = store_path(Home.find())
    make_folder(path.parent)
    create_private(path, b"")
    return Store.open(path)


if __name__ == "__main__":
    sys.exit(main())

"""Where the store of history stands: `interpose history import` writes it, and `interpose records grep` reads it."""

from pathlib import Path

from interpose.embedded.files import create_private, make_folder
from interpose.embedded.home import Home

FILE = "history.sqlite"


def history_path(home: Home) -> Path:
    """The file of the store, whether it is there or not."""
    return home.root / FILE


def prepared_history_path(home: Home) -> Path:
    """The same in a folder that is there, for its owner alone. Raises ConfigurationError."""
    home.root.parent.mkdir(parents=True, exist_ok=True)
    make_folder(home.root)
    create_private(home.root / ".gitignore", b"*\n")
    return history_path(home)

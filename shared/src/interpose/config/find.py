"""Which file is the configuration: named, or in the working folder, or in the user's configuration folder."""

import os
from pathlib import Path

from interpose.errors import ConfigurationError

NAMES = ("interpose.json", "interpose.yaml", "interpose.yml")


def find_configuration(explicit: Path | None = None) -> Path | None:
    """The file, or None where nobody named one and no folder holds one. A named file need not exist yet.

    In order: `explicit` (`--config`), `INTERPOSE_CONFIG`, the working folder, `$XDG_CONFIG_HOME/interpose` or
    `~/.config/interpose`. Raises ConfigurationError where one folder holds two candidates.
    """
    named = explicit or os.environ.get("INTERPOSE_CONFIG")
    if named:
        return Path(named).absolute()
    return _in_folder(Path.cwd()) or _in_folder(_user_folder())


def _in_folder(folder: Path) -> Path | None:
    # A link that leads nowhere counts: its reading tells the trouble, and no other file's rules take its place.
    found = [folder / name for name in NAMES if os.path.lexists(folder / name)]
    if len(found) > 1:
        names = " and ".join(str(path) for path in found)
        raise ConfigurationError(f"two configurations stand side by side, {names}: keep one, or name one with --config")
    return found[0] if found else None


def _user_folder() -> Path:
    """By the XDG base directory specification, which ignores a relative `XDG_CONFIG_HOME`."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(folder) if Path(folder).is_absolute() else Path("~/.config").expanduser()
    return base / "interpose"

"""Where the audit store stands: the audit logger writes it there, and the command line reads it."""

from pathlib import Path

from pydantic import Field

from interpose.bus.settings import Settings
from interpose.embedded.home import Home

FILE = "audit.sqlite"


class AuditSettings(Settings):
    """The same for the audit logger and for `interpose records`."""

    audit_db: Path | None = Field(
        default=None,
        description="The SQLite file of the audit logger. Without it `audit.sqlite` in the state folder.",
    )


def store_path(home: Home) -> Path:
    """The file of the store, whether it is there or not. Raises ConfigurationError."""
    return (AuditSettings.from_environment().audit_db or home.root / FILE).absolute()

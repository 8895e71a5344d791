"""What a platform is told when nothing could be decided, in the form of the very event: loaded when that happens."""

from interpose.platforms.answers.of import answer
from interpose.platforms.read import read
from interpose.platforms.ruling import Kind, Ruling


def refuse(platform: str, data: bytes, reason: str, event: str | None = None) -> tuple[str, str, int]:
    """Standard output, standard error, exit code: the call is refused, or its response withheld.

    Raises InvalidInput for an event that cannot be read.
    """
    found = answer(read(platform, data, event=event), Ruling(Kind.UNAVAILABLE, reason))
    return found.stdout, found.stderr, found.exit_code

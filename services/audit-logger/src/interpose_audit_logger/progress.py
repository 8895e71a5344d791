"""How far the store is, for whoever asks the audit logger as a hook."""

from dataclasses import dataclass

from interpose.contracts.model import JsonObject


@dataclass(slots=True)
class Progress:
    """Written by the keeper, read by the hook, both in the loop's thread.

    `through` is the highest number stored, `waiting` how many records the stream held behind the last one taken, and
    `trouble` why nothing can be stored now.
    """

    through: int = 0
    waiting: int = 0
    trouble: str | None = None

    @property
    def annotation(self) -> JsonObject:
        """What the hook writes beside its verdict."""
        told: JsonObject = {"stored_through": self.through, "waiting": self.waiting}
        return told if self.trouble is None else {**told, "trouble": self.trouble}

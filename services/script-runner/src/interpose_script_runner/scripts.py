"""Which script serves which hook. The registry says so; an ask, which anybody might forge, never does."""

from collections.abc import Mapping
from typing import Self

from interpose.contracts.config import HookSpec
from interpose.contracts.keys import Key
from interpose.contracts.registry import Document, Owner
from interpose.contracts.words import Phase


class Scripts:
    """The script hooks of one document, by name and phase."""

    def __init__(self, hooks: Mapping[tuple[str, Phase], HookSpec]) -> None:
        self._hooks = dict(hooks)

    @classmethod
    def of(cls, document: Document) -> Self:
        """Take the hooks that are scripts and in force. Loading their file has made their paths whole.

        Only a person says which program runs: a script that came in with a worker is none.
        """
        return cls(
            {
                (entry.hook.name, Key.parse(entry.key).phase): entry.hook
                for entry in document.entries
                if entry.hook.script is not None and entry.enabled and entry.owner is not Owner.WORKER
            }
        )

    def find(self, hook_name: str, phase: Phase) -> HookSpec | None:
        """The hook, or None: then this service has no handler for it."""
        return self._hooks.get((hook_name, phase))

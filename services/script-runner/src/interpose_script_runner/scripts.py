"""Which script serves which hook. The configuration says so; an ask, which anybody might forge, never does."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from interpose.config.stamp import Stamp
from interpose.contracts.config import Configuration, HookSpec
from interpose.contracts.keys import Key
from interpose.contracts.words import Phase
from interpose.errors import ConfigurationError

_log = logging.getLogger(__name__)


class Scripts:
    """The script hooks of one configuration, by name and phase."""

    def __init__(self, hooks: Mapping[tuple[str, Phase], HookSpec]) -> None:
        self._hooks = dict(hooks)

    @classmethod
    def from_configuration(cls, configuration: Configuration) -> Self:
        """Take the hooks that are scripts, as the configuration has them: it has made their paths absolute."""
        return cls(
            {
                (hook.name, Key.parse(key).phase): hook
                for key, hooks in configuration.hooks.items()
                for hook in hooks
                if hook.script is not None
            }
        )

    def find(self, hook_name: str, phase: Phase) -> HookSpec | None:
        """The hook, or None: then this service has no handler for it."""
        return self._hooks.get((hook_name, phase))


class ScriptsFile:
    """The scripts of a configuration file, read again when the file changes; the last good reading stays in force.

    `read` reads the file whole or raises ConfigurationError. The first reading must be good.
    """

    def __init__(self, path: Path, read: Callable[[Path], Configuration]) -> None:
        self._path = path
        self._read = read
        # Looked at before it is read: what is written meanwhile is a change.
        self._seen = Stamp.of(path)
        self._scripts = Scripts.from_configuration(read(path))

    def find(self, hook_name: str, phase: Phase) -> HookSpec | None:
        """As Scripts.find, in the newest good reading."""
        seen = Stamp.of(self._path)
        if seen != self._seen:
            self._seen = seen
            self._read_again()
        return self._scripts.find(hook_name, phase)

    def _read_again(self) -> None:
        try:
            self._scripts = Scripts.from_configuration(self._read(self._path))
        except (ConfigurationError, OSError) as error:
            _log.error(
                "%s cannot be used, so the scripts of its last good version stay in force: %s", self._path, error
            )
        else:
            _log.info("read the scripts of %s again", self._path)

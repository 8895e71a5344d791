"""The hooks of a document one by one, as people look at them: whose they are, whether they count, who answers."""

from collections.abc import Collection

from pydantic import computed_field

from interpose.contracts.model import Closed
from interpose.contracts.names import token
from interpose.contracts.registry import Document, Owner
from interpose.contracts.words import FailMode, Mode, OnFailure


class Listed(Closed):
    """One hook. `present`: a worker of its service answers now; a hook that is not is registered and absent."""

    name: str
    keys: list[str]
    service: str
    fail_mode: FailMode
    on_failure: OnFailure | None
    timeout: int
    mode: Mode
    transforming: bool
    owner: Owner
    source: str
    enabled: bool
    temporary: bool
    present: bool

    @computed_field  # type: ignore[prop-decorator]  # pydantic's documented way; mypy wants the property outermost
    @property
    def advisory(self) -> bool:
        """Whether it can never stop a call."""
        return self.fail_mode is FailMode.WARN

    @property
    def counts(self) -> bool:
        """Whether a call waits for it."""
        return self.enabled and self.mode is Mode.ENFORCE

    @computed_field  # type: ignore[prop-decorator]
    @property
    def marks(self) -> list[str]:
        """What a person must know of it: each word says that it enforces less than a plain hook, or nothing."""
        said = {
            "advisory: cannot stop a call": self.advisory,
            "a failure lets calls through": self.on_failure is OnFailure.WARN,
            "shadow: changes nothing": self.mode is Mode.SHADOW,
            "disabled": not self.enabled,
            "temporary": self.temporary,
            "registered and absent": self.enabled and not self.present,
        }
        return [mark for mark, is_so in said.items() if is_so]


def listed(document: Document, present: Collection[str]) -> list[Listed]:
    """Every hook once, in order. `present` are the subject tokens of the services that answer now."""
    found: dict[str, Listed] = {}
    for entry in document.entries:
        hook, known = entry.hook, found.get(entry.hook.name)
        found[hook.name] = Listed(
            name=hook.name,
            keys=[*(known.keys if known is not None else ()), entry.key],
            service=hook.served_by,
            fail_mode=hook.fail_mode,
            on_failure=hook.on_failure,
            timeout=hook.timeout,
            mode=hook.mode,
            transforming=hook.transforming,
            owner=entry.owner,
            source=entry.source,
            enabled=entry.enabled,
            temporary=entry.temporary,
            present=token(hook.served_by) in present,
        )
    return list(found.values())

"""What a hook written in one file says of itself: its settings, and the manifest that `interpose run` announces."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from pydantic import ValidationError

from interpose.contracts.faults import faults_of
from interpose.contracts.model import JsonObject
from interpose.contracts.registry import Manifest
from interpose.errors import ConfigurationError


class HookSettings(TypedDict, total=False):
    """How the hook wants to be asked, as the configuration would say it; what is left out has the same default there.

    They count only where nobody configured the hook: a file's or an operator's word stands above them.
    """

    fail_mode: Literal["reject", "warn", "transform"]
    on_failure: Literal["reject", "warn"]
    timeout_ms: int
    transform: bool
    when: str
    needs: Sequence[str]
    mode: Literal["enforce", "shadow"]
    repeatable: bool
    native: bool
    settings: JsonObject


def make_manifest(name: str, keys: Sequence[str], settings: HookSettings) -> Manifest:
    """The manifest of a hook that is served under its own name. Raises ConfigurationError with every fault."""
    said: dict[str, Any] = dict(settings)
    if "timeout_ms" in said:
        said["timeout"] = said.pop("timeout_ms")
    if "needs" in said:
        said["needs"] = list(said["needs"])
    try:
        return Manifest(name=name, service=name, keys=list(dict.fromkeys(keys)), **said)
    except ValidationError as error:
        raise ConfigurationError(f"hook {name} cannot be announced", faults_of(error, model=Manifest)) from error

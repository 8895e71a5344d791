"""What a configuration needs on the bus: the services it names and the tools that are served there."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from interpose.config.find import find_configuration
from interpose.config.load import load
from interpose.contracts.config import CANONICALIZER, Configuration
from interpose.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Needs:
    """`services` maps each named service to its hooks. `trouble` says why there is no usable configuration."""

    path: Path | None = None
    configuration: Configuration | None = None
    services: dict[str, list[str]] = field(default_factory=dict)
    tools: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    trouble: str | None = None


def read_needs(given: Path | None) -> Needs:
    """Read the configuration that the gateway will read.

    One that refuses is told as `trouble` and not raised: the gateway refuses every call until it is mended, and
    everything else may run already. Raises ConfigurationError only where one folder holds two configurations.
    """
    path = find_configuration(given)
    if path is None:
        return Needs(trouble="no configuration was found: write interpose.json here, or name one with --config")
    try:
        loaded = load(path)
    except ConfigurationError as error:
        return Needs(path=path, trouble=str(error))
    warnings = tuple(str(warning) for warning in loaded.warnings)
    return replace(needs_of(loaded.configuration), path=path, warnings=warnings)


def needs_of(configuration: Configuration) -> Needs:
    """What this configuration needs, wherever it comes from."""
    return Needs(configuration=configuration, services=services_of(configuration), tools=tools_of(configuration))


def services_of(configuration: Configuration) -> dict[str, list[str]]:
    """Each service that hooks name, with its hooks; and the canonicalizer, which every call asks first."""
    is_asked = configuration.gateway.canonicalizer == "service"
    named: dict[str, list[str]] = {CANONICALIZER: [CANONICALIZER]} if is_asked else {}
    for hooks in configuration.hooks.values():
        for hook in hooks:
            known = named.setdefault(hook.served_by, [])
            if hook.name not in known:
                known.append(hook.name)
    return named


def tools_of(configuration: Configuration) -> tuple[str, ...]:
    """The tools that are served on the bus."""
    executors = {name: tool.executor for name, tool in configuration.tools.items()}
    return tuple(name for name, executor in executors.items() if executor is not None and executor.bus is not None)

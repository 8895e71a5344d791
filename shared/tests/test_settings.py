"""Settings from the environment: what cannot be used is named, variable by variable."""

import pytest

from interpose.bus.settings import BusSettings
from interpose.errors import ConfigurationError


def test_what_cannot_be_used_is_named_with_its_variable(monkeypatch, tmp_path):
    """All at once, and without a traceback."""
    monkeypatch.setenv("INTERPOSE_CONCURRENCY", "many")
    monkeypatch.setenv("INTERPOSE_NATS_SEED", str(tmp_path / "missing.seed"))

    with pytest.raises(ConfigurationError) as refused:
        BusSettings.from_environment()

    assert {"INTERPOSE_CONCURRENCY", "INTERPOSE_NATS_SEED"} == {fault.path for fault in refused.value.faults}


def test_the_environment_counts(monkeypatch):
    """Each variable is the setting of its name."""
    monkeypatch.setenv("INTERPOSE_NATS_URL", "nats://127.0.0.1:9")
    monkeypatch.setenv("INTERPOSE_INSTANCE", "worker-7")

    settings = BusSettings.from_environment()

    assert ("nats://127.0.0.1:9", "worker-7") == (settings.nats_url, settings.instance)

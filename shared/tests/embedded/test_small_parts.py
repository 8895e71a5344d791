"""Backoff, logs, ports, needs, settings: the supervisor's small parts."""

import socket
from pathlib import Path

import pytest

from interpose.contracts.clients import ClientEntry, Clients
from interpose.embedded import logs, ports
from interpose.embedded.backoff import Backoff
from interpose.embedded.needs import read_needs
from interpose.embedded.ports import choose_port, free_port, is_free
from interpose.embedded.preparation import check_binding
from interpose.embedded.settings import EmbeddedSettings
from interpose.errors import ConfigurationError


def test_the_wait_doubles_up_to_half_a_minute() -> None:
    """2, 4, 8, 16, then 30 seconds for ever."""
    backoff = Backoff(2_000)

    waits = [backoff.next_ms(lived_ms=10) for _ in range(7)]

    assert [2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000] == waits


def test_a_minute_of_health_begins_anew() -> None:
    """A process that lived for a minute waits as at its first crash."""
    backoff = Backoff(2_000)
    for _ in range(5):
        backoff.next_ms(lived_ms=59_999)

    assert [2_000, 4_000] == [backoff.next_ms(lived_ms=60_000), backoff.next_ms(lived_ms=1)]


def test_a_first_wait_beyond_half_a_minute_is_kept() -> None:
    """What an operator chose is never shortened."""
    assert Backoff(45_000).next_ms(lived_ms=0) == 45_000


def test_the_last_lines_behind_a_place(tmp_path: Path) -> None:
    """Lines before the place belong to an earlier process."""
    log = tmp_path / "x.log"
    log.write_bytes(b"old\nold\nnew 1\nnew 2\xff\n")

    assert ["new 1", "new 2\N{REPLACEMENT CHARACTER}"] == logs.tail(log, 5, start=8)
    assert ["new 2\N{REPLACEMENT CHARACTER}"] == logs.tail(log, 1)
    assert logs.tail(tmp_path / "absent.log", 5) == []


def test_a_large_log_is_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log beyond the limit is kept once as `.1`; a small one stays."""
    monkeypatch.setattr(logs, "MAX_BYTES", 3)
    large, small = tmp_path / "large.log", tmp_path / "small.log"
    large.write_text("1234")
    small.write_text("123")

    for log in (large, small, tmp_path / "absent.log"):
        logs.rotate(log)

    assert {"large.log.1", "small.log"} == {path.name for path in tmp_path.iterdir()}


def test_a_taken_port_is_replaced_or_refused() -> None:
    """The usual port gives way to a free one; a port that was asked for is an error."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        chosen = choose_port(None, port)
        with pytest.raises(ConfigurationError, match=f"127.0.0.1:{port}"):
            choose_port(port, 4222)

    assert port != chosen
    assert is_free(chosen)


def test_a_free_port_is_taken_as_asked() -> None:
    """Asked for or usual, a free port is the one."""
    port = free_port()

    assert [port, port] == [choose_port(port, 1), choose_port(None, port)]


def test_a_free_port_is_none_that_a_connection_may_be_given() -> None:
    """What the system lends to outgoing connections may be taken before somebody listens there."""
    drawn = {free_port() for _ in range(50)}

    assert drawn <= set(ports.UNLENT)
    assert len(drawn) > 1


def test_where_all_of_these_are_taken_any_free_port_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full range is no reason to start nothing."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(ports, "UNLENT", [port] * ports.TRIES)

        assert free_port() not in {0, port}


def test_an_address_of_another_machine_is_refused() -> None:
    """203.0.113.1 is kept for documentation and is never ours (RFC 5737)."""
    with pytest.raises(ConfigurationError, match=r"203\.0\.113\.1"):
        choose_port(None, 8600, "203.0.113.1")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org"])  # noqa: S104 - nothing listens
def test_beyond_loopback_somebody_must_have_a_token(host: str) -> None:
    """Without any client the gateway does not listen there; with one it does."""
    entry = ClientEntry(token_sha256="0" * 64)

    with pytest.raises(ConfigurationError, match="without a token"):
        check_binding(host, Clients())

    check_binding(host, Clients(clients={"local": entry}))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_loopback_needs_no_client(host: str) -> None:
    """Nobody else reaches it."""
    check_binding(host, Clients())


def test_needs_name_services_with_their_hooks_and_tools_on_the_bus(tmp_path: Path) -> None:
    """Each service once with its hooks, scripts under the script runner, tools that are served on the bus."""
    path = tmp_path / "interpose.json"
    path.write_text(
        """{"hooks": {
            "before:a": [{"name": "one", "service": "validator"}, {"name": "two", "service": "validator"}],
            "after:a": [{"name": "one", "service": "validator"}, {"name": "three", "script": "./three.sh"}]},
            "tools": {"a": {"executor": {"bus": {}}}, "b": {}}}"""
    )

    needs = read_needs(path)

    told = {"canonicalizer": ["canonicalizer"], "validator": ["one", "two"], "script-runner": ["three"]}
    assert told == needs.services
    assert (("a",), None) == (needs.tools, needs.trouble)


def test_a_configuration_that_refuses_is_told_and_needs_nothing(tmp_path: Path) -> None:
    """Everything else may start; the trouble stands in words."""
    path = tmp_path / "interpose.json"
    path.write_text('{"hooks": {"befor:a": []}}')

    needs = read_needs(path)

    assert "befor:a" in (needs.trouble or "")
    assert (path, {}, ()) == (needs.path, needs.services, needs.tools)


def test_no_configuration_is_a_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty folder the trouble says what to write."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INTERPOSE_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))

    assert "interpose.json" in (read_needs(None).trouble or "")


def test_a_variable_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every wrong variable at once, by its own name."""
    monkeypatch.setenv("INTERPOSE_RESTART_BACKOFF_MS", "soon")
    monkeypatch.setenv("INTERPOSE_HTTP_PORT", "0")

    with pytest.raises(ConfigurationError) as caught:
        EmbeddedSettings.from_environment()

    assert {"INTERPOSE_RESTART_BACKOFF_MS", "INTERPOSE_HTTP_PORT"} == {fault.path for fault in caught.value.faults}

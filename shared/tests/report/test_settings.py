"""Settings: options, else the environment, else the defaults; what is wrong is named, and nothing is guessed."""

from pathlib import Path
from typing import Any

import pytest

from interpose.report.client import Endpoint
from interpose.report.evidence import Rule
from interpose.report.settings import ENVIRONMENT, Settings, read

HOME = {"HOME": "/home/somebody", "INTERPOSE_TOKEN": "t"}


def good(options: dict[str, Any], environ: dict[str, str]) -> Settings:
    """The settings, which must be usable."""
    settings, faults = read("an-agent", options, environ)
    assert ([], True) == (faults, settings is not None)
    assert settings is not None
    return settings


def test_the_defaults_need_a_token_and_a_home() -> None:
    """Loopback, two seconds to evaluate, five to report, the token from the environment."""
    settings = good({}, HOME)

    assert (Endpoint("127.0.0.1", 8600, "", is_tls=False), "t") == (settings.endpoint, settings.token)
    assert (2_000, 5_000) == (settings.evaluate_timeout_ms, settings.report_timeout_ms)
    assert Path("/home/somebody/.local/state/interpose/report") == settings.folder
    assert ("folder", "background", ()) == (settings.claims, settings.delivery, settings.evidence)


def test_the_environment_is_read() -> None:
    """Each variable, as text."""
    environ = dict(zip(ENVIRONMENT.values(), ["t", "https://g.example/x", "/f", "100", "200"], strict=True))

    settings = good({}, environ)

    assert Endpoint("g.example", None, "/x", is_tls=True) == settings.endpoint
    assert ("t", Path("/f"), 100, 200) == (
        settings.token,
        settings.folder,
        settings.evaluate_timeout_ms,
        settings.report_timeout_ms,
    )


def test_what_the_adapter_hands_over_comes_first() -> None:
    """What it hands over as None was not handed over, and an empty variable is not set."""
    options = {
        "token": "mine",
        "url": None,
        "evidence": [{"evidence_key": "k", "path": ["a"]}],
        "agent_id": "main",
        "adapter_version": "1.2",
    }

    settings = good(options, HOME | {"INTERPOSE_GATEWAY_URL": "", "XDG_STATE_HOME": "/state"})

    assert ("mine", "main", "1.2") == (settings.token, settings.agent_id, settings.adapter_version)
    assert (8600, Path("/state/interpose/report")) == (settings.endpoint.port, settings.folder)
    assert (Rule("k", ("a",)),) == settings.evidence


@pytest.mark.parametrize(
    ("options", "environ", "named"),
    [
        ({}, {"HOME": "/h"}, "token (INTERPOSE_TOKEN): is empty"),
        ({"token": ""}, HOME, "token (INTERPOSE_TOKEN): is empty"),
        ({}, HOME | {"INTERPOSE_TOKEN": " "}, "token (INTERPOSE_TOKEN): must be printable"),
        ({}, HOME | {"INTERPOSE_TOKEN": "a\r\nOrigin: x"}, "token (INTERPOSE_TOKEN): must be printable"),
        ({"token": b"t"}, HOME, "token (INTERPOSE_TOKEN): must be printable"),
        ({"url": "127.0.0.1:8600"}, HOME, "url (INTERPOSE_GATEWAY_URL)"),
        ({"url": "ftp://127.0.0.1"}, HOME, "url (INTERPOSE_GATEWAY_URL)"),
        ({"url": "http://"}, HOME, "url (INTERPOSE_GATEWAY_URL)"),
        ({"url": "http://u:p@host"}, HOME, "url (INTERPOSE_GATEWAY_URL)"),
        ({"url": "http://host?a=b"}, HOME, "url (INTERPOSE_GATEWAY_URL)"),
        ({"url": "http://host:99999"}, HOME, "url (INTERPOSE_GATEWAY_URL)"),
        ({"url": "http://[::1"}, HOME, "url (INTERPOSE_GATEWAY_URL)"),
        ({"url": 8600}, HOME, "url (INTERPOSE_GATEWAY_URL)"),
        ({"folder": ""}, HOME, "folder (INTERPOSE_REPORT_FOLDER): must be a path"),
        ({"folder": 5}, HOME, "folder (INTERPOSE_REPORT_FOLDER): must be a path"),
        ({}, {"INTERPOSE_TOKEN": "t"}, "folder (INTERPOSE_REPORT_FOLDER): must be given"),
        ({"evaluate_timeout_ms": 0}, HOME, "evaluate_timeout_ms (INTERPOSE_EVALUATE_TIMEOUT_MS)"),
        ({"evaluate_timeout_ms": True}, HOME, "evaluate_timeout_ms (INTERPOSE_EVALUATE_TIMEOUT_MS)"),
        ({"evaluate_timeout_ms": 2.5}, HOME, "evaluate_timeout_ms (INTERPOSE_EVALUATE_TIMEOUT_MS)"),
        ({"report_timeout_ms": 600_001}, HOME, "report_timeout_ms (INTERPOSE_REPORT_TIMEOUT_MS)"),
        ({}, HOME | {"INTERPOSE_REPORT_TIMEOUT_MS": "-5"}, "report_timeout_ms (INTERPOSE_REPORT_TIMEOUT_MS)"),
        ({}, HOME | {"INTERPOSE_REPORT_TIMEOUT_MS": "9" * 5000}, "report_timeout_ms (INTERPOSE_REPORT_TIMEOUT_MS)"),
        ({"agent_id": "a" * 129}, HOME, "agent_id: must be text"),
        ({"adapter_version": 3}, HOME, "adapter_version: must be text"),
        ({"evidence": "url.host"}, HOME, "$.evidence: must be a list"),
        ({"evidence": [{"evidence_key": "k", "path": "url.host"}]}, HOME, "$.evidence[0].path"),
        ({"claims": "disk"}, HOME, "claims: must be one of folder, memory"),
        ({"claims": ["folder"]}, HOME, "claims: must be one of"),
        ({"delivery": "never"}, HOME, "delivery: must be one of"),
        ({"time_out": 5}, HOME, "time_out: no such option"),
    ],
)
def test_whatever_is_wrong_is_named(options: dict[str, Any], environ: dict[str, str], named: str) -> None:
    """One fault, with the option, the variable and what it should be; no default takes its place."""
    settings, faults = read("an-agent", options, environ)

    assert None is settings
    assert [True] == [fault.startswith(named) for fault in faults]


@pytest.mark.parametrize("origin", ["", "An-Agent", "a.b", "a" * 65, "../a", None, 5, "a\n"])
def test_an_origin_is_a_plain_name(origin: object) -> None:
    """It stands in every request, and names a folder."""
    settings, faults = read(origin, {}, HOME)

    assert None is settings
    assert [True] == [fault.startswith("origin: must be 1 to 64") for fault in faults]


def test_all_faults_are_told_at_once() -> None:
    """Somebody who mends one should not meet the next."""
    assert 3 == len(read("An Agent", {"url": "x", "token": ""}, HOME)[1])


def test_a_fault_does_not_repeat_the_token() -> None:
    """It ends up in logs."""
    assert "secret" not in str(read("an-agent", {"token": "secret words"}, HOME)[1])

"""Who may call: what an entry says, and what cannot be one."""

import json
from typing import Any

import pytest

from interpose.contracts.clients import Clients, Scope
from interpose.contracts.strict import read_model
from interpose.errors import InvalidInput

TOKEN, OLD = "a" * 64, "b" * 64


def read(**entries: dict[str, Any]) -> Clients:
    return read_model(Clients, json.dumps({"clients": entries}).encode(), limit=10_000, what="the clients file")


@pytest.mark.parametrize(
    ("said", "covered"),
    [({}, ["call"]), ({"scopes": ["evaluate", "operate"]}, ["evaluate", "operate"]), ({"scopes": ["call"]}, ["call"])],
)
def test_an_entry_covers_its_scopes_alone(said: dict[str, Any], covered: list[str]) -> None:
    """Without any it may do what every entry could before there were scopes: call."""
    entry = read(ci={"token_sha256": TOKEN} | said).clients["ci"]

    assert covered == [scope for scope in Scope if entry.covers(scope)]


def test_an_old_token_has_an_end_and_the_present_one_has_none() -> None:
    """Both are the client's."""
    also = [{"token_sha256": OLD, "until": "2026-01-02T03:04:05Z"}]

    digests = read(ci={"token_sha256": TOKEN, "also": also}).clients["ci"].digests()

    assert {OLD: "2026-01-02T03:04:05+00:00", TOKEN: None} == {
        digest: None if until is None else until.isoformat() for digest, until in digests.items()
    }


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({"scopes": []}, "$.clients.ci.scopes: must have at least 1 item"),
        ({"scopes": ["call", "call"]}, "$.clients.ci.scopes: a scope stands here twice"),
        ({"scopes": ["root"]}, "$.clients.ci.scopes[0]: must be 'call', 'evaluate' or 'operate'"),
        ({"also": [{"token_sha256": OLD, "until": "2026-01-02T03:04:05"}]}, "$.clients.ci.also[0].until: must have"),
        ({"also": [{"token_sha256": OLD}]}, "$.clients.ci.also[0].until: is required"),
        (
            {"also": [{"token_sha256": OLD, "until": "2026-01-02T03:04:05Z"}] * 4},
            "$.clients.ci.also: must have at most",
        ),
    ],
)
def test_what_is_no_entry_is_told_with_its_place(said: dict[str, Any], fault: str) -> None:
    """An entry that opens nothing, a scope that nobody knows, an old token without an end."""
    with pytest.raises(InvalidInput) as refused:
        read(ci={"token_sha256": TOKEN} | said)

    assert fault in str(refused.value)


def test_a_token_belongs_to_one_client() -> None:
    """Else nobody could say who calls: two clients with one token are no clients file, whichever of the two ends."""
    also = [{"token_sha256": TOKEN, "until": "2026-01-02T03:04:05Z"}]

    with pytest.raises(InvalidInput, match="ci and cd have the same token"):
        read(ci={"token_sha256": TOKEN}, cd={"token_sha256": OLD, "also": also})

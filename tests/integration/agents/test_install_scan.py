"""`POST /install-scan` over real HTTP."""

from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

PACKAGE = {"name": "left-pad", "version": "1.3.0"}


@pytest.mark.parametrize("prefix", ["", "/v1"])
async def test_an_install_that_its_hook_allows(agent: Any, prefix: str) -> None:
    """200 with `allow`; both records at once, because nobody reports it."""
    reply = await agent.post(f"{prefix}/install-scan", {"package": PACKAGE})

    told = reply.json()
    assert (200, "allow") == (reply.status_code, told["decision"])
    assert [("run", None), ("withhold", "unknown")] == await agent.outcomes(told["evaluation_id"])
    assert PACKAGE == (await agent.records(told["evaluation_id"]))[0]["final"]


async def test_without_a_hook_for_installs_every_install_is_denied(alone: Any, agent_of: Any) -> None:
    """No answer is a no, and the reason says what to add."""
    await alone.configure({"hooks": {"before:*": [{"name": "audit", "service": "gatekeeper"}]}})
    await alone.start_gateway()

    told = (await agent_of(alone).post("/install-scan", {"package": PACKAGE})).json()

    assert ("deny", "install-unjudged") == (told["decision"], told["code"])
    assert "before:install" in told["reason"]


async def test_an_install_whose_hook_is_away_is_denied(alone: Any, agent_of: Any) -> None:
    """The hook gives no verdict, so there is no yes."""
    await alone.configure({"hooks": {"before:install": [{"name": "porter", "service": "nobody"}]}})
    await alone.start_gateway()

    told = (await agent_of(alone).post("/install-scan", {"package": PACKAGE})).json()

    assert ("deny", "no-responders", "porter") == (told["decision"], told["code"], told["matched_rule"])


async def test_a_report_of_an_install_is_final(agent: Any) -> None:
    """200, and no alarm for one that was allowed."""
    told = (await agent.post("/install-scan", {"package": PACKAGE})).json()

    reply = await agent.report(told["evaluation_id"])

    assert (200, "evaluate") == (reply.status_code, reply.json()["finalized_by"])


async def test_what_is_no_install_is_told_with_its_place(agent: Any) -> None:
    """400."""
    reply = await agent.post("/install-scan", {"package": {"version": "1"}})

    assert (400, ["$.package.name"]) == (reply.status_code, [error["path"] for error in reply.json()["errors"]])

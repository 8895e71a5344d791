"""What the rule promises."""

import pytest
from channel_list import hook

from interpose.testing import NoVerdict, judge

LIST = {"channels": ["C0ALERTS"]}


def test_a_listed_channel_is_allowed() -> None:
    """A message to a listed channel passes."""
    verdict = judge(hook, tool="message", action="send", parameters={"channel": "C0ALERTS"}, settings=LIST)

    assert "allow" == verdict.verdict


def test_any_other_channel_is_refused() -> None:
    """A message to another channel, or to none, is refused with the place."""
    for parameters in ({"channel": "C0GENERAL"}, {"channel": ["C0ALERTS"]}, {}):
        verdict = judge(hook, tool="message", action="send", parameters=parameters, settings=LIST)

        assert ("reject", "channel-not-listed") == (verdict.verdict, verdict.code)
        assert "$.channel" == verdict.annotations["errors"][0]["path"]


def test_without_its_list_it_gives_no_verdict() -> None:
    """A forgotten `with` breaks the hook, which refuses the call; it never lets one through."""
    with pytest.raises(NoVerdict, match="hook_error"):
        judge(hook, tool="message", action="send", parameters={"channel": "C0ALERTS"})

"""The audit logger as a hook: what it says, and when it says no."""

from typing import Any

import pytest

from interpose.contracts.words import VerdictKind
from interpose.testing import MemoryBus, conformance, judge, make_ask
from interpose_audit_logger.progress import Progress
from interpose_audit_logger.service import make_hook
from interpose_audit_logger.settings import Require, UnusableSettings, read

BROKEN = Progress(through=7, waiting=3, trouble="the disk is full")


def test_it_allows_and_says_how_far_the_store_is() -> None:
    """Before and after, also while nothing can be stored: then it says why."""
    well = make_hook(Progress(through=5, waiting=1))

    before, after = judge(well, tool="message"), judge(well, tool="message", response={"content": "x"})
    troubled = judge(make_hook(BROKEN), tool="message")

    told = {"audit": {"stored_through": 5, "waiting": 1}}
    assert [(VerdictKind.ALLOW, told)] * 2 == [(each.verdict, each.annotations) for each in (before, after)]
    assert VerdictKind.ALLOW == troubled.verdict
    assert {"audit": {"stored_through": 7, "waiting": 3, "trouble": "the disk is full"}} == troubled.annotations


def test_what_requires_the_store_is_refused_without_it() -> None:
    """With `{"require": "stored"}`: no while records cannot be stored, with the reason; else yes."""
    settings = {"require": "stored"}

    refused = judge(make_hook(BROKEN), tool="message", settings=settings)
    allowed = judge(make_hook(Progress()), tool="message", settings=settings)

    assert (VerdictKind.REJECT, "audit-unavailable") == (refused.verdict, refused.code)
    assert "the disk is full" in str(refused.reason)
    assert VerdictKind.ALLOW == allowed.verdict


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"require": "everything"}, "$.with.require"),
        ({"require": None}, "$.with.require"),
        ({"require": ["stored"]}, "$.with.require"),
        ({"requires": "stored"}, "$.with.requires"),
    ],
)
def test_settings_that_mean_nothing_break_the_hook(settings: dict[str, Any], place: str) -> None:
    """A setting that is misspelt must not look like a yes."""
    with pytest.raises(UnusableSettings) as caught:
        read(settings)

    assert place in str(caught.value)


def test_settings_that_mean_something() -> None:
    """Nothing is required where nothing is said."""
    assert [Require.NOTHING, Require.NOTHING, Require.STORED] == [
        read(settings) for settings in ({}, {"require": "nothing"}, {"require": "stored"})
    ]


async def test_it_passes_the_exam_of_every_hook() -> None:
    """In memory, as on the bus."""
    bus, sample = MemoryBus(), make_ask(tool="message", parameters={"channel": "C1"})
    bus.attach(make_hook(Progress()))

    await conformance.sit(conformance.MemoryTarget(bus, "audit-logger", sample.phase), sample)

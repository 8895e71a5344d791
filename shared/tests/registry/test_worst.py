"""How long calls may wait under a document, and what changes about it when the document does."""

from typing import Any

from interpose.contracts.registry import Document
from interpose.registry.worst import changed, longest, waiting

APPLIED = {"at": "2026-01-01T00:00:00Z", "by": "ann@host", "what": "apply"}


def document(*entries: tuple[str, str, int], canonicalizer: str = "inline") -> Document:
    """A document of hooks: key, name, timeout."""
    listed: list[dict[str, Any]] = [
        {"key": key, "hook": {"name": name, "service": "s", "timeout": timeout}, "owner": "file", "source": "f"}
        for key, name, timeout in entries
    ]
    wire = {"schema": "interpose.registry/1", "entries": listed, "applied": APPLIED}
    return Document.model_validate({**wire, "gateway": {"canonicalizer": canonicalizer}}, by_name=False)


def told(document: Document) -> dict[str, int]:
    """Each subject's time before its tool."""
    return {one.subject: one.before_ms for one in waiting(document)}


def test_a_key_that_is_gone_is_told_by_what_its_calls_meet_now() -> None:
    """A broader key still waits for them: not zero."""
    both = document(("before:*", "all", 4000), ("before:message.send", "one", 5000))
    broad = document(("before:*", "all", 4000))

    assert [("message.send", 4000)] == [(one.subject, one.before_ms) for one in changed(both, broad)]


def test_a_key_that_is_new_is_told_where_its_calls_wait_longer_than_before() -> None:
    """And not where the broader key made them wait as long."""
    broad = document(("before:*", "all", 4000))

    assert [] == changed(broad, document(("before:*", "all", 4000), ("before:a", "quick", 1000)))
    assert [("a", 6000)] == [
        (one.subject, one.before_ms)
        for one in changed(broad, document(("before:*", "all", 4000), ("before:a", "slow", 6000)))
    ]


def test_the_canonicalizer_service_is_waited_for_too() -> None:
    """By every call, before its tool."""
    entries = (("before:a", "one", 1000), ("after:a", "two", 2000))

    assert {"a": 6000, "*": 5000} == told(document(*entries, canonicalizer="service"))
    assert {"a": 1000, "*": 0} == told(document(*entries))


def test_the_longest_is_that_of_any_call() -> None:
    """Before and after, each on its own."""
    found = longest(document(("before:a", "one", 1000), ("after:b", "two", 2000)))

    assert ("any call", 1000, 2000) == (found.subject, found.before_ms, found.after_ms)


def test_without_a_document_before_everything_is_told() -> None:
    """The first revision."""
    first = document(("before:a", "one", 1000))

    assert waiting(first) == changed(None, first)

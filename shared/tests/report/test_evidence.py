"""Evidence: configured paths into a result, each entry for itself."""

import json
import logging
from typing import Any

import pytest

from interpose.contracts.evaluation import EVIDENCE_BYTES, MOST_EVIDENCE, Evidence
from interpose.contracts.strict import read_model
from interpose.report.evidence import LONGEST_NAME, LONGEST_TTL_S, MOST_CHARACTERS, MOST_RULES, Rule, find, read_rules

RESULT: dict[str, Any] = {
    "url": {"host": "a.example", "parts": ["x", {"y": 1}]},
    "url.host": "one name",
    "nothing": None,
}


def found(result: object, *rules: Rule, tool: str = "fetch") -> dict[str, Any]:
    """The entries by their keys."""
    entries = [json.loads(part.data) for part in find(result, tool, rules)]
    return {entry["evidence_key"]: entry["evidence_data"] for entry in entries}


@pytest.mark.parametrize(
    ("path", "data"),
    [
        (("url", "host"), "a.example"),
        (("url", "parts", 1, "y"), 1),
        (("url.host",), "one name"),
        (("nothing",), None),
        (("url",), RESULT["url"]),
    ],
)
def test_a_path_leads_to_its_value(path: tuple[str | int, ...], data: object) -> None:
    """Names and indexes, one after another; a dot is a character of a name."""
    assert {"k": data} == found(RESULT, Rule("k", path))


@pytest.mark.parametrize(
    "path",
    [
        ("host",),
        ("url", "port"),
        ("url", "parts", 2),
        ("url", "parts", "0"),
        ("url", 0),
        ("url", "host", "length"),
        ("nothing", "more"),
        ("keys",),
        ("__class__",),
    ],
)
def test_a_path_that_leads_nowhere_skips_its_entry(path: tuple[str | int, ...]) -> None:
    """Also one that asks a list for a name, a text for anything, or an object for what its class has."""
    assert {"other": "a.example"} == found(RESULT, Rule("k", path), Rule("other", ("url", "host")))


def test_one_bad_entry_drops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """A value that is too large is left out with a word in the log; those beside it are sent."""
    result = {"large": "x" * (MOST_CHARACTERS + 1), "small": 1}

    assert {"small": 1} == found(result, Rule("large", ("large",)), Rule("small", ("small",)))
    assert ["evidence large was left out: it is larger than 65536 characters"] == caplog.messages


def test_evidence_is_found_in_a_result_that_is_itself_too_large() -> None:
    """Shedding the result does not cost what was configured to survive it."""
    assert {"host": "a"} == found({"page": "x" * 5_000_000, "host": "a"}, Rule("host", ("host",)))


def test_objects_are_followed_like_dictionaries() -> None:
    """Without asking them: an attribute that a class makes up is not there."""

    class Page:
        title = "of the class"

        def __init__(self) -> None:
            self.url = {"host": "a"}

        def __getattr__(self, name: str) -> object:
            raise AssertionError(name)

    assert {"host": "a"} == found(Page(), Rule("host", ("url", "host")), Rule("title", ("title",)))


def test_a_rule_is_for_one_tool_or_for_all() -> None:
    """By the platform's own name of the tool."""
    rules = [
        Rule("all", ("url", "host")),
        Rule("mine", ("url", "host"), "fetch"),
        Rule("other", ("url", "host"), "read"),
    ]

    assert {"all", "mine"} == found(RESULT, *rules).keys()


def test_an_entry_is_what_the_contract_says() -> None:
    """With its time to live where one is configured."""
    (part,) = find(RESULT, "fetch", [Rule("k", ("url", "host"), ttl_seconds=60)])

    assert Evidence(evidence_key="k", evidence_data="a.example", ttl_seconds=60) == read_model(
        Evidence, part.data, limit=EVIDENCE_BYTES
    )
    assert MOST_CHARACTERS == EVIDENCE_BYTES
    assert MOST_RULES <= MOST_EVIDENCE


def test_rules_are_read_as_they_are_configured() -> None:
    """`tool` and `ttl_seconds` may be left out."""
    given = [
        {"evidence_key": "host", "path": ["url", "host"]},
        {"evidence_key": "first", "path": ["items", 0], "tool": "search", "ttl_seconds": 60},
    ]

    assert ((Rule("host", ("url", "host")), Rule("first", ("items", 0), "search", 60)), []) == read_rules(given)


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({"evidence_key": "k", "path": "url.host"}, ".path"),
        ({"evidence_key": "k", "path": []}, ".path"),
        ({"evidence_key": "k", "path": ["a", -1]}, ".path"),
        ({"evidence_key": "k", "path": ["a", True]}, ".path"),
        ({"evidence_key": "k", "path": ["a", None]}, ".path"),
        ({"evidence_key": "k"}, ".path"),
        ({"path": ["a"]}, ".evidence_key"),
        ({"evidence_key": "", "path": ["a"]}, ".evidence_key"),
        ({"evidence_key": "k" * (LONGEST_NAME + 1), "path": ["a"]}, ".evidence_key"),
        ({"evidence_key": "k", "path": ["a"], "tool": 5}, ".tool"),
        ({"evidence_key": "k", "path": ["a"], "ttl_seconds": 0}, ".ttl_seconds"),
        ({"evidence_key": "k", "path": ["a"], "ttl_seconds": LONGEST_TTL_S + 1}, ".ttl_seconds"),
        ({"evidence_key": "k", "path": ["a"], "ttl_seconds": True}, ".ttl_seconds"),
        ({"evidence_key": "k", "path": ["a"], "paht": ["a"]}, ".paht"),
        ("url.host", ": must be an object"),
    ],
)
def test_a_rule_that_cannot_be_used_is_a_fault_with_its_place(entry: object, place: str) -> None:
    """Each entry for itself; a dotted path is none."""
    rules, faults = read_rules([{"evidence_key": "good", "path": ["a"]}, entry])

    assert [Rule("good", ("a",))] == list(rules)
    assert [True] == [fault.startswith(f"$.evidence[1]{place}") for fault in faults]


@pytest.mark.parametrize("given", [None, "url.host", {"evidence_key": "k"}, [{}] * (MOST_RULES + 1)])
def test_what_is_no_list_of_rules_is_a_fault(given: object) -> None:
    """Or too long a one."""
    assert read_rules(given)[1]


def test_a_key_that_calls_itself_equal_is_not_believed(caplog: pytest.LogCaptureFixture) -> None:
    """A member's name is compared as text only."""

    class Equal(str):
        def __eq__(self, _other: object) -> bool:
            return True

        __hash__ = str.__hash__

    with caplog.at_level(logging.DEBUG):
        assert {} == found({Equal("other"): 1}, Rule("k", ("host",)))

    assert [] == caplog.messages

"""Rules that join several fields of one block or element: what its shape cannot say. Paths are relative to it.

A field of the wrong kind is the shape's fault, and a rule keeps silent on it. Sources: the pages named in `blocks`,
`elements` and `composition`.
"""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from interpose.contracts.model import JsonObject
from interpose_validator.block_kit import choices
from interpose_validator.findings import Finding
from interpose_validator.formats import CHECKS

Rule = Callable[[JsonObject], Iterator[Finding]]


def needs_text_or_fields(section: JsonObject) -> Iterator[Finding]:
    """A section shows something."""
    if "text" not in section and "fields" not in section:
        yield Finding((), "one-of", "needs text or fields")


def has_one_source(image: JsonObject) -> Iterator[Finding]:
    """An image comes from one address or one file, and the file is named in one way."""
    yield from choices.exactly_one(image, "image_url", "slack_file")
    file = image.get("slack_file")
    if isinstance(file, dict):
        yield from (found.at(("slack_file",)) for found in choices.exactly_one(file, "id", "url"))


def dispatches_no_file(block: JsonObject) -> Iterator[Finding]:
    """dispatch_action and file_input exclude each other."""
    element = block.get("element")
    if block.get("dispatch_action") is True and isinstance(element, dict) and element.get("type") == "file_input":
        yield Finding(("dispatch_action",), "file_input", "must not be true with a file_input")


def names_each_action_once(block: JsonObject) -> Iterator[Finding]:
    """The action_ids of one block differ."""
    seen: set[str] = set()
    elements = block.get("elements")
    for index, element in enumerate(elements if isinstance(elements, list) else ()):
        name = element.get("action_id") if isinstance(element, dict) else None
        if isinstance(name, str):
            if name in seen:
                message = "is the action_id of an element before it: each element of a block needs its own"
                yield Finding(("elements", index, "action_id"), "unique", message)
            seen.add(name)


def spans(low: str, high: str) -> Rule:
    """The rule that of two whole numbers `low` is not above `high`."""

    def rule(element: JsonObject) -> Iterator[Finding]:
        least, most = element.get(low), element.get(high)
        if type(least) is int and type(most) is int and least > most:
            yield Finding((low,), "range", f"is {least}; must be at most {most}, the {high}", most, least)

    return rule


_NUMBERS = ("initial_value", "min_value", "max_value")
_ORDERED = (("min_value", "max_value"), ("min_value", "initial_value"), ("initial_value", "max_value"))


def keeps_its_numbers_in_order(element: JsonObject) -> Iterator[Finding]:
    """A number input's bounds enclose what it begins with, and all are whole where decimals are not allowed."""
    numbers = {name: Decimal(element[name]) for name in _NUMBERS if _is_number(element.get(name))}
    if element.get("is_decimal_allowed") is False:
        for name, number in numbers.items():
            if number != number.to_integral_value():
                yield Finding((name,), "whole", "must be a whole number, because is_decimal_allowed is false")
    for low, high in _ORDERED:
        if low in numbers and high in numbers and numbers[low] > numbers[high]:
            yield Finding((low,), "range", f"must not be above {high}")


def _is_number(value: Any) -> bool:
    check, _ = CHECKS["decimal"]
    return isinstance(value, str) and check(value)


_OPTIONS: tuple[Rule, ...] = (choices.begins_with_offered_options, choices.names_each_option_once)
_MULTI: tuple[Rule, ...] = (choices.begins_within_its_maximum,)

BLOCK_RULES: Mapping[str, tuple[Rule, ...]] = {
    "section": (needs_text_or_fields,),
    "image": (has_one_source,),
    "actions": (names_each_action_once,),
    "input": (dispatches_no_file,),
}
ELEMENT_RULES: Mapping[str, tuple[Rule, ...]] = {
    "image": (has_one_source,),
    "overflow": (choices.names_each_option_once,),
    "checkboxes": _OPTIONS,
    "radio_buttons": _OPTIONS,
    "static_select": (choices.offers_one_list, *_OPTIONS),
    "multi_static_select": (choices.offers_one_list, *_OPTIONS, *_MULTI),
    "multi_external_select": _MULTI,
    "multi_users_select": _MULTI,
    "multi_conversations_select": _MULTI,
    "multi_channels_select": _MULTI,
    "plain_text_input": (spans("min_length", "max_length"),),
    "rich_text_input": (spans("min_lines", "max_lines"),),
    "number_input": (keeps_its_numbers_in_order,),
}

"""Where blocks stand in a tool's parameters, and what is wrong with the way there.

A message: `blocks` and `attachments[].blocks`. A modal or Home tab: `view.blocks`, or `blocks` where the tool takes
nothing else. `blocks`, `attachments` and `view` may be JSON in a string, as Slack's form encoding has it; it is parsed
as strictly as everything else, and its faults are told as if it stood there unpacked.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from interpose.contracts import strict
from interpose.contracts.limits import PARAMETERS_BYTES
from interpose.contracts.model import JsonObject
from interpose.contracts.paths import Path
from interpose.errors import InvalidInput
from interpose_validator.block_kit.blocks import ATTACHMENTS_AT_MOST
from interpose_validator.findings import Finding
from interpose_validator.objections import kind_of, too_many
from interpose_validator.settings import BlockKit, Surface

_PACKED = ("blocks", "attachments", "view")


@dataclass(slots=True)
class Places:
    """The value with its JSON strings unpacked, the lists of blocks in it, and what was wrong on the way to them."""

    document: JsonObject
    lists: list[tuple[Path, list[Any]]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def broke(self, name: str) -> bool:
        """Whether the JSON in the string `name` could not be read, which is fault enough."""
        return any(found.path == (name,) and found.keyword == "json" for found in self.findings)


def find(profile: BlockKit, value: JsonObject) -> Places:
    """Every place of blocks in these parameters. A field that is null counts as absent."""
    places = Places({name: held for name, held in value.items() if name not in _PACKED or held is not None})
    for name in _PACKED:
        if isinstance(packed := places.document.get(name), str):
            _unpack(places, name, packed)
    if profile.surface is Surface.MESSAGE:
        _find_in_message(places, profile.enforce)
    else:
        _find_in_view(places, profile.surface)
    return places


def _unpack(places: Places, name: str, packed: str) -> None:
    try:
        unpacked = strict.parse(packed.encode("utf-8", "surrogatepass"), limit=PARAMETERS_BYTES, what=name)
    except InvalidInput as error:
        places.findings.extend(_packed_faults(name, error))
        del places.document[name]
    else:
        places.document[name] = unpacked


def _packed_faults(name: str, error: InvalidInput) -> Iterator[Finding]:
    for fault in error.faults:
        message = f"is no JSON that can be read: {fault.message}"
        yield Finding((name,), "json", message, fault.limit, fault.given, fault.path.removeprefix("$"))


def _find_in_message(places: Places, enforce: bool) -> None:
    _refuse(places, "view", "belongs to a modal or Home tab, and this hook judges messages")
    if enforce and not places.document.get("blocks") and not places.broke("blocks"):
        message = "is required: this hook refuses a message without blocks"
        places.findings.append(Finding(("blocks",), "required", message))
    _take(places, ("blocks",), places.document.get("blocks"))
    attachments = places.document.get("attachments")
    if isinstance(attachments, list):
        _find_in_attachments(places, attachments)
    elif attachments is not None:
        places.findings.append(_must_be(("attachments",), "an array", attachments))


def _find_in_attachments(places: Places, attachments: list[Any]) -> None:
    if (given := len(attachments)) > ATTACHMENTS_AT_MOST:
        message = too_many(given, "attachment", "most", ATTACHMENTS_AT_MOST)
        places.findings.append(Finding(("attachments",), "maxItems", message, ATTACHMENTS_AT_MOST, given))
    for index, attachment in enumerate(attachments):
        if isinstance(attachment, dict):
            _take(places, ("attachments", index, "blocks"), attachment.get("blocks"))
        else:
            places.findings.append(_must_be(("attachments", index), "an object", attachment))


def _find_in_view(places: Places, surface: Surface) -> None:
    _refuse(places, "attachments", f"belongs to a message, and this hook judges a {surface}")
    view = places.document.get("view")
    if isinstance(view, dict):
        _take_view(places, surface, view)
    elif view is not None:
        places.findings.append(_must_be(("view",), "an object", view))
    elif "blocks" not in places.document and not places.broke("blocks") and not places.broke("view"):
        places.findings.append(Finding(("blocks",), "required", f"is required: a {surface} is made of blocks"))
    _take(places, ("blocks",), places.document.get("blocks"))


def _take_view(places: Places, surface: Surface, view: JsonObject) -> None:
    if view.get("type", surface) != surface:
        message = f'must be "{surface}", which is what this hook judges'
        places.findings.append(Finding(("view", "type"), "const", message))
    if view.get("blocks") is None:
        message = f"is required: a {surface} is made of blocks"
        places.findings.append(Finding(("view", "blocks"), "required", message))
    _take(places, ("view", "blocks"), view.get("blocks"))


def _take(places: Places, path: Path, blocks: Any) -> None:
    if isinstance(blocks, list):
        places.lists.append((path, blocks))
    elif blocks is not None:
        places.findings.append(_must_be(path, "an array", blocks))


def _refuse(places: Places, name: str, message: str) -> None:
    if name in places.document:
        places.findings.append(Finding((name,), "surface", message))


def _must_be(path: Path, kind: str, value: Any) -> Finding:
    return Finding(path, "type", f"must be {kind}, not {kind_of(value)}")

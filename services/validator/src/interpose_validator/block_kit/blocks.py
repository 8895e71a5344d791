"""Slack's blocks by their type, with every limit, and what may stand in which and where. Sources: Slack's pages
"Reference: blocks", "Reference: block elements & interactive components" and the page of each block.

Block types that are not listed (rich_text, video, file, markdown, table, context_actions and whatever comes next) are
refused: what cannot be judged is not a yes.
"""

from collections.abc import Mapping

from interpose_validator.block_kit.composition import SLACK_FILE
from interpose_validator.block_kit.elements import BUTTONS, INPUTS, MENUS, PICKERS
from interpose_validator.block_kit.shapes import (
    BOOLEAN,
    ELEMENT,
    Fields,
    Needed,
    Schema,
    array,
    plain,
    string,
    text,
    typed,
)
from interpose_validator.settings import Surface

BLOCKS_AT_MOST: Mapping[Surface, int] = {Surface.MESSAGE: 50, Surface.MODAL: 100, Surface.HOME: 100}
ATTACHMENTS_AT_MOST = 100
"""Slack's page "chat.postMessage", error too_many_attachments."""

_FIELDS: Mapping[str, Fields] = {
    "section": {"text": text(3000), "fields": array(text(2000), most=10), "accessory": ELEMENT, "expand": BOOLEAN},
    "header": {"text": Needed(plain(150))},
    "divider": {},
    "image": {
        "alt_text": Needed(string(2000)),
        "image_url": string(3000, format="web-address"),
        "slack_file": SLACK_FILE,
        "title": plain(2000),
    },
    "actions": {"elements": Needed(array(ELEMENT, most=25))},
    "context": {"elements": Needed(array(ELEMENT, most=10))},
    "input": {
        "label": Needed(plain(2000)),
        "element": Needed(ELEMENT),
        "hint": plain(2000),
        "optional": BOOLEAN,
        "dispatch_action": BOOLEAN,
    },
}
BLOCKS: Mapping[str, Schema] = {
    kind: typed(kind, {"block_id": string(255), **fields}) for kind, fields in _FIELDS.items()
}
"""The shape of each block. Slack shows all of them on every surface."""

CONTEXT_TEXTS: Mapping[str, Schema] = {"plain_text": text(3000), "mrkdwn": text(3000)}
"""The text objects that stand among a context block's elements."""

HOLDS: Mapping[tuple[str, str], frozenset[str]] = {
    ("section", "accessory"): BUTTONS | PICKERS - {"datetimepicker"} | MENUS | {"image"},
    ("actions", "elements"): BUTTONS | PICKERS | MENUS,
    ("context", "elements"): frozenset({"image", *CONTEXT_TEXTS}),
    ("input", "element"): PICKERS | MENUS | INPUTS,
}
"""Which elements stand in which field of which block."""

_MODAL_ALONE = frozenset({Surface.MODAL})
SHOWN_ON: Mapping[str, frozenset[Surface]] = {
    "email_text_input": _MODAL_ALONE,
    "url_text_input": _MODAL_ALONE,
    "number_input": _MODAL_ALONE,
    "file_input": _MODAL_ALONE,
    "rich_text_input": frozenset({Surface.MODAL, Surface.HOME}),
    "datetimepicker": frozenset({Surface.MESSAGE, Surface.MODAL}),
    "workflow_button": frozenset({Surface.MESSAGE}),
}
"""Elements that Slack does not show on every surface."""

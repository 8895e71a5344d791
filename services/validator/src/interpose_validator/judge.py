"""The one question this service answers: does the value fit what the hook's settings ask for?"""

from typing import assert_never

from interpose.contracts.model import JsonObject
from interpose.errors import Fault
from interpose_validator import block_kit, json_schema
from interpose_validator.findings import in_order
from interpose_validator.settings import BlockKit, InlineSchema, read


def judge(settings: JsonObject, value: JsonObject) -> list[Fault]:
    """Everything that is wrong with `value`, in its own order; an empty list is a yes.

    `settings` is the hook's `with`, `value` the parameters (or the response) as the strict parser made them. Pure and
    safe to call from several threads. Raises UnusableSettings for settings that nothing can be judged by: unknown ones,
    an unknown schema name, a JSON Schema that is broken or that points outside itself.
    """
    profile = read(settings)
    match profile:
        case BlockKit():
            document, findings = block_kit.examine(profile, value)
            return in_order(findings, document)
        case InlineSchema(schema):
            return in_order(json_schema.examine(schema, value), value)
    assert_never(profile)

"""The parts of the pages that are made from the code, by the name under which a page asks for them."""

from collections.abc import Callable, Mapping

from reference import answers, bus, codes, endings, events, examples, fields, mapping, wire

PARTS: Mapping[str, Callable[..., str]] = {
    "actions": bus.actions,
    "agent-errors": codes.agent_errors,
    "ask": wire.ask,
    "codes": codes.codes,
    "endings": endings.endings,
    "environment": fields.environment,
    "events": events.events,
    "exits": endings.exits,
    "faults": examples.faults,
    "fields": fields.fields,
    "file": examples.file,
    "kinds": bus.kinds,
    "limits": bus.limits,
    "mapping": mapping.mapping,
    "mapping-sources": mapping.mapping_sources,
    "matches": examples.matches,
    "native-answers": answers.native_answers,
    "order": examples.order,
    "permissions": bus.permissions,
    "service-errors": endings.service_errors,
    "statuses": bus.statuses,
    "verdict": wire.verdict,
    "warnings": examples.warnings,
}

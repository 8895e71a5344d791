"""The OpenAPI document. The hot route is a plain one, so its schema is written here from the contracts."""

from functools import cache
from typing import Any

from pydantic.json_schema import models_json_schema

from interpose.contracts.call import Answer, Call

STATUSES = {
    "200": "Delivered (or, for dry_run, the decision).",
    "401": "No token, or an unknown one.",
    "403": "Refused, or withheld after the tool ran: `ran` tells which.",
    "404": "No such tool.",
    "408": "The call did not arrive in time.",
    "413": "Too large.",
    "422": "Invalid; `errors` names each place.",
    "429": "Too many calls under way; see Retry-After.",
    "502": "The tool failed or was not started.",
    "503": "No decision could be made: no configuration, broker lost, record impossible.",
    "504": "Nobody knows whether the tool ran.",
}


@cache
def describe() -> dict[str, Any]:
    """The document for `/openapi.json`."""
    refs, schemas = models_json_schema(
        [(Call, "validation"), (Answer, "serialization")], ref_template="#/components/schemas/{model}"
    )
    answer = {"application/json": {"schema": refs[Answer, "serialization"]}}
    call = {
        "summary": "Call a tool",
        "description": "Judged by every matching hook before it runs; its response is judged before it is delivered.",
        "operationId": "call",
        "security": [{"token": []}],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": refs[Call, "validation"]}},
        },
        "responses": {code: {"description": text, "content": answer} for code, text in STATUSES.items()},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Interpose gateway", "version": "1"},
        "paths": {"/v1/calls": {"post": call}} | _plain_paths(),
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _plain_paths() -> dict[str, Any]:
    told = {
        "/healthz": ("The process lives", {"200": "It does."}),
        "/readyz": ("Calls can be decided now", {"200": "Ready.", "503": "Not ready; `trouble` says why."}),
        "/metrics": ("Metrics for Prometheus", {"200": "The text exposition format."}),
    }
    return {
        path: {"get": {"summary": summary, "responses": {code: {"description": text} for code, text in codes.items()}}}
        for path, (summary, codes) in told.items()
    }

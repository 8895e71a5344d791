"""The generated JSON Schemas: no drift, closed where the models are, and of one mind with them."""

import subprocess
import sys
from pathlib import Path

import jsonschema_rs
import pytest
from pydantic import ValidationError

from interpose.contracts.schemas import FOLDER, MODELS, main, schema, write

ASK = {
    "tool": "message",
    "action": "send",
    "parameters": {"channel": "C123456789", "text": "Hello world"},
    "context": {"user": "patrick", "session": "abc123", "agent": "main", "platform": "openclaw"},
    "phase": "before",
    "call_id": "01920000-0000-7000-8000-000000000000",
    "revision": 17,
    "hook": "block-kit-enforcer",
    "with": {"schema": "slack-block-kit"},
    "ask_id": "a",
    "canonical_tool": "message",
    "kind": "Message",
    "native": {"platform": "openclaw", "tool": "message", "digest": "sha256:0"},
}
HOOK = {"name": "a", "service": "b", "failMode": "reject", "timeout": 5000, "with": {"schema": "slack-block-kit"}}


def test_the_files_are_what_the_models_say():
    """A changed model without `--write` is noticed here, as a person would notice it."""
    command = [sys.executable, "-m", "interpose.contracts.schemas", "--check"]

    assert 0 == subprocess.run(command, check=False).returncode
    assert {f"{name}.json" for name in MODELS} == {path.name for path in FOLDER.iterdir()}


def test_what_was_written_has_not_drifted(tmp_path, capsys):
    """Writing mends whatever checking finds, and checking says nothing then."""
    assert 0 == main(["--write", "--folder", str(tmp_path / "new")])
    assert 0 == main(["--check", "--folder", str(tmp_path / "new")])
    assert "" == capsys.readouterr().out


def test_drift_is_named(tmp_path, capsys):
    """A changed file, a missing one and one left over, with the remedy and exit code 1."""
    write(tmp_path)
    (tmp_path / "ask.json").write_text("{}\n")
    (tmp_path / "call.json").unlink()
    (tmp_path / "old.json").write_text("{}\n")

    assert 1 == main(["--check", "--folder", str(tmp_path)])
    names = "ask.json, call.json, old.json"
    remedy = "run python -m interpose.contracts.schemas --write"
    assert f"drifted from the models: {names}; {remedy}\n" == capsys.readouterr().out


def objects(part: object) -> list[dict]:
    """Every schema of an object with named fields, at any depth."""
    if isinstance(part, dict):
        here = [part] if "properties" in part and part.get("type") == "object" else []
        return here + [found for inner in part.values() for found in objects(inner)]
    return [found for inner in part for found in objects(inner)] if isinstance(part, list) else []


@pytest.mark.parametrize("name", ["verdict", "call", "answer", "run-reply", "configuration"])
def test_closed_contracts_close_every_object(name):
    """An editor marks an unknown field wherever the model would refuse it."""
    found = objects(schema(name))

    assert found
    assert all(part["additionalProperties"] is False for part in found)


@pytest.mark.parametrize("name", ["ask", "run"])
def test_open_contracts_stay_open(name):
    """A newer sender still reaches an older worker."""
    assert "additionalProperties" not in schema(name)


EXAMPLES = [
    ("ask", ASK, True),
    ("ask", ASK | {"newer": 1}, True),
    ("ask", ASK | {"phase": "during"}, False),
    ("verdict", {"verdict": "allow"}, True),
    ("verdict", {"verdict": "maybe"}, False),
    ("verdict", {"verdict": "allow", "odd": 1}, False),
    ("verdict", {"verdict": "reject", "reason": "x" * 2000}, True),
    ("verdict", {"verdict": "reject", "reason": "x" * 2001}, False),
    ("call", {"tool": "message", "parameters": {}}, True),
    ("call", {"tool": "message"}, False),
    ("call", {"tool": "message", "parameters": [], "wait": True}, False),
    ("call", {"tool": "message", "parameters": {}, "tenant": "x"}, False),
    ("run-reply", {"status": "success", "response": [1]}, True),
    ("run-reply", {"status": "ok"}, False),
    ("configuration", {"hooks": {}}, True),
    ("configuration", {}, False),
    ("configuration", {"hooks": {"before:message.send": [HOOK]}}, True),
    ("configuration", {"hooks": {"befor:message.send": [HOOK]}}, False),
    ("configuration", {"hooks": {"before:message.send": [HOOK | {"failMode": "rejct"}]}}, False),
    ("configuration", {"hooks": {"before:message.send": [HOOK | {"fail_mode": "warn"}]}}, False),
    ("configuration", {"hooks": {}, "tools": {"t": {"actionFrom": "action"}}}, False),
]


@pytest.mark.parametrize(("name", "value", "is_good"), EXAMPLES)
def test_schema_and_model_agree(name, value, is_good):
    """What one accepts the other accepts, by the same names."""
    assert is_good == jsonschema_rs.validator_for(schema(name)).is_valid(value)

    if is_good:
        MODELS[name].model_validate(value, by_alias=True, by_name=False)
    else:
        with pytest.raises(ValidationError):
            MODELS[name].model_validate(value, by_alias=True, by_name=False)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_each_file_is_a_schema(path: Path):
    """Valid by the draft it names."""
    assert jsonschema_rs.meta.is_valid(schema(path.stem))

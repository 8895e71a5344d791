"""The code of the pages does what the pages say of it."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from interpose.cli.found import load
from interpose.config.load import load as load_configuration
from interpose.contracts.config import HookSpec
from interpose.contracts.digest import encode
from interpose.contracts.verdict import Verdict
from interpose.testing import MemoryBus, conformance, judge, make_ask
from interpose_script_runner.runner import ScriptRunner
from interpose_validator.service import hook as validator

SNIPPETS = Path(__file__).parents[2] / "docs" / "snippets"
FILES = sorted(path for path in SNIPPETS.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
HOOKS = [path for path in FILES if path.suffix == ".py" and "Hook(" in path.read_text()]
MOST_LINES = 30

Configured = Callable[[str], HookSpec]


def name(path: Path) -> str:
    """A snippet as pages call it."""
    return path.relative_to(SNIPPETS).as_posix()


@pytest.mark.parametrize("path", HOOKS, ids=name)
def test_a_hook_is_short(path: Path) -> None:
    """A hook of the pages has fewer than 30 lines, docstrings and empty lines included, and its syntax is Python's."""
    text = path.read_text()

    assert ast.parse(text).body
    assert MOST_LINES > len(text.splitlines())


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_snippet_stands_on_a_page(path: Path) -> None:
    """No snippet is kept that no page shows."""
    pages = "".join(page.read_text() for page in SNIPPETS.parent.glob("*.md"))

    assert f"<!-- generated: file {name(path)} -->" in pages


SAMPLES = {
    "channel-list": make_ask(
        tool="message", action="send", parameters={"channel": "C0ALERTS"}, settings={"channels": ["C0ALERTS"]}
    ),
    "guard": make_ask(tool="Bash", parameters={"command": "ls"}),
    "mask-addresses": make_ask(tool="web_fetch", response={"text": "a@b.example"}),
    "ask-before-delete": make_ask(tool="mcp__files__delete_file", parameters={"path": "notes.txt"}),
}


@pytest.mark.parametrize("path", HOOKS, ids=name)
async def test_a_hook_passes_the_exam(path: Path) -> None:
    """Each hook of the pages is what the pages ask of a hook, by the exam that they name."""
    bus = MemoryBus()
    service = bus.attach(load(path)).name
    sample = SAMPLES[service]

    await conformance.sit(conformance.MemoryTarget(bus, service, sample.phase), sample)


def test_the_test_of_the_first_hook_passes(snippets: Path, tmp_path: Path) -> None:
    """A reader who copies the first example and runs pytest in its folder sees it pass."""
    folder = shutil.copytree(snippets / "first-hook", tmp_path / "mine")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}

    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"], cwd=folder, env=clean, capture_output=True, text=True, check=False
    )

    assert 0 == ended.returncode, ended.stdout
    assert "3 passed" in ended.stdout


def test_addresses_are_masked_at_any_depth(snippets: Path) -> None:
    """Every address in the texts of a response is replaced; the rest stays."""
    hook = load(snippets / "masking/mask_addresses.py")
    response = {"title": "a@b.example", "parts": [{"text": "write to first.last+x@mail.b.example!", "size": 3}]}

    verdict = judge(hook, tool="web_fetch", response=response)

    masked = {"title": "[address]", "parts": [{"text": "write to [address]!", "size": 3}]}
    assert ("transform", masked) == (verdict.verdict, verdict.output)
    assert "allow" == judge(hook, tool="web_fetch", response={"text": "no address"}).verdict


async def ask_script(spec: HookSpec, text: str) -> Verdict:
    """What a script says to a message of this text."""
    ask = make_ask(tool="message", action="send", parameters={"text": text})
    runner = ScriptRunner(os.environ)
    told = await runner.answer(ask, encode(ask.to_wire()), str(spec.script), spec.transforming, 10_000)
    assert isinstance(told, Verdict), told
    return told


async def test_a_key_in_a_message_is_refused(configured: Configured) -> None:
    """The script refuses a message that holds an access key id, with its reason, and allows another."""
    spec = configured("no-keys")
    key = "AKIA" + "ABCDEFGHIJKLMNOP"

    refused, allowed = await ask_script(spec, f"use {key}"), await ask_script(spec, "use your own")

    assert ("reject", "it holds an AWS access key id") == (refused.verdict, refused.reason)
    assert "allow" == allowed.verdict


async def test_a_script_whose_check_breaks_refuses(
    configured: Configured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a grep that works the answer is no."""
    broken = tmp_path / "grep"
    broken.write_text("#!/bin/sh\nexit 2\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    verdict = await ask_script(configured("no-keys"), "use your own")

    assert ("reject", "the rule could not be checked") == (verdict.verdict, verdict.reason)


@pytest.mark.parametrize(
    ("folder", "parameters", "verdict"),
    [
        ("migration/block-kit", {"channel": "C1", "blocks": [{"type": "divider"}]}, "allow"),
        ("migration/block-kit", {"channel": "C1", "text": "hello"}, "reject"),
        ("migration/block-kit", {"channel": "C1", "blocks": [{"type": "section"}]}, "reject"),
        ("migration/tickets", {"title": "It broke", "priority": "P2"}, "allow"),
        ("migration/tickets", {"title": "It broke", "priority": "urgent"}, "reject"),
        ("migration/tickets", {"title": "x" * 81, "priority": "P1"}, "reject"),
        ("migration/tickets", {"title": "It broke"}, "reject"),
    ],
)
def test_the_validator_keeps_the_rules_of_the_pages(
    configured: Configured, folder: str, parameters: dict[str, object], verdict: str
) -> None:
    """The configurations that name the validator allow and refuse what their sentences say."""
    spec = configured(folder)

    assert "validator" == spec.service
    assert verdict == judge(validator, parameters=parameters, settings=spec.settings).verdict


def test_deleting_needs_a_person(snippets: Path, configured: Configured) -> None:
    """The hook of the sixth sentence asks for a person and says what would be deleted."""
    hook = load(snippets / "migration/deletes/ask_before_delete.py")

    verdict = judge(hook, tool="mcp__files__delete_file", parameters={"path": "notes.txt"})

    assert hook.name == configured("migration/deletes").service
    assert ("ask", "mcp__files__delete_file would delete notes.txt") == (verdict.verdict, verdict.reason)


@pytest.mark.parametrize("folder", ["first-hook", "masking"])
def test_a_configuration_names_the_hook_beside_it(snippets: Path, configured: Configured, folder: str) -> None:
    """The service of the configuration is the one that the file beside it serves, and it may do what it does."""
    (path,) = [hook for hook in HOOKS if hook.parent == snippets / folder]

    assert load(path).name == configured(folder).service
    assert configured(folder).transforming == ("transform(" in path.read_text())


def test_the_http_tools_of_the_page_are_a_good_configuration(snippets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is accepted, and with the keys that it names nothing in it is warned of."""
    monkeypatch.setenv("SLACK_BOT_TOKEN", "a")
    monkeypatch.setenv("CHAT_TOKEN", "b")
    loaded = load_configuration(snippets / "http-tools" / "interpose.json")

    assert () == loaded.warnings
    assert 4 == len(loaded.configuration.tools)

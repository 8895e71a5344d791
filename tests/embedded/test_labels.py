"""The page's rules about what a session has read, on everything that `interpose up` starts, and `interpose labels`."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.server

SNIPPET = Path(__file__).parents[2] / "docs" / "snippets" / "labels"
PAGES = """from interpose import Run, Tool

tool = Tool("WebFetch")


@tool.handle
def answer(run: Run) -> dict[str, object]:
    return {"text": f"the page at {run.parameters['url']}"}
"""
MAIL = ("message", "--action", "send", "--param", "channel=C1", "--param", "text=hi")


def called(machine: Any, session: str, *arguments: str) -> tuple[int, str | None]:
    """The exit code of a call in that session, and the answer's code."""
    ran = machine.run("call", *arguments, "--session", session, "--json")
    return ran.returncode, json.loads(ran.stdout)["answer"]["code"]


def fetch(machine: Any, session: str, url: str) -> tuple[int, str | None]:
    """A page is read."""
    return called(machine, session, "WebFetch", "--param", f"url={url}")


async def test_a_session_that_read_words_from_outside_asks_and_is_cleared_by_a_person(machine: Any) -> None:
    """As the page says: what is trusted changes nothing, a page does, and an operator's word ends it, on record."""
    for name in ("interpose.json", "policy.yaml"):
        shutil.copy(SNIPPET / name, machine.folder)
    (machine.folder / "pages.py").write_text(PAGES)
    up = await machine.up_lean("--with", "examples/quickstart/outbox.py", "--with", "pages.py")
    await up.started()

    assert "no session is known" in machine.run("labels", "list").stdout
    assert (0, None) == called(machine, "s-1", *MAIL)
    assert (0, None) == fetch(machine, "s-1", "https://www.docs.example/a")
    assert (0, None) == called(machine, "s-1", *MAIL)
    assert (0, None) == fetch(machine, "s-1", "https://news.example/a")
    assert (2, "approval-required") == called(machine, "s-1", *MAIL)
    assert (0, None) == called(machine, "s-2", *MAIL)

    listed, shown = machine.run("labels", "list").stdout, machine.run("labels", "show", "s-1").stdout
    assert listed == shown
    assert ["s-1  untrusted", "  tools    WebFetch", "  sources  news.example"] == [
        line for line in shown.splitlines() if "since" not in line
    ]
    told = json.loads(machine.run("labels", "show", "s-1", "--json").stdout)
    assert {"trust": "untrusted", "tools": ["WebFetch"], "sources": ["news.example"]} == told["labels"]
    page = machine.run("records", "show", told["kept"]["since"]["call_id"]).stdout
    assert "untrusted: WebFetch, news.example" in page
    assert "trust trusted" in page

    unasked = machine.run("labels", "clear", "s-1", "--reason", "I read it", stdin="")
    assert (1, True) == (unasked.returncode, "repeat it with --yes" in unasked.stderr)
    assert (2, "approval-required") == called(machine, "s-1", *MAIL)
    cleared = machine.run("labels", "clear", "s-1", "--reason", "I read it", "--yes")
    assert (0, True) == (cleared.returncode, "s-1 is cleared" in cleared.stdout)
    assert (0, None) == called(machine, "s-1", *MAIL)
    assert "there is nothing to clear" in machine.run("labels", "clear", "s-1", "--reason", "x", "--yes").stdout
    assert "I read it" in machine.run("labels", "show", "s-1").stdout
    on_record = machine.run("records", "follow", "--from-start", "--kind", "labels", "--count", "1")
    assert "clear what session s-1 has read" in on_record.stdout

    assert (0, None) == fetch(machine, "s-1", "https://news.example/a")
    assert (2, "approval-required") == called(machine, "s-1", *MAIL)
    assert "is not known to have read" in machine.run("labels", "show", "s-3").stdout
    assert machine.run("down").returncode == 0

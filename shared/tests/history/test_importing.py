"""An import stores each call once, whatever is damaged, killed, copied, moved or grows meanwhile."""

import json
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.history import files, importing
from interpose.history.entries import Entry, Position, State
from interpose.history.formats import FORMATS, format_of
from interpose.history.importing import Importer
from interpose.history.store import Store

from .conftest import AT, History, Told, claude_call, claude_result, codex_item


def pair(number: int) -> list[dict[str, Any]]:
    """A call and its result."""
    return [
        claude_call(f"toolu_{number:016d}", "Bash", {"command": f"echo {number}"}),
        claude_result(f"toolu_{number:016d}", f"{number}"),
    ]


def pairs(count: int) -> list[dict[str, Any]]:
    return [line for number in range(count) for line in pair(number)]


def outputs(history: History) -> list[tuple[str, str | None]]:
    return [(past.form["canonical_arguments"]["command"], past.form.get("output_text")) for past in history.calls()]


def test_importing_again_adds_nothing(history: History) -> None:
    """The second time nothing is read."""
    path = history.write("a.jsonl", *pairs(20))

    first, second = history.add("claude", path), history.add("claude", path)

    assert (20, 20, 0) == (first.calls, first.results, first.repeated)
    assert {"logs": 1} == {name: count for name, count in asdict(second).items() if count}
    assert [(f"echo {number}", str(number)) for number in range(20)] == outputs(history)


def test_a_log_that_grew_is_read_on_and_its_calls_get_their_results(history: History) -> None:
    """Also a line that was half written the first time; the state of the lines before is kept."""
    meta = {"timestamp": AT, "type": "session_meta", "payload": {"id": "s2", "cwd": "/w"}}
    call = codex_item(type="function_call", name="exec_command", arguments='{"cmd": "ls"}', call_id="c1")
    answer = codex_item(type="function_call_output", call_id="c1", output="a")
    half = json.dumps(answer)
    path = history.write("r.jsonl", meta, call, half[:20], ends="")

    first = history.add("codex", path)
    with path.open("a") as log:
        log.write(half[20:] + "\n" + json.dumps(call | {"payload": call["payload"] | {"call_id": "c2"}}) + "\n")
    second = history.add("codex", path)

    assert (1, 0, 1, 0) == (first.calls, first.results, first.unfinished, first.damaged)
    assert (1, 1, 0, 0) == (second.calls, second.results, second.unfinished, second.repeated)
    assert [("s2", "/w", "post"), ("s2", "/w", "pre")] == [
        (past.session, past.cwd, past.form["event"]) for past in history.calls()
    ]


def test_damaged_lines_are_told_with_their_place_and_skipped(history: History) -> None:
    """Whatever is wrong with a line, the others are stored."""
    nameless = claude_call("toolu_x", "Bash", {})
    del nameless["message"]["content"][1]["name"]
    deep = "[" * 2000 + "]" * 2000
    path = history.write(
        "d.jsonl",
        *pair(1),
        '{"type": "assistant", "mess',
        "[1]",
        nameless,
        claude_result("", "x"),
        deep,
        "",
        '{"type": "user", "text": "half a \\ud83d character"}',
        *pair(2),
    )
    with path.open("ab") as log:
        log.write(b'{"type": "\xff"}\n')

    tally = history.add("claude", path)

    assert (2, 2, 6) == (tally.calls, tally.results, tally.damaged)
    assert [3, 4, 5, 6, 7, 12] == [number for _, number, _ in history.told.damage]
    said = {number: message for _, number, message in history.told.damage}
    assert said[3].startswith("is no JSON: ")
    assert ("is JSON, but no object", "a tool_use block names no tool") == (said[4], said[5])


def test_half_a_character_loses_no_call(history: History) -> None:
    """Where a platform cut an output in the middle of one, the line is read and the bytes are kept."""
    line = json.dumps(claude_call("toolu_1", "Bash", {"command": "echo HALF"})).replace("HALF", "\\ud83d")
    tally = history.add("claude", history.write("h.jsonl", line))

    assert (1, 0) == (tally.calls, tally.damaged)
    assert "echo \N{REPLACEMENT CHARACTER}" == history.calls()[0].form["canonical_arguments"]["command"]
    assert line.encode() == history.calls()[0].request


def test_a_line_that_is_too_long_is_passed_over(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never in memory whole; the lines behind it are read, and it is not met again."""
    monkeypatch.setattr(files.FileLog.__init__, "__kwdefaults__", {"line_bytes": 2_000})
    monkeypatch.setattr(files, "PIECE_BYTES", 100)
    path = history.write("l.jsonl", *pair(1), claude_call("toolu_big", "Write", {"content": "x" * 10_000}), *pair(2))

    first, second = history.add("claude", path), history.add("claude", path)

    assert (2, 2, 1) == (first.calls, first.results, first.damaged)
    assert [("l.jsonl", 3, "is longer than 2000 bytes")] == history.told.damage
    assert 0 == second.damaged


def test_a_log_is_a_stream(history: History) -> None:
    """No more entries are taken than a batch holds before it is stored: a log of any size is never in memory."""

    class Endless:
        """A log without an end: whoever gathers it never comes back."""

        path, name, identity, size, is_unfinished = Path("endless"), "endless", "endless", 0, False
        taken = 0

        @property
        def tells(self) -> State:
            return {}

        def still_holds(self, _position: Position) -> bool:
            return True

        def entries(self, _after: Position) -> Iterator[Entry]:
            line = json.dumps(claude_call("toolu_1", "Bash", {"command": "ls"}, sessionId="s")).encode()
            while True:
                self.taken += 1
                yield Entry(self.taken, line, Position(self.taken, self.taken, self.taken, b"x"))

    class Stopped(Exception):
        """What ends it."""

    class Stopping(Told):
        stored: list[tuple[int, int]]

        def advanced(self, log: Any, offset: int) -> None:
            self.stored = [*getattr(self, "stored", []), (log.taken, offset)]
            if len(self.stored) == 3:
                raise Stopped

    store, stopping = Store.open(history.path), Stopping()
    with pytest.raises(Stopped):
        Importer(store, format_of("claude"), stopping).run([Endless()])
    store.close()

    size = importing.BATCH_ENTRIES
    assert [(size, size), (2 * size, 2 * size), (3 * size, 3 * size)] == stopping.stored


def test_copied_calls_are_one(history: History) -> None:
    """A session that goes on from another's log repeats it, under a new name and a new session."""
    copied = [line | {"sessionId": "s9"} for line in pairs(3)]
    first = history.add("claude", history.write("a.jsonl", *pairs(3)))

    second = history.add("claude", history.write("b.jsonl", *copied, *pair(7)))

    assert (3, 1, 3) == (first.calls, second.calls, second.repeated)
    assert [("echo 0", "0"), ("echo 1", "1"), ("echo 2", "2"), ("echo 7", "7")] == outputs(history)


def test_a_copy_that_has_the_result_gives_it_to_the_call(history: History) -> None:
    """The first log ended before it came."""
    history.add("claude", history.write("a.jsonl", pair(1)[0]))

    second = history.add("claude", history.write("b.jsonl", *pair(1)))

    assert (0, 1, 1) == (second.calls, second.repeated, second.results)
    assert [("echo 1", "1")] == outputs(history)


def test_ids_that_count_are_of_their_session_and_may_come_again_there(history: History) -> None:
    """`call_0` of two sessions is two calls, and twice in one is two as well, each with its own result."""
    again = [claude_call("call_0", "Bash", {"command": "date"}), claude_result("call_0", "one")]
    later = [claude_call("call_0", "Bash", {"command": "date"}), claude_result("call_0", "two")]
    other = [line | {"sessionId": "s8"} for line in again]
    a, b = history.write("a.jsonl", *again, *later), history.write("b.jsonl", *other)

    first, second = history.add("claude", a, b), history.add("claude", a, b)

    assert (3, 3, 0) == (first.calls, first.results, first.repeated)
    assert (0, 0) == (second.calls, second.repeated)
    assert [("date", "one"), ("date", "two"), ("date", "one")] == outputs(history)


def test_a_moved_log_is_read_on_and_a_changed_one_anew(history: History) -> None:
    """Archived under another name it is the same; with another last line it is another, and nothing is stored twice."""
    path = history.write("a.jsonl", *pairs(3))
    history.add("claude", path)

    moved = path.rename(history.folder / "archived.jsonl")
    assert (0, 0) == (history.add("claude", moved).calls, history.add("claude", moved).repeated)
    moved.write_text("\n".join(json.dumps(line) for line in [*pairs(2), *pair(5), *pair(6)]) + "\n")
    changed = history.add("claude", moved)

    assert (2, 2) == (changed.calls, changed.repeated)
    assert ["echo 0", "echo 1", "echo 2", "echo 5", "echo 6"] == [command for command, _ in outputs(history)]


def test_results_of_no_known_call_are_counted(history: History) -> None:
    """Its call stood in a log that is gone."""
    assert 1 == history.add("claude", history.write("a.jsonl", claude_result("toolu_gone", "x"))).unmatched


def test_the_records_are_the_providers_own_bytes(history: History) -> None:
    """Of the call and of what came back, as they stood in the log; the file is its owner's alone."""
    lines = [json.dumps(line, separators=(" , ", ":")) for line in pair(1)]
    history.add("claude", history.write("a.jsonl", *lines))

    [past] = history.calls()
    assert (lines[0].encode(), lines[1].encode()) == (past.request, past.response)
    assert (str(history.folder / "a.jsonl"), 1) == (past.log, past.number)
    assert "600" == f"{history.path.stat().st_mode & 0o777:o}"


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from interpose.history import importing
    from interpose.history.formats import format_of
    from interpose.history.sources import logs
    from interpose.history.store import Store

    importing.BATCH_ENTRIES = 7
    form = format_of("claude")

    class Witness:
        batches = 0
        def damaged(self, *_): ...
        def advanced(self, *_): self.batches += 1

    class Dying(Store):
        calls = 0
        def add_result(self, *given):
            Dying.calls += 1
            if Dying.calls == 12:
                os.kill(os.getpid(), signal.SIGKILL)
            return super().add_result(*given)

    importing.Importer(Dying.open(Path(sys.argv[2])), form, Witness()).run(logs([Path(sys.argv[1])], form))
"""


def test_an_import_that_is_killed_goes_on_where_it_was(history: History) -> None:
    """With SIGKILL in the middle of a batch: what was stored stays, the rest comes, nothing comes twice."""
    path = history.write("a.jsonl", *pairs(30))

    for _ in range(2):
        words = [sys.executable, "-c", textwrap.dedent(KILLED), str(path), str(history.path)]
        killed = subprocess.run(words, check=False, capture_output=True, timeout=60)
        assert -signal.SIGKILL == killed.returncode, killed.stderr
    before = len(history.calls())
    tally = history.add("claude", path)

    assert 0 < before < 30
    assert (30 - before, 0) == (tally.calls, tally.repeated)
    assert [(f"echo {number}", str(number)) for number in range(30)] == outputs(history)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
RESULT = {"functionResponse": {"name": "n", "response": {"output": "o"}}}
GEMINI_CALL = {"id": "i", "name": "n", "args": {}, "status": "success", "result": [RESULT], "timestamp": AT}
BLOCK = {"type": "toolCall", "id": "i", "name": "exec", "arguments": {"command": "ls"}}
LINES: dict[str, list[dict[str, Any]]] = {
    "claude-code": pair(1),
    "codex": [
        {"type": "session_meta", "payload": {"id": "s", "cwd": "/"}},
        codex_item(type="function_call", name="shell", namespace="n", arguments="{}", call_id="c"),
        codex_item(type="local_shell_call", call_id="c", action={"command": ["ls"]}),
        codex_item(type="custom_tool_call", call_id="c", name="apply_patch", input="x"),
        codex_item(type="function_call_output", call_id="c", output={"content": "x", "metadata": {"exit_code": 0}}),
    ],
    "gemini-cli": [{"sessionId": "s", "$set": {"kind": "main"}, "type": "gemini", "toolCalls": [GEMINI_CALL]}],
    "openclaw": [
        {"type": "session", "id": "s", "cwd": "/"},
        {"type": "message", "message": {"role": "assistant", "content": [BLOCK]}},
        {"type": "message", "message": {"role": "toolResult", "toolCallId": "i", "content": [], "isError": False}},
    ],
    "copilot-cli": [
        {"type": "session.start", "data": {"sessionId": "s", "context": {"cwd": "/"}}},
        {"type": "tool.execution_start", "data": {"toolCallId": "c", "toolName": "view", "mcpServerName": "s"}},
        {"type": "tool.execution_complete", "data": {"toolCallId": "c", "success": True, "error": {"message": "m"}}},
    ],
    "cursor": [{"role": "assistant", "message": {"content": [{"type": "tool_use", "name": "Shell", "input": {}}]}}],
}
LINES["vscode-copilot"] = LINES["copilot-cli"]


def spoil(value: Any, draw: Any) -> Any:
    """The same with something else somewhere in it."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 4)) == 0:
        return draw(JSON)
    inner = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    key, chosen = draw(st.sampled_from(inner))
    spoiled = value.copy()
    spoiled[key] = spoil(chosen, draw)
    return spoiled


@pytest.mark.parametrize("platform", FORMATS)
@given(data=st.data())
def test_no_record_stops_an_import(platform: str, data: st.DataObject, tmp_path_factory: Any) -> None:
    """Whatever stands somewhere in a line, it is a call, a result, damage, or nothing."""
    lines = [spoil(line, data.draw) for line in LINES[platform]]
    history = History(tmp_path_factory.mktemp("spoiled"))

    tally = history.add(platform, history.write("f.jsonl", *lines))

    assert (1, tally.calls) == (tally.logs, len(history.calls()))

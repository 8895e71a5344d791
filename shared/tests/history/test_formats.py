"""Each platform's log: every call once, in its normal form, with what came back of it."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from interpose.errors import InvalidInput
from interpose.history.formats import FORMATS

from .conftest import AT, History, claude_call, claude_result, codex_item

PATCH = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n"


def told(history: History) -> list[tuple[Any, ...]]:
    """What is stored of each call, in short."""
    return [
        (past.tool, past.canonical, past.form["canonical_arguments"], past.is_error, past.form.get("output_text"))
        for past in history.calls()
    ]


def test_claude_code(history: History) -> None:
    """Interleaved calls of one message, of a subagent, of an MCP server and of a tool nobody knows each get their own
    result; other kinds of lines are passed over."""
    two = claude_call("toolu_a", "Bash", {"command": "ls", "timeout": 5})
    two["message"]["content"].append({"type": "tool_use", "id": "toolu_b", "name": "Read", "input": {"file_path": "a"}})
    path = history.write(
        "claude.jsonl",
        {"type": "summary", "summary": "of it"},
        two,
        claude_call("toolu_c", "mcp__files__read", {"p": 1}, isSidechain=True),
        claude_result("toolu_b", [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]),
        claude_result("toolu_a", "no such file", is_error=True),
        claude_call("toolu_d", "Invented", {"x": 1}),
        claude_result("toolu_c", "three"),
    )

    tally = history.add("claude", path)

    assert (4, 3, 0, 0) == (tally.calls, tally.results, tally.unmatched, tally.damaged)
    assert [
        ("Bash", "Bash", {"command": "ls", "timeout": 5}, True, "no such file"),
        ("Read", "Read", {"file_path": "a"}, False, "one\ntwo"),
        ("mcp__files__read", "mcp__files__read", {"p": 1}, False, "three"),
        ("Invented", "Invented", {"x": 1}, None, None),
    ] == told(history)
    assert [("s1", None, "/w"), ("s1", "sidechain", "/w")] == [
        (past.session, past.agent, past.cwd) for past in history.calls()[1:3]
    ]
    assert ["post", "post", "post", "pre"] == [past.form["event"] for past in history.calls()]
    assert 1_777_863_721_000_000 == history.calls()[0].at_us


def test_codex(history: History) -> None:
    """Functions, patches, the local shell, searches and code mode; events that tell them again add nothing."""
    path = history.write(
        "rollout-1.jsonl",
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "s2", "cwd": "/w"}},
        codex_item(type="function_call", name="exec_command", arguments='{"cmd": "ls", "workdir": "/x"}', call_id="c1"),
        codex_item(type="custom_tool_call", name="apply_patch", input=PATCH, call_id="c2"),
        {"timestamp": AT, "type": "event_msg", "payload": {"type": "exec_command_begin", "call_id": "c1"}},
        codex_item(type="custom_tool_call_output", call_id="c2", output='{"output":"Done","metadata":{"exit_code":0}}'),
        codex_item(type="function_call_output", call_id="c1", output={"content": "a\nb", "success": False}),
        codex_item(type="local_shell_call", call_id="c3", action={"type": "exec", "command": ["ls", "-l"]}),
        codex_item(type="web_search_call", action={"type": "search", "query": "nats"}),
        codex_item(type="function_call", name="spawn_agent", namespace="collaboration", arguments="{}", call_id="c4"),
        codex_item(type="custom_tool_call", name="exec", input="await ls()", call_id="c5"),
        codex_item(type="function_call", name="exec_command", arguments="{half", call_id="c6"),
        {"timestamp": AT, "type": "compacted", "payload": {"message": "", "replacement_history": []}},
    )

    tally = history.add("codex", path)

    assert (7, 2, 0) == (tally.calls, tally.results, tally.damaged)
    patch = {"patch": PATCH, "operations": [{"op": "add", "file_path": "a.txt"}]}
    assert [
        ("exec_command", "Bash", {"command": "ls", "cwd": "/x"}, True, "a\nb"),
        ("apply_patch", "Edit", patch, False, "Done"),
        ("local_shell", "Bash", {"command": "ls -l"}, None, None),
        ("web_search", "WebSearch", {"query": "nats"}, None, None),
        ("collaborationspawn_agent", "Task", {}, None, None),
        ("exec", "exec", {"input": "await ls()"}, None, None),
        ("exec_command", "Bash", {}, None, None),
    ] == told(history)
    assert ["/w/a.txt"] == history.calls()[1].form["affected_paths"]
    assert {"_raw": "{half"} == history.calls()[6].form["extra_arguments"]


def test_gemini(history: History) -> None:
    """Calls stand with their results; a message that is written again tells how its calls went on; what was rewound
    was done all the same; a subagent has a folder of its own."""
    running = {"id": "g1", "name": "run_shell_command", "args": {"command": "ls"}, "status": "executing"}
    answer = [{"functionResponse": {"id": "g1", "name": "run_shell_command", "response": {"output": "a b"}}}]
    message = {"id": "m1", "timestamp": AT, "type": "gemini", "content": "", "toolCalls": [running]}
    failed = {"id": "g2", "name": "read_file", "args": {"file_path": "b"}, "status": "error", "result": None}
    history.write(
        "chats/session-1.jsonl",
        {"sessionId": "s3", "projectHash": "p"},
        message,
        message | {"toolCalls": [running | {"status": "success", "result": answer}, failed]},
        {"$rewindTo": "m1"},
        {"$set": {"summary": "x"}},
    )
    deep = {"id": "g3", "name": "mcp_files_read", "args": {"p": 1}, "status": "success", "agentId": "scout"}
    history.write("chats/s3/session-2.jsonl", {"sessionId": "s4", "kind": "subagent"}, message | {"toolCalls": [deep]})

    tally = history.add("gemini", history.folder / "chats", servers=("files",))

    assert (2, 3, 3) == (tally.logs, tally.calls, tally.results)
    assert [
        ("mcp_files_read", "mcp__files__read", {"p": 1}, False, None),
        ("run_shell_command", "Bash", {"command": "ls"}, False, "a b"),
        ("read_file", "Read", {"file_path": "b"}, True, None),
    ] == sorted(told(history), key=lambda each: each[0] != "mcp_files_read")
    assert {"scout", None} == {past.agent for past in history.calls()}


EVENTS: list[dict[str, Any]] = [
    {"type": "session", "id": "s5", "cwd": "/w", "timestamp": AT},
    {
        "type": "message",
        "id": "e2",
        "timestamp": AT,
        "message": {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "o1", "name": "exec", "arguments": {"command": "ls"}}],
        },
    },
    {
        "type": "message",
        "id": "e3",
        "timestamp": AT,
        "message": {
            "role": "toolResult",
            "toolCallId": "o1",
            "content": [{"type": "text", "text": "a"}],
            "isError": False,
        },
    },
    {"type": "compaction", "id": "e4"},
]


def database(path: Path, events: list[dict[str, Any]], session: str = "s5", first: int = 0) -> None:
    """A table of events as OpenClaw keeps one, appended to."""
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE IF NOT EXISTS transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, "
        "created_at INTEGER, PRIMARY KEY (session_id, seq))"
    )
    rows = [(session, first + number, json.dumps(event), 0) for number, event in enumerate(events)]
    connection.executemany("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", rows[::-1])
    connection.commit()
    connection.close()


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])
def test_openclaw(history: History, kind: str) -> None:
    """The database and the files of older installations hold the same events; the path says whose they are."""
    folder = history.folder / "agents" / "main" / "agent"
    if kind == "jsonl":
        path = history.write("agents/main/agent/s5.jsonl", *EVENTS)
    else:
        folder.mkdir(parents=True)
        path = folder / "openclaw-agent.sqlite"
        database(path, EVENTS)

    tally = history.add("openclaw", path)

    assert (1, 1, 1) == (tally.logs, tally.calls, tally.results)
    assert [("exec", "Bash", {"command": "ls"}, False, "a")] == told(history)
    [past] = history.calls()
    assert ("s5", "main", "/w", "o1") == (past.session, past.agent, past.cwd, past.provider_call_id)


def test_an_openclaw_database_that_grew(history: History) -> None:
    """Each session goes on behind its last event, and a new one is read from its first."""
    path = history.folder / "x.sqlite"
    database(path, EVENTS[:2])
    assert 1 == history.add("openclaw", path).calls

    database(path, EVENTS[2:], first=2)
    database(path, [EVENTS[0] | {"id": "s6"}, *EVENTS[1:]], session="s6")
    again = history.add("openclaw", path)

    assert (1, 0, 2) == (again.calls, again.repeated, again.results)
    assert [("post", "s5"), ("post", "s6")] == [(past.form["event"], past.session) for past in history.calls()]


def test_a_database_of_another_form_is_refused_with_what_it_holds(history: History) -> None:
    """Nothing is guessed at."""
    path = history.folder / "other.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.close()

    with pytest.raises(InvalidInput, match=r"holds no table transcript_events .* but theirs"):
        history.add("openclaw", path)


@pytest.mark.parametrize("platform", ["copilot-cli", "vscode-copilot"])
def test_copilot(history: History, platform: str) -> None:
    """What was begun is a call, with the server where one is named; what was only asked for is none."""
    start = {"toolCallId": "p1", "toolName": "view", "arguments": '{"path": "/a"}', "parentToolCallId": "p0"}
    mcp = {"toolCallId": "p2", "toolName": "s-t", "arguments": {}, "mcpServerName": "s", "mcpToolName": "t"}
    path = history.write(
        "events.jsonl",
        {"type": "session.start", "timestamp": AT, "data": {"sessionId": "s7", "context": {"cwd": "/w"}}},
        {"type": "assistant.message", "data": {"toolRequests": [{"toolCallId": "p9", "name": "view"}]}},
        {"type": "tool.execution_start", "timestamp": AT, "data": start},
        {"type": "tool.execution_start", "timestamp": AT, "data": mcp},
        {"type": "tool.execution_complete", "data": {"toolCallId": "p2", "success": False, "error": {"message": "no"}}},
        {"type": "tool.execution_complete", "data": {"toolCallId": "p1", "success": True, "result": {"content": "x"}}},
    )

    history.add(platform, path)

    first, second = history.calls()
    assert (False, "x", "s7", "of p0") == (first.is_error, first.form["output_text"], first.session, first.agent)
    assert (True, "no", {"server": "s", "tool": "t"}) == (
        second.is_error,
        second.form["output_text"],
        second.form["mcp"],
    )


def test_cursor(history: History) -> None:
    """Calls without an id or a result: each line's is a call of its own, once."""
    line = {
        "role": "assistant",
        "message": {"content": [{"type": "tool_use", "name": "Shell", "input": {"command": "ls"}}]},
    }
    path = history.write("conversation.jsonl", line, line)

    first, again = history.add("cursor", path), history.add("cursor", path)

    assert (2, 0, 0) == (first.calls, again.calls, again.repeated)
    assert [("conversation", None), ("conversation", None)] == [
        (past.session, past.provider_call_id) for past in history.calls()
    ]


def test_a_name_that_no_rule_could_name_is_kept_in_its_own_words(history: History) -> None:
    """It is a call that was made: it is stored with a note, and counted."""
    tally = history.add("claude", history.write("x.jsonl", claude_call("toolu_a", "Ba\nsh", {"command": "ls"})))

    assert (1, 1, 0) == (tally.calls, tally.noted, tally.damaged)
    [past] = history.calls()
    assert (None, {"command": "ls"}) == (past.canonical, past.form["extra_arguments"])
    assert "visible characters" in str(past.note)


def test_platforms_without_a_log_that_is_known() -> None:
    """OpenCode's and MCP's are refused with those that there are."""
    from interpose.history.formats import format_of

    for platform in ("opencode", "mcp"):
        with pytest.raises(InvalidInput, match="claude-code, codex, gemini-cli, openclaw"):
            format_of(platform)
    assert 7 == len(FORMATS)

"""OpenClaw's tools (2026.9.6)."""

from interpose.platforms.tools.arguments import (
    Arguments,
    CamelArguments,
    Json,
    Number,
    Open,
    OpenCamel,
    Tools,
    undocumented,
)


class Exec(CamelArguments):
    """Runs a command; a program in code mode, whose arguments are others."""

    command: str
    title: str | None = None
    workdir: str | None = None
    env: dict[str, str] | None = None
    yield_ms: Number | None = None
    background: bool | None = None
    timeout_seconds: Number | None = None
    pty: bool | None = None
    elevated: bool | None = None
    host: str | None = None
    ask: str | None = None
    node: str | None = None


class Process(CamelArguments):
    """Looks at, types into or ends a command that runs."""

    action: str
    session_id: str | None = None
    data: str | None = None
    keys: list[str] | None = None
    hex: list[str] | None = None
    literal: str | None = None
    text: str | None = None
    bracketed: bool | None = None
    eof: bool | None = None
    offset: Number | None = None
    limit: Number | None = None
    timeout: Number | None = None


class Read(Arguments):
    """Reads a file."""

    path: str
    offset: Number | None = None
    limit: Number | None = None
    cursor: Json = None


class Write(Arguments):
    """Writes a whole file."""

    path: str
    content: str


class Replacement(CamelArguments):
    """One replacement."""

    old_text: str
    new_text: str


class Edit(Arguments):
    """Replaces texts in a file."""

    path: str
    edits: list[Replacement]


class ApplyPatch(Arguments):
    """A patch."""

    input: str


class Grep(CamelArguments):
    """Finds lines in files."""

    pattern: str
    path: str | None = None
    glob: str | None = None
    ignore_case: bool | None = None
    literal: bool | None = None
    context: Number | None = None
    limit: Number | None = None


class Find(Arguments):
    """Finds files by their names."""

    pattern: str
    path: str | None = None
    limit: Number | None = None


class Ls(Arguments):
    """Lists a folder."""

    path: str | None = None
    limit: Number | None = None
    after: str | None = None


class WebFetch(CamelArguments):
    """Fetches a page."""

    url: str
    extract_mode: str | None = None
    max_chars: Number | None = None


class WebSearch(Open):
    """Searches the web; what else can be said depends on the provider."""

    query: str


class SessionsSpawn(OpenCamel):
    """Starts another agent; it has further arguments."""

    task: str
    task_name: str | None = None
    label: str | None = None
    runtime: str | None = None
    agent_id: str | None = None
    model: str | None = None
    run_timeout_seconds: Number | None = None
    thinking: str | None = None
    cwd: str | None = None
    mode: str | None = None
    cleanup: str | None = None
    sandbox: str | None = None
    context: Json = None
    attachments: Json = None


class ViewImage(CamelArguments):
    """Looks at images."""

    path: str | None = None
    paths: list[str] | None = None
    max_images: Number | None = None


TOOLS: Tools = {
    "exec": Exec,
    "bash": Exec,
    "process": Process,
    "read": Read,
    "write": Write,
    "edit": Edit,
    "apply_patch": ApplyPatch,
    "grep": Grep,
    "find": Find,
    "ls": Ls,
    "web_fetch": WebFetch,
    "web_search": WebSearch,
    "sessions_spawn": SessionsSpawn,
    "view_image": ViewImage,
    **undocumented(
        (
            "message",
            "browser",
            "memory_search",
            "memory_get",
            "automations",
            "cron",
            "gateway",
            "nodes",
            "computer",
            "canvas",
            "ask_user",
            "progress_card",
            "get_goal",
            "create_goal",
            "update_goal",
            "sessions_list",
            "sessions_history",
            "sessions_send",
            "sessions_yield",
            "session_status",
            "subagents",
            "agents_list",
            "code_execution",
            "terminal",
            "plugins",
            "secrets",
            "image_generate",
            "music_generate",
            "video_generate",
            "tts",
            "pdf",
            "wait",
            "tool_search",
            "tool_describe",
        )
    ),
}

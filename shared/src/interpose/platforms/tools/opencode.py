"""OpenCode's tools (1.18.33)."""

from typing import Literal

from interpose.platforms.tools.arguments import Arguments, CamelArguments, Number, Tools, undocumented


class Bash(Arguments):
    """Runs a command; `timeout` in milliseconds. Older versions have a description."""

    command: str
    timeout: Number | None = None
    workdir: str | None = None
    description: str | None = None


class Read(CamelArguments):
    """Reads a file, or lists a folder."""

    file_path: str
    offset: Number | None = None
    limit: Number | None = None


class Write(CamelArguments):
    """Writes a whole file."""

    file_path: str
    content: str


class Edit(CamelArguments):
    """Replaces a text in a file."""

    file_path: str
    old_string: str
    new_string: str
    replace_all: bool | None = None


class ApplyPatch(CamelArguments):
    """A patch."""

    patch_text: str


class Glob(Arguments):
    """Finds files by their names."""

    pattern: str
    path: str | None = None


class Grep(Arguments):
    """Finds lines in files."""

    pattern: str
    path: str | None = None
    include: str | None = None


class WebFetch(Arguments):
    """Fetches a page; `timeout` in seconds."""

    url: str
    format: Literal["text", "markdown", "html"] | None = None
    timeout: Number | None = None


class WebSearch(CamelArguments):
    """Searches the web."""

    query: str
    num_results: Number | None = None
    livecrawl: str | None = None
    type: str | None = None
    context_max_characters: Number | None = None


class Task(Arguments):
    """Starts another agent."""

    description: str
    prompt: str
    subagent_type: str
    task_id: str | None = None
    command: str | None = None
    background: bool | None = None


class Todo(Arguments):
    """One item of a list."""

    content: str
    status: Literal["pending", "in_progress", "completed", "cancelled"]
    priority: str


class TodoWrite(Arguments):
    """Writes the list of things to do."""

    todos: list[Todo]


class Option(Arguments):
    """One answer to choose."""

    label: str
    description: str


class Asked(Arguments):
    """One question."""

    question: str
    header: str
    options: list[Option]
    multiple: bool | None = None


class Question(Arguments):
    """Asks whoever sits there."""

    questions: list[Asked]


class Skill(Arguments):
    """Takes up a skill."""

    name: str


class Lsp(CamelArguments):
    """Asks a language server."""

    operation: str
    file_path: str
    line: Number
    character: Number


class PlanExit(Arguments):
    """Ends planning."""


class Invalid(Arguments):
    """What a call becomes that could not be read."""

    tool: str
    error: str


TOOLS: Tools = {
    "bash": Bash,
    "read": Read,
    "write": Write,
    "edit": Edit,
    "apply_patch": ApplyPatch,
    "glob": Glob,
    "grep": Grep,
    "webfetch": WebFetch,
    "websearch": WebSearch,
    "task": Task,
    "todowrite": TodoWrite,
    "question": Question,
    "skill": Skill,
    "lsp": Lsp,
    "plan_exit": PlanExit,
    "invalid": Invalid,
    **undocumented(("list_mcp_resources", "read_mcp_resource")),
}

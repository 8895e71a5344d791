"""Copilot CLI's tools. Hooks registered in PascalCase name them as Claude Code does; the arguments stay Copilot's."""

from pydantic import Field

from interpose.platforms.tools.arguments import Arguments, CamelArguments, Json, Number, Open, Tools, undocumented


class Bash(Arguments):
    """Runs a command; `initial_wait` in seconds."""

    command: str
    description: str | None = None
    shell_id: str | None = Field(default=None, alias="shellId")
    mode: str | None = None
    detach: bool | None = None
    initial_wait: Number | None = None


class WriteShell(CamelArguments):
    """Types into a shell that runs."""

    shell_id: str
    delay: Number | None = None
    input: str | None = None


class ReadShell(CamelArguments):
    """Reads from one."""

    shell_id: str
    delay: Number | None = None


class StopShell(CamelArguments):
    """Ends one."""

    shell_id: str


class Nothing(Arguments):
    """No arguments."""


class View(Arguments):
    """Reads a file, or lists a folder."""

    path: str
    view_range: list[int] | None = Field(default=None, min_length=2, max_length=2)
    force_read_large_files: bool | None = Field(default=None, alias="forceReadLargeFiles")


class Create(Arguments):
    """Writes a whole file."""

    path: str
    file_text: str


class Edit(Arguments):
    """Replaces a text in a file."""

    path: str
    old_str: str
    new_str: str | None = None


class Insert(Arguments):
    """Puts lines into a file."""

    path: str
    insert_line: int
    new_str: str


class Editor(Arguments):
    """All of these in one; `command` says which."""

    command: str
    path: str
    view_range: list[int] | None = Field(default=None, min_length=2, max_length=2)
    file_text: str | None = None
    old_str: str | None = None
    new_str: str | None = None
    insert_line: int | None = None


class ApplyPatch(Open):
    """A patch; under which name is not confirmed."""


class Grep(Arguments):
    """Finds lines in files."""

    pattern: str
    path: str | None = None
    output_mode: str | None = None
    glob: str | None = None
    type: str | None = None
    ignore_case: bool | None = Field(default=None, alias="-i")
    after: Number | None = Field(default=None, alias="-A")
    before: Number | None = Field(default=None, alias="-B")
    around: Number | None = Field(default=None, alias="-C")
    line_numbers: bool | None = Field(default=None, alias="-n")
    head_limit: Number | None = None
    multiline: bool | None = None


class Glob(Arguments):
    """Finds files by their names."""

    pattern: str
    path: str | None = None


class WebFetch(Arguments):
    """Fetches a page."""

    url: str
    max_length: Number | None = None
    start_index: Number | None = None
    raw: bool | None = None


class WebSearch(Arguments):
    """Searches the web."""

    query: str


class Task(Arguments):
    """Starts another agent."""

    description: str
    prompt: str
    agent_type: str
    name: str | None = None
    model: str | None = None
    mode: str | None = None


class ReadAgent(Arguments):
    """What an agent has said."""

    agent_id: str
    wait: bool | None = None
    timeout: Number | None = None


class ListAgents(Arguments):
    """Which agents there are."""

    include_completed: bool | None = None


class AskUser(Arguments):
    """Asks whoever sits there: a question, or a form."""

    question: str | None = None
    choices: list[str] | None = None
    allow_freeform: bool | None = None
    message: str | None = None
    requested_schema: Json = Field(default=None, alias="requestedSchema")


class UpdateTodo(Arguments):
    """Writes the list of things to do: one text of Markdown."""

    todos: str


class Sql(Arguments):
    """Asks the session's database."""

    description: str
    query: str
    database: str | None = None


class Skill(Arguments):
    """Takes up a skill."""

    skill: str


class ExitPlan(Open):
    """Ends planning."""

    summary: str


class Intent(Arguments):
    """Says what it is at."""

    intent: str


class Think(Arguments):
    """Thinks."""

    thought: str


class StoreMemory(Arguments):
    """Keeps a fact."""

    subject: str
    fact: str
    citations: Json
    reason: str
    category: str


TOOLS: Tools = {
    **dict.fromkeys(("bash", "powershell", "Bash"), Bash),
    **dict.fromkeys(("write_bash", "write_powershell"), WriteShell),
    **dict.fromkeys(("read_bash", "read_powershell"), ReadShell),
    **dict.fromkeys(("stop_bash", "stop_powershell"), StopShell),
    **dict.fromkeys(("list_bash", "list_powershell"), Nothing),
    **dict.fromkeys(("view", "Read"), View),
    **dict.fromkeys(("create", "Write"), Create),
    **dict.fromkeys(("edit", "str_replace"), Edit),
    "Edit": Open,
    "insert": Insert,
    "str_replace_editor": Editor,
    "apply_patch": ApplyPatch,
    **dict.fromkeys(("grep", "rg", "Grep"), Grep),
    **dict.fromkeys(("glob", "Glob"), Glob),
    **dict.fromkeys(("web_fetch", "WebFetch"), WebFetch),
    **dict.fromkeys(("web_search", "WebSearch"), WebSearch),
    **dict.fromkeys(("task", "Agent", "Task"), Task),
    "read_agent": ReadAgent,
    "list_agents": ListAgents,
    **dict.fromkeys(("ask_user", "AskUserQuestion"), AskUser),
    **dict.fromkeys(("update_todo", "TodoWrite"), UpdateTodo),
    "sql": Sql,
    "skill": Skill,
    "exit_plan_mode": ExitPlan,
    "report_intent": Intent,
    "think": Think,
    "store_memory": StoreMemory,
    **undocumented(
        (
            "report_progress",
            "write_agent",
            "lsp",
            "show_file",
            "fetch_copilot_cli_documentation",
            "task_complete",
            "create_pull_request",
            "code_review",
            "search_code_subagent",
            "gh-advisory-database",
            "parallel_validation",
            "propose_work",
            "reply_to_comment",
        )
    ),
}
"""`Edit` in PascalCase is one of `edit`, `str_replace_editor` and `apply_patch`: nobody can tell which."""

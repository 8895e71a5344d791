"""Claude Code's tools, by the declarations of its SDK (2.1.329)."""

from typing import Literal

from pydantic import Field

from interpose.platforms.tools.arguments import Arguments, Json, Number, Open, Tools, undocumented


class Bash(Arguments):
    """Runs a command; `timeout` in milliseconds."""

    command: str
    timeout: Number | None = None
    description: str | None = None
    run_in_background: bool | None = None
    dangerously_disable_sandbox: bool | None = Field(default=None, alias="dangerouslyDisableSandbox")


class Write(Arguments):
    """Writes a whole file."""

    file_path: str
    content: str


class Edit(Arguments):
    """Replaces a text in a file."""

    file_path: str
    old_string: str
    new_string: str
    replace_all: bool | None = None


class Read(Arguments):
    """Reads a file."""

    file_path: str
    offset: Number | None = None
    limit: Number | None = None
    pages: str | None = None
    allow_large: bool | None = None


class Glob(Arguments):
    """Finds files by their names."""

    pattern: str
    path: str | None = None


class Grep(Arguments):
    """Finds lines in files."""

    pattern: str
    path: str | None = None
    glob: str | None = None
    output_mode: Literal["content", "files_with_matches", "count"] | None = None
    after: Number | None = Field(default=None, alias="-A")
    before: Number | None = Field(default=None, alias="-B")
    around: Number | None = Field(default=None, alias="-C")
    context: Number | None = None
    line_numbers: bool | None = Field(default=None, alias="-n")
    ignore_case: bool | None = Field(default=None, alias="-i")
    only_matching: bool | None = Field(default=None, alias="-o")
    type: str | None = None
    head_limit: Number | None = None
    offset: Number | None = None
    multiline: bool | None = None


class Agent(Arguments):
    """Starts another agent; it was called `Task`."""

    description: str
    prompt: str
    subagent_type: str | None = None
    model: str | None = None
    effort: Json = None
    run_in_background: bool | None = None
    name: str | None = None
    team_name: str | None = None
    mode: str | None = None
    isolation: str | None = None


class WebFetch(Arguments):
    """Fetches a page and asks something of it."""

    url: str
    prompt: str
    offset: Number | None = None


class WebSearch(Arguments):
    """Searches the web."""

    query: str
    allowed_domains: list[str] | None = None
    blocked_domains: list[str] | None = None


class Todo(Arguments):
    """One item of a list."""

    content: str
    status: str
    active_form: str = Field(alias="activeForm")


class TodoWrite(Arguments):
    """Writes the list of things to do."""

    todos: list[Todo]


class TaskCreate(Arguments):
    """Adds a thing to do."""

    subject: str
    description: str
    active_form: str | None = Field(default=None, alias="activeForm")
    metadata: Json = None


class TaskGet(Arguments):
    """Looks at one."""

    task_id: str = Field(alias="taskId")


class TaskUpdate(TaskGet):
    """Changes one."""

    subject: str | None = None
    description: str | None = None
    active_form: str | None = Field(default=None, alias="activeForm")
    status: str | None = None
    add_blocks: list[str] | None = Field(default=None, alias="addBlocks")
    add_blocked_by: list[str] | None = Field(default=None, alias="addBlockedBy")
    owner: str | None = None
    metadata: Json = None


class TaskList(Arguments):
    """Looks at all."""


class TaskStop(Arguments):
    """Stops what runs in the background."""

    task_id: str | None = None
    shell_id: str | None = None


class NotebookEdit(Arguments):
    """Changes a cell of a notebook."""

    notebook_path: str
    new_source: str
    cell_id: str | None = None
    cell_type: str | None = None
    edit_mode: str | None = None


class Option(Arguments):
    """One answer to choose."""

    label: str
    description: str
    preview: str | None = None


class Question(Arguments):
    """One question."""

    question: str
    header: str
    options: list[Option] = Field(min_length=2, max_length=4)
    multi_select: bool = Field(alias="multiSelect")


class AskUserQuestion(Arguments):
    """Asks whoever sits there."""

    questions: list[Question] = Field(min_length=1, max_length=4)
    answers: Json = None


class Monitor(Open):
    """Watches a command; its arguments were not checked whole."""

    command: str


class ListMcpResources(Arguments):
    """What a server has."""

    server: str | None = None


class ReadMcpResource(Arguments):
    """One thing that a server has."""

    server: str
    uri: str


TOOLS: Tools = {
    "Bash": Bash,
    "PowerShell": Bash,
    "Monitor": Monitor,
    "Write": Write,
    "Edit": Edit,
    "Read": Read,
    "Glob": Glob,
    "Grep": Grep,
    "Agent": Agent,
    "Task": Agent,
    "WebFetch": WebFetch,
    "WebSearch": WebSearch,
    "TodoWrite": TodoWrite,
    "TaskCreate": TaskCreate,
    "TaskGet": TaskGet,
    "TaskUpdate": TaskUpdate,
    "TaskList": TaskList,
    "TaskStop": TaskStop,
    "NotebookEdit": NotebookEdit,
    "AskUserQuestion": AskUserQuestion,
    "ListMcpResourcesTool": ListMcpResources,
    "ReadMcpResourceTool": ReadMcpResource,
    **undocumented(
        (
            "ExitPlanMode",
            "EnterPlanMode",
            "Skill",
            "ToolSearch",
            "Workflow",
            "CronCreate",
            "CronDelete",
            "CronList",
            "EnterWorktree",
            "ExitWorktree",
            "SendMessage",
            "LSP",
            "ScheduleWakeup",
            "RemoteTrigger",
            "PushNotification",
            "Artifact",
            "WaitForMcpServers",
        )
    ),
}

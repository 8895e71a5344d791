"""Gemini CLI's tools, by the declarations in its source (0.56)."""

from pydantic import Field

from interpose.platforms.tools.arguments import Arguments, Json, Number, Tools, undocumented


class RunShellCommand(Arguments):
    """Runs a command."""

    command: str
    description: str | None = None
    dir_path: str | None = None
    is_background: bool | None = None
    delay: int | None = None
    additional_permissions: Json = None


class ReadFile(Arguments):
    """Reads a file, or some of its lines."""

    file_path: str
    start_line: Number | None = None
    end_line: Number | None = None


class WriteFile(Arguments):
    """Writes a whole file."""

    file_path: str
    content: str


class Replace(Arguments):
    """Replaces a text in a file; `expected_replacements` is the older spelling."""

    file_path: str
    instruction: str | None = None
    old_string: str
    new_string: str
    allow_multiple: bool | None = None
    expected_replacements: int | None = None


class Glob(Arguments):
    """Finds files by their names."""

    pattern: str
    dir_path: str | None = None
    case_sensitive: bool | None = None
    respect_git_ignore: bool | None = None
    respect_gemini_ignore: bool | None = None


class GrepSearch(Arguments):
    """Finds lines in files."""

    pattern: str
    dir_path: str | None = None
    include_pattern: str | None = None
    exclude_pattern: str | None = None
    names_only: bool | None = None
    max_matches_per_file: Number | None = None
    total_max_matches: Number | None = None
    case_sensitive: bool | None = None
    fixed_strings: bool | None = None
    context: Number | None = None
    after: Number | None = None
    before: Number | None = None
    no_ignore: bool | None = None


class SearchFileContent(GrepSearch):
    """Its older name, with older arguments."""

    path: str | None = None
    include: str | None = None


class ListDirectory(Arguments):
    """Lists a folder."""

    dir_path: str
    ignore: list[str] | None = None
    file_filtering_options: Json = None


class ReadManyFiles(Arguments):
    """Reads files by patterns."""

    include: list[str]
    exclude: list[str] | None = None
    recursive: bool | None = None
    use_default_excludes: bool | None = Field(default=None, alias="useDefaultExcludes")
    file_filtering_options: Json = None


class WebSearch(Arguments):
    """Searches the web."""

    query: str


class WebFetch(Arguments):
    """Fetches what the prompt names; `url` in an experimental mode."""

    prompt: str | None = None
    url: str | None = None


class Todo(Arguments):
    """One item of a list."""

    description: str
    status: str


class WriteTodos(Arguments):
    """Writes the list of things to do."""

    todos: list[Todo]


class AskUser(Arguments):
    """Asks whoever sits there."""

    questions: list[Json]


class InvokeAgent(Arguments):
    """Starts another agent."""

    agent_name: str
    prompt: str


class Skill(Arguments):
    """Takes up a skill."""

    name: str


class Docs(Arguments):
    """Reads its own documents."""

    path: str | None = None


class EnterPlan(Arguments):
    """Begins to plan."""

    reason: str | None = None


class ExitPlan(Arguments):
    """Ends planning."""

    plan_filename: str


class UpdateTopic(Arguments):
    """Says what it is at."""

    strategic_intent: str
    title: str | None = None
    summary: str | None = None


class ReadMcpResource(Arguments):
    """One thing that a server has."""

    uri: str


class ListMcpResources(Arguments):
    """What a server has."""

    server_name: str | None = Field(default=None, alias="serverName")


TOOLS: Tools = {
    "run_shell_command": RunShellCommand,
    "read_file": ReadFile,
    "write_file": WriteFile,
    "replace": Replace,
    "glob": Glob,
    "grep_search": GrepSearch,
    "search_file_content": SearchFileContent,
    "list_directory": ListDirectory,
    "read_many_files": ReadManyFiles,
    "google_web_search": WebSearch,
    "web_fetch": WebFetch,
    "write_todos": WriteTodos,
    "ask_user": AskUser,
    "invoke_agent": InvokeAgent,
    "activate_skill": Skill,
    "get_internal_docs": Docs,
    "enter_plan_mode": EnterPlan,
    "exit_plan_mode": ExitPlan,
    "update_topic": UpdateTopic,
    "read_mcp_resource": ReadMcpResource,
    "list_mcp_resources": ListMcpResources,
    **undocumented(
        (
            "complete_task",
            "list_background_processes",
            "read_background_output",
            "tracker_create_task",
            "tracker_update_task",
            "tracker_add_dependency",
            "tracker_get_task",
            "tracker_list_tasks",
            "tracker_visualize",
        )
    ),
}

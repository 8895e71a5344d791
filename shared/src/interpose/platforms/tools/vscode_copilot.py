"""The tools of VS Code's Copilot, by the names that models see and by those of its package (`copilot_readFile`)."""

from interpose.platforms.tools.arguments import CamelArguments, Json, Number, OpenCamel, Tools, undocumented


class RunInTerminal(OpenCamel):
    """Runs a command; its documents name some of its further arguments."""

    command: str
    explanation: str
    goal: str
    is_background: bool
    timeout: Number | None = None
    request_unsandboxed_execution: bool | None = None


class ReadFile(CamelArguments):
    """Reads lines of a file."""

    file_path: str
    start_line: Number
    end_line: Number


class FilePath(CamelArguments):
    """Which file."""

    file_path: str


class CreateFile(CamelArguments):
    """Writes a whole file."""

    file_path: str
    content: str


class CreateDirectory(CamelArguments):
    """Makes a folder."""

    dir_path: str


class ReplaceString(CamelArguments):
    """Replaces a text in a file."""

    file_path: str
    old_string: str
    new_string: str


class Replacement(ReplaceString):
    """One of several."""

    explanation: str | None = None


class MultiReplaceString(CamelArguments):
    """Replaces texts in files."""

    explanation: str
    replacements: list[Replacement]


class InsertEdit(CamelArguments):
    """Sketches a change of a file."""

    explanation: str
    file_path: str
    code: str


class ApplyPatch(CamelArguments):
    """A patch."""

    input: str
    explanation: str


class EditNotebook(CamelArguments):
    """Changes a cell of a notebook."""

    file_path: str
    edit_type: str
    cell_id: str
    new_code: Json = None
    language: str | None = None


class RunNotebookCell(CamelArguments):
    """Runs a cell."""

    file_path: str
    cell_id: str
    reason: str | None = None
    continue_on_error: bool | None = None


class ListDir(CamelArguments):
    """Lists a folder."""

    path: str


class FileSearch(CamelArguments):
    """Finds files by their names."""

    query: str
    max_results: Number | None = None


class GrepSearch(CamelArguments):
    """Finds lines in files."""

    query: str
    is_regexp: bool
    include_pattern: str | None = None
    max_results: Number | None = None
    include_ignored_files: bool | None = None


class Query(CamelArguments):
    """What is looked for."""

    query: str


class FetchWebpage(CamelArguments):
    """Fetches pages."""

    urls: list[str]
    query: str


class GithubRepo(CamelArguments):
    """Searches a repository elsewhere."""

    repo: str
    query: str


class Todo(CamelArguments):
    """One item of a list."""

    id: int
    title: str
    status: str
    description: str | None = None


class ManageTodoList(CamelArguments):
    """Reads or writes the list of things to do."""

    operation: str | None = None
    todo_list: list[Todo] | None = None


class SearchSubagent(CamelArguments):
    """Starts an agent that searches."""

    query: str
    description: str
    details: str


class ExecutionSubagent(CamelArguments):
    """Starts an agent that runs things."""

    query: str
    description: str


class RunVscodeCommand(CamelArguments):
    """Runs a command of the editor."""

    command_id: str
    name: str
    args: list[Json] | None = None
    skip_check: bool | None = None


class InstallExtension(CamelArguments):
    """Installs an extension."""

    id: str
    name: str


class Memory(OpenCamel):
    """Keeps notes."""

    command: str
    path: str | None = None


class GetErrors(CamelArguments):
    """What is wrong in files."""

    file_paths: list[str] | None = None


_MODEL_FACING: Tools = {
    "run_in_terminal": RunInTerminal,
    "read_file": ReadFile,
    "view_image": FilePath,
    "create_file": CreateFile,
    "create_directory": CreateDirectory,
    "replace_string_in_file": ReplaceString,
    "multi_replace_string_in_file": MultiReplaceString,
    "insert_edit_into_file": InsertEdit,
    "apply_patch": ApplyPatch,
    "edit_notebook_file": EditNotebook,
    "run_notebook_cell": RunNotebookCell,
    "list_dir": ListDir,
    "file_search": FileSearch,
    "grep_search": GrepSearch,
    "semantic_search": Query,
    "fetch_webpage": FetchWebpage,
    "github_repo": GithubRepo,
    "manage_todo_list": ManageTodoList,
    "search_subagent": SearchSubagent,
    "execution_subagent": ExecutionSubagent,
    "run_vscode_command": RunVscodeCommand,
    "install_extension": InstallExtension,
    "memory": Memory,
    "get_errors": GetErrors,
}
_CONTRIBUTED = {
    "copilot_readFile": "read_file",
    "copilot_viewImage": "view_image",
    "copilot_createFile": "create_file",
    "copilot_createDirectory": "create_directory",
    "copilot_replaceString": "replace_string_in_file",
    "copilot_multiReplaceString": "multi_replace_string_in_file",
    "copilot_insertEdit": "insert_edit_into_file",
    "copilot_applyPatch": "apply_patch",
    "copilot_editNotebook": "edit_notebook_file",
    "copilot_runNotebookCell": "run_notebook_cell",
    "copilot_listDirectory": "list_dir",
    "copilot_findFiles": "file_search",
    "copilot_findTextInFiles": "grep_search",
    "copilot_searchCodebase": "semantic_search",
    "copilot_fetchWebPage": "fetch_webpage",
    "copilot_githubRepo": "github_repo",
    "copilot_runVscodeCommand": "run_vscode_command",
}
TOOLS: Tools = {
    **_MODEL_FACING,
    **{name: _MODEL_FACING[meant] for name, meant in _CONTRIBUTED.items()},
    **undocumented(
        (
            "get_terminal_output",
            "terminal_selection",
            "terminal_last_command",
            "get_task_output",
            "create_and_run_task",
            "run_task",
            "runTests",
            "runSubagent",
            "vscode_askQuestions",
            "get_changed_files",
            "read_project_structure",
            "search_workspace_symbols",
            "get_vscode_api",
            "test_failure",
            "test_search",
            "create_new_workspace",
            "get_project_setup_info",
            "get_search_view_results",
            "switch_agent",
            "tool_search",
            "resolve_memory_file_uri",
            "create_new_jupyter_notebook",
            "copilot_getNotebookSummary",
            "read_notebook_cell_output",
            "vscode_get_confirmation",
        )
    ),
}

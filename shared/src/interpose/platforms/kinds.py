"""The kinds of calls as models: what each can say, by canonical names. `kind` stands in each.

Every argument of a kind may be absent, since platforms leave out what others require.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from interpose.contracts.model import JsonObject

Number = int | float


class Domain(BaseModel):
    """`tool` is the platform's own name of the tool, `call_id` its own id of the call.

    `arguments` are canonical ones that the kind has no field for, `extra` the platform's own without a canonical name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=False)

    platform: str
    tool: str | None
    call_id: str | None = None
    arguments: JsonObject = Field(default_factory=dict)
    extra: JsonObject = Field(default_factory=dict)


class Execute(Domain):
    """Runs a command, a program, or types into one."""

    kind: Literal["Execute"] = "Execute"
    command: str | None = None
    description: str | None = None
    timeout: Number | None = None
    """Milliseconds."""
    run_in_background: bool | None = None
    cwd: str | None = None
    input: str | None = None


class FileRead(Domain):
    """Reads files."""

    kind: Literal["FileRead"] = "FileRead"
    file_path: str | None = None
    file_paths: list[str] | None = None
    patterns: list[str] | None = None
    offset: Number | None = None
    limit: Number | None = None
    pages: str | None = None
    exclude: list[str] | None = None


class FileWrite(Domain):
    """Writes a whole file."""

    kind: Literal["FileWrite"] = "FileWrite"
    file_path: str | None = None
    content: str | None = None


class FileEdit(Domain):
    """Replaces texts in a file, or in several: then each edit names its own."""

    kind: Literal["FileEdit"] = "FileEdit"
    file_path: str | None = None
    old_string: str | None = None
    new_string: str | None = None
    replace_all: bool | None = None
    edits: list[JsonObject] | None = None
    insert_line: int | None = None
    description: str | None = None


class PatchOperation(BaseModel):
    """What a patch does to one file; `unparsed`: it could not be read whole, and there may be more."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    op: Literal["add", "update", "delete", "move", "unparsed"]
    file_path: str | None = None
    new_path: str | None = None


class FilePatch(Domain):
    """Changes files by a patch."""

    kind: Literal["FilePatch"] = "FilePatch"
    patch: str | None = None
    operations: list[PatchOperation] = Field(default_factory=list)
    description: str | None = None


class Glob(Domain):
    """Finds files by their names."""

    kind: Literal["Glob"] = "Glob"
    pattern: str | None = None
    path: str | None = None
    limit: Number | None = None


class Grep(Domain):
    """Finds lines in files."""

    kind: Literal["Grep"] = "Grep"
    pattern: str | None = None
    path: str | None = None
    glob: str | None = None
    output_mode: str | None = None
    head_limit: Number | None = None
    type: str | None = None
    multiline: bool | None = None
    ignore_case: bool | None = Field(default=None, alias="-i")
    line_numbers: bool | None = Field(default=None, alias="-n")
    after: Number | None = Field(default=None, alias="-A")
    before: Number | None = Field(default=None, alias="-B")
    around: Number | None = Field(default=None, alias="-C")
    is_regexp: bool | None = None
    literal: bool | None = None


class ListDir(Domain):
    """Lists a folder."""

    kind: Literal["ListDir"] = "ListDir"
    path: str | None = None
    ignore: list[str] | None = None
    limit: Number | None = None


class WebFetch(Domain):
    """Fetches pages."""

    kind: Literal["WebFetch"] = "WebFetch"
    url: str | None = None
    urls: list[str] | None = None
    prompt: str | None = None
    format: str | None = None
    timeout: Number | None = None
    """Milliseconds."""
    max_chars: Number | None = None


class WebSearch(Domain):
    """Searches the web."""

    kind: Literal["WebSearch"] = "WebSearch"
    query: str | None = None
    limit: Number | None = None
    allowed_domains: list[str] | None = None
    blocked_domains: list[str] | None = None


class Task(Domain):
    """Starts another agent."""

    kind: Literal["Task"] = "Task"
    description: str | None = None
    prompt: str | None = None
    subagent_type: str | None = None
    model: str | None = None
    run_in_background: bool | None = None


class TodoRead(Domain):
    """Looks at the list of things to do."""

    kind: Literal["TodoRead"] = "TodoRead"
    id: str | None = None


class TodoWrite(Domain):
    """Writes it, whole or one item."""

    kind: Literal["TodoWrite"] = "TodoWrite"
    todos: list[JsonObject] | None = None
    todos_markdown: str | None = None
    explanation: str | None = None


class Notebook(Domain):
    """Changes a cell of a notebook."""

    kind: Literal["Notebook"] = "Notebook"
    notebook_path: str | None = None
    cell_id: str | None = None
    new_source: str | None = None
    cell_type: str | None = None
    edit_mode: str | None = None


class AskUser(Domain):
    """Asks whoever sits there."""

    kind: Literal["AskUser"] = "AskUser"
    questions: list[JsonObject] | None = None
    answers: Any = None


class Mcp(Domain):
    """Calls a tool of an MCP server; its arguments are the server's own."""

    kind: Literal["Mcp"] = "Mcp"
    server: str | None = None
    name: str | None = None


class Message(Domain):
    """Speaks to somebody."""

    kind: Literal["Message"] = "Message"


class Install(Domain):
    """Installs something into the agent."""

    kind: Literal["Install"] = "Install"


class Other(Domain):
    """Anything else: what it does nobody here knows."""

    kind: Literal["Other"] = "Other"

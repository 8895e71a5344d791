"""What a call does, in models of its kind. `kind` stands in each, so that reading one back never makes another of it.

A model is made of a normal form. Every argument of a kind may be absent, since platforms leave out what others require,
and one whose value has another type than the kind's stays in `arguments`: nothing in a call makes its kind change.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from interpose.contracts.model import JsonObject
from interpose.platforms.normal import NormalForm

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


AnyDomain = Annotated[
    Execute
    | FileRead
    | FileWrite
    | FileEdit
    | FilePatch
    | Glob
    | Grep
    | ListDir
    | WebFetch
    | WebSearch
    | Task
    | TodoRead
    | TodoWrite
    | Notebook
    | AskUser
    | Mcp
    | Message
    | Install
    | Other,
    Field(discriminator="kind"),
]
DOMAIN: TypeAdapter[Domain] = TypeAdapter(AnyDomain)
KINDS: dict[str, type[Domain]] = {str(model.model_fields["kind"].default): model for model in Domain.__subclasses__()}


def domain_of(form: NormalForm) -> Domain:
    """The model of the form's kind."""
    model = KINDS.get(form.domain_kind, Other)
    named: JsonObject = {
        "platform": form.platform,
        "tool": form.native_tool_name,
        "call_id": form.call_id,
        "extra": form.extra_arguments,
    }
    if form.mcp is not None and model is Mcp:
        named |= {"server": form.mcp.server, "name": form.mcp.tool}
    own = frozenset() if model is Mcp else _own_names(model)
    fitting = {name: value for name, value in form.canonical_arguments.items() if name in own}
    wrong = _misfits(model, {**named, **fitting})
    told = {name: value for name, value in fitting.items() if name not in wrong}
    rest = {name: value for name, value in form.canonical_arguments.items() if name not in told}
    return model.model_validate({**named, **told, "arguments": rest})


def views(patch: FilePatch) -> tuple[FileWrite | FileEdit, ...]:
    """What a patch is to rules for files: each file that it adds or updates, with the whole patch as its text."""
    found: list[FileWrite | FileEdit] = []
    for operation in patch.operations:
        if operation.op == "add":
            found.append(_written(patch, operation.file_path))
        if operation.op in ("update", "move"):
            found.append(_edited(patch, operation.file_path))
        if operation.op == "move":
            found.append(_written(patch, operation.new_path))
    return tuple(found)


def _written(patch: FilePatch, path: str | None) -> FileWrite:
    return FileWrite(
        platform=patch.platform, tool=patch.tool, call_id=patch.call_id, file_path=path, content=patch.patch
    )


def _edited(patch: FilePatch, path: str | None) -> FileEdit:
    return FileEdit(
        platform=patch.platform,
        tool=patch.tool,
        call_id=patch.call_id,
        file_path=path,
        old_string="",
        new_string=patch.patch,
        replace_all=False,
    )


def _own_names(model: type[Domain]) -> frozenset[str]:
    """The arguments of the kind, by their canonical names."""
    named = {field.alias or name for name, field in model.model_fields.items()}
    return frozenset(named - Domain.model_fields.keys() - {"kind"})


def _misfits(model: type[Domain], told: JsonObject) -> set[str]:
    """The arguments whose values have another type."""
    try:
        model.model_validate(told)
    except ValidationError as error:
        return {str(detail["loc"][0]) for detail in error.errors()}
    return set()

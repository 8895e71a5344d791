"""What a call does, in models of its kind. `kind` stands in each, so that reading one back never makes another of it.

A model is made of a normal form. Every argument of a kind may be absent, since platforms leave out what others require,
and one whose value has another type than the kind's stays in `arguments`: nothing in a call makes its kind change.
"""

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from interpose.contracts.model import JsonObject
from interpose.platforms.kinds import (
    AskUser,
    Domain,
    Execute,
    FileEdit,
    FilePatch,
    FileRead,
    FileWrite,
    Glob,
    Grep,
    Install,
    ListDir,
    Mcp,
    Message,
    Notebook,
    Other,
    Task,
    TodoRead,
    TodoWrite,
    WebFetch,
    WebSearch,
)
from interpose.platforms.normal import NormalForm

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

"""Cursor's tools. No schema of their arguments is published: what was seen is named, and more may come."""

from typing import Self

from pydantic import model_validator

from interpose.platforms.tools.arguments import Arguments, Number, Open, Tools, undocumented


class Shell(Open):
    """Runs a command."""

    command: str
    working_directory: str | None = None
    cwd: str | None = None
    description: str | None = None


class OfFile(Open):
    """A tool of one file, which has one of two names."""

    file_path: str | None = None
    path: str | None = None

    @model_validator(mode="after")
    def _names_a_file(self) -> Self:
        if (self.file_path is None) == (self.path is None):
            raise ValueError("has exactly one of file_path and path")
        return self


class Write(OfFile):
    """Writes a whole file; `contents` in transcripts."""

    content: str | None = None
    contents: str | None = None


class StrReplace(OfFile):
    """Replaces a text in a file."""

    old_string: str
    new_string: str
    replace_all: bool | None = None


class Read(OfFile):
    """Reads a file."""

    limit: Number | None = None
    offset: Number | None = None


class Grep(Open):
    """Finds lines in files."""

    pattern: str
    path: str | None = None
    glob: str | None = None
    head_limit: Number | None = None


class Glob(Open):
    """Finds files by their names."""

    glob_pattern: str
    target_directory: str | None = None


class BeforeShell(Arguments):
    """What `beforeShellExecution` says of a command."""

    command: str
    cwd: str | None = None
    sandbox: bool | None = None


class BeforeRead(Arguments):
    """What `beforeReadFile` says of a file."""

    file_path: str


class Edited(Arguments):
    """One replacement."""

    old_string: str
    new_string: str


class AfterEdit(Arguments):
    """What `afterFileEdit` says of a file."""

    file_path: str
    edits: list[Edited]


TOOLS: Tools = {
    "Shell": Shell,
    "Write": Write,
    "StrReplace": StrReplace,
    "Read": Read,
    "Grep": Grep,
    "Glob": Glob,
    "Delete": OfFile,
    "beforeShellExecution": BeforeShell,
    "beforeReadFile": BeforeRead,
    "afterFileEdit": AfterEdit,
    **undocumented(("Task",)),
}

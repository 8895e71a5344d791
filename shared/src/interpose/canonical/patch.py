"""The text of `apply_patch`: which files it adds, updates, deletes and moves. Nothing is applied here.

A line is a header only where the grammar has one: `+*** Delete File: x` is a file's content. Whatever the grammar
does not have makes the patch unparsed: then every line that some reader could take for a header names a target.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpose.contracts.canonical import Operation, Target
from interpose.errors import Fault, InvalidInput

MOST_FILES = 1_000

BEGIN = "*** Begin Patch"
END = "*** End Patch"
END_OF_FILE = "*** End of File"
_ENVIRONMENT = "*** Environment ID: "
_MOVE = "*** Move to: "
_HEADERS = {
    "*** Add File: ": Operation.ADD,
    "*** Update File: ": Operation.UPDATE,
    "*** Delete File: ": Operation.DELETE,
}
_LIKE_A_HEADER = re.compile(r"\*\*\*\s*(Add|Update|Delete)\s+File:(.*)|\*\*\*\s*(Move)\s+to:(.*)", re.IGNORECASE)
_OPERATIONS = {"add": Operation.ADD, "update": Operation.UPDATE, "delete": Operation.DELETE, "move": Operation.MOVE}
_HUNK = (" ", "+", "-", "@@")
_CONTENT: Mapping[Operation, tuple[str, ...]] = {
    Operation.ADD: ("+",),
    Operation.UPDATE: _HUNK,
    Operation.DELETE: (),
}
"""How lines begin that are content behind each header; nothing is behind a deletion."""


@dataclass(frozen=True, slots=True)
class Patch:
    """`targets` in the patch's order, both ends of a move; `is_whole` tells whether the grammar has all of it."""

    targets: tuple[Target, ...]
    is_whole: bool


def parse(text: object) -> Patch:
    """Read a patch; what is no text is one that does not parse. Raises InvalidInput beyond 1,000 targets."""
    if not isinstance(text, str):
        return Patch((), is_whole=False)
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    targets = _read(lines)
    patch = Patch(_could_be(lines), is_whole=False) if targets is None else Patch(targets, is_whole=True)
    if len(patch.targets) > MOST_FILES:
        message = f"a patch names at most {MOST_FILES} files; send several"
        fault = Fault("$.parameters", message, limit=MOST_FILES, given=len(patch.targets))
        raise InvalidInput(message, [fault])
    return patch


def _read(lines: Sequence[str]) -> tuple[Target, ...] | None:
    """The targets, or None where the grammar does not have these lines."""
    targets: list[Target] = []
    content: tuple[str, ...] = ()
    is_behind_update = False
    for line in _body(lines):
        if line.startswith(content) or (line == "" and content is _HUNK):
            is_behind_update = False
        elif (header := _header(line)) is not None:
            targets.append(header)
            content = _CONTENT[header.operation]
            is_behind_update = header.operation is Operation.UPDATE
        elif is_behind_update and (moved := _moved_to(line)) is not None:
            targets[-1:] = [targets[-1].model_copy(update={"operation": Operation.MOVE}), moved]
            is_behind_update = False
        elif not (content is _HUNK and line.rstrip() == END_OF_FILE):
            return None
    return tuple(targets) or None


def _body(lines: Sequence[str]) -> Sequence[str]:
    """What stands between the two markers; nothing where one is missing."""
    last = len(lines) - 1 if lines[-1] == "" else len(lines)
    framed = lines[:last]
    if len(framed) < 2 or framed[0].rstrip() != BEGIN or framed[-1].rstrip() != END:
        return ()
    return framed[2:-1] if framed[1].startswith(_ENVIRONMENT) else framed[1:-1]


def _header(line: str) -> Target | None:
    for prefix, operation in _HEADERS.items():
        if line.startswith(prefix):
            return _target(operation, line.removeprefix(prefix))
    return None


def _moved_to(line: str) -> Target | None:
    return _target(Operation.MOVE, line.removeprefix(_MOVE)) if line.startswith(_MOVE) else None


def _target(operation: Operation, path: str) -> Target | None:
    name = path.strip()
    return Target(operation=operation, path=name) if name and name.isprintable() else None


def _could_be(lines: Sequence[str]) -> tuple[Target, ...]:
    """Every line that a more generous reader could take for a header."""
    found: list[Target] = []
    for line in lines:
        match = _LIKE_A_HEADER.match(line.lstrip("+- \t"))
        if match:
            word, path = match[1] or match[3], match[2] if match[1] else match[4]
            found.append(Target(operation=_OPERATIONS[word.casefold()], path=path.strip()))
    return tuple(found)

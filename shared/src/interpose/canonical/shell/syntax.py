"""Every command of a shell text, wherever it stands: in lists, pipes, loops, functions, substitutions, here-documents.

The grammar is tree-sitter's of bash, which reads POSIX shells as well. Text that it cannot read whole is told to be so,
with what could be read of it.

It is given ASCII alone, one byte for each character: its scanner looks characters up in C tables that end at 255, and
ends the process for some beyond. To a shell all of them are parts of words, and so is what stands in their place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from interpose.canonical.shell import words
from interpose.canonical.shell.words import Word

MOST_CHARACTERS = 256 * 1024
"""A longer text is not read at all, and told to be unread."""
MOST_COMMANDS = 2_000
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_IN_A_WORD = "%"
"""It begins and ends no word, no name of a variable and no keyword."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """`operator` as written (`>`, `>>`, `<`, `<>`, `<<<` …) and what it names; a number is another descriptor."""

    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command. `words` begin with its name; `fed` is the text that it reads from its input, where told.

    `is_fed` tells whether a pipe, a here-document or a file feeds it: an interpreter runs what it is fed.
    """

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    fed: str | None = None
    is_fed: bool = False

    @property
    def name(self) -> str | None:
        """As the shell would look it up; None where only a run could tell."""
        return self.words[0].text if self.words else None


@dataclass(frozen=True, slots=True)
class Script:
    """`is_whole`: the grammar has all of the text, and everything in it stands here."""

    commands: tuple[Command, ...]
    redirects: tuple[Redirect, ...]
    is_whole: bool


@dataclass(slots=True)
class _Found:
    text: str
    """As it was given: what stands at a node's place is read here."""
    commands: list[Command] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)


def read(text: str) -> Script:
    """Read a text. Never raises; linear in the text."""
    if len(text) > MOST_CHARACTERS or "\0" in text:
        return Script((), (), is_whole=False)
    root = _parser().parse(_NOT_ASCII.sub(_IN_A_WORD, text).encode()).root_node
    found = _Found(text)
    for node in _walk(root):
        _take(node, found)
        if len(found.commands) > MOST_COMMANDS:
            return Script(tuple(found.commands), tuple(found.redirects), is_whole=False)
    return Script(tuple(found.commands), tuple(found.redirects), is_whole=not root.has_error)


def _take(node: Node, found: _Found) -> None:
    match node.type:
        case "command":
            found.commands.append(_command(node, found.text))
        case "declaration_command" | "unset_command" | "test_command":
            # A builtin with a syntax of its own; what it substitutes is met on the way.
            found.commands.append(Command((Word(_first(node), _first(node)),)))
        case "file_redirect":
            found.redirects.append(_redirect(node, found.text))


def _command(node: Node, text: str) -> Command:
    name = node.child_by_field_name("name")
    said = [*([name] if name else []), *node.children_by_field_name("argument")]
    fed, is_fed = _fed(node, text)
    return Command(tuple(words.read(each, text) for each in said), tuple(_own_redirects(node, text)), fed, is_fed)


def _own_redirects(node: Node, text: str) -> Iterator[Redirect]:
    """Those that stand at the command itself, or around it alone."""
    parent = node.parent
    holders = [node, *([parent] if parent is not None and parent.type == "redirected_statement" else [])]
    for holder in holders:
        for child in holder.children:
            if child.type == "file_redirect":
                yield _redirect(child, text)


def _redirect(node: Node, text: str) -> Redirect:
    target = node.child_by_field_name("destination")
    operators = [child.type for child in node.children if not child.is_named]
    return Redirect(operators[0] if operators else "?", words.read(target, text) if target else Word(None, ""))


def _fed(node: Node, text: str) -> tuple[str | None, bool]:
    """What the command reads from its input, and whether anything feeds it."""
    around = node.parent if node.parent is not None and node.parent.type == "redirected_statement" else None
    for holder in (node, *([around] if around is not None else [])):
        for child in holder.children:
            if child.type == "herestring_redirect":
                return words.read(child.named_children[0], text).text if child.named_children else None, True
            if child.type == "heredoc_redirect":
                return _heredoc(child, text), True
            if child.type == "file_redirect" and any(each.type == "<" for each in child.children):
                return None, True
    return None, _is_behind_pipe(around or node)


def _heredoc(node: Node, text: str) -> str | None:
    body = next((child for child in node.children if child.type == "heredoc_body"), None)
    if body is None:
        return None
    is_plain = all(child.type == "heredoc_content" for child in body.named_children)
    return text[body.start_byte : body.end_byte] if is_plain else None


def _is_behind_pipe(node: Node) -> bool:
    above: Node | None = node
    while above is not None:
        parent = above.parent
        if parent is None:
            return False
        if parent.type == "pipeline" and parent.children[0] != above:
            return True
        if parent.type == "heredoc_redirect":
            return True
        if parent.type in ("program", "command_substitution", "process_substitution", "function_definition"):
            return False
        above = parent
    return False


def _first(node: Node) -> str:
    return node.children[0].type if node.children else node.type


def _walk(root: Node) -> Iterator[Node]:
    """Every node, in the text's order; a stack of our own, so that depth is no limit."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))

"""What the makers of the installed packages wrote: for people documents, pages, translations, and strings that document
code; and some programs. It is read, and never run."""

import ast
import gettext
import hashlib
import json
import re
import struct
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

WRITTEN = frozenset({".md", ".rst", ".txt"})
MOST_OF_A_FILE = 20_000
"""Characters."""
MOST_OF_A_CATALOGUE = 200_000
"""The same of a list of translated messages."""
SHARES = {".py": 112, ".html": 48}
"""Of 256 files of code and of pages how many are read."""
MESSAGES = {".po": 256, ".mo": 40, ".json": 24}
"""Of so many translated messages how many are. They are most of what is ordinary in other languages than English."""
TRANSLATED = frozenset({"homeassistant"})
"""Packages of which translations alone are read: there is very much else."""
TRANSLATIONS = "translations"
"""The folder of messages in JSON."""
PROGRAMS = {
    ".py": 14,
    ".js": 64,
    ".yml": 192,
    ".css": 16,
    ".scss": 32,
    ".json": 128,
    ".cfg": 192,
    ".jinja2": 192,
    ".toml": 192,
    ".xml": 64,
}
"""Files that are read as they stand, for agents read what programs say to machines."""
_MESSAGE = re.compile(r'^msgstr(?:\[[0-9]\])? ((?:"(?:[^"\\\n]|\\.)*"\n)+)', re.MULTILINE)
SHORTEST = 16
"""Characters of a message that says something."""


def texts() -> Iterator[str]:
    """All of it, in an order that is always the same; empty where a file says nothing."""
    for distribution in sorted(distributions(), key=lambda one: one.name.lower()):
        for path, name in _files(distribution):
            messages = _messages(path)
            if messages is not None:
                chosen = (one for one in messages if _says_much(one) and _is_chosen(one, MESSAGES[path.suffix]))
                yield "\n\n".join(chosen)[:MOST_OF_A_CATALOGUE]
            elif distribution.name.lower() not in TRANSLATED:
                yield _prose(path, name)[:MOST_OF_A_FILE]
                yield _program(path, name)[:MOST_OF_A_FILE]


def _files(distribution: Distribution) -> Iterator[tuple[Path, str]]:
    for file in sorted(distribution.files or (), key=str):
        path = Path(str(distribution.locate_file(file)))
        if "interpose" not in file.parts[0] and path.is_file():
            yield path, str(file)


def _messages(path: Path) -> list[str] | None:
    """The translated messages of a file; None, if it holds none, or is broken, as some files are that tests read."""
    if path.suffix == ".po":
        return list(_of_source(path.read_text("utf-8", "replace")))
    try:
        if path.suffix == ".mo" and not path.with_suffix(".po").exists():
            return _of_catalogue(path)
        if path.suffix == ".json" and any(TRANSLATIONS in folder.name for folder in path.parents[:2]):
            return list(_of_value(json.loads(path.read_text("utf-8"))))
    except (OSError, ValueError, struct.error):
        return None
    return None


def _says_much(message: str) -> bool:
    return len(message) >= SHORTEST and not message.startswith("Project-Id-Version")


def _of_source(catalogue: str) -> Iterator[str]:
    for found in _MESSAGE.finditer(catalogue):
        yield "".join(map(ast.literal_eval, found[1].splitlines()))


def _of_catalogue(path: Path) -> list[str]:
    with path.open("rb") as file:
        # The catalogue as a mapping has no public name; typeshed knows none at all.
        known: dict[Any, str] = vars(gettext.GNUTranslations(file))["_catalog"]
    return list(known.values())


def _of_value(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _of_value(one)


def _prose(path: Path, name: str) -> str:
    """What a file says to people, or nothing."""
    if path.suffix in WRITTEN or path.name == "METADATA":
        return path.read_text("utf-8", "replace")
    if _is_chosen(name, SHARES.get(path.suffix, 0)):
        source = path.read_text("utf-8", "replace")
        return "\n\n".join(_documentation(source)) if path.suffix == ".py" else source
    return ""


def _program(path: Path, name: str) -> str:
    """What a file says to machines, or nothing."""
    is_chosen = _is_chosen(name, PROGRAMS.get(path.suffix, 0), octet=1)
    return path.read_text("utf-8", "replace") if is_chosen else ""


def _is_chosen(text: str, share: int, *, octet: int = 0) -> bool:
    """Whether a text is among so many of 256. By another octet of its digest others are."""
    return hashlib.sha256(text.encode()).digest()[octet] < share


def _documentation(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            told = ast.get_docstring(node)
            if told:
                yield told

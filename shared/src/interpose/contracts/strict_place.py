"""Where a JSON text is wrong, and where each of its values stands: a walk that never recurses.

`strict` reads valid text fast and only learns that something is wrong; this room then says what and where. A fault
that leaves the rest readable (a duplicate key, a number out of range) lets the walk go on, so that several are told
at once; a broken form, too much depth or too many values end it. Lines and columns count characters from 1.
"""

import json
import math
import re
from dataclasses import dataclass, field
from typing import NoReturn

from interpose.contracts.limits import DEPTH, NODES, SAFE_INTEGER
from interpose.contracts.paths import Path, Step, json_path
from interpose.errors import Fault

MAX_FAULTS = 20
"""More faults than this are not told: a person mends the first ones first."""

_SOLID = re.compile(r"[^ \t\n\r]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)((?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)")
_WORD = re.compile(r"true|false|null")
_NOT_FINITE = re.compile(r"NaN|-?Infinity")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STRING = json.JSONDecoder()


def line_and_column(before: str) -> tuple[int, int]:
    """The place of the character behind this text, both counted from 1; only a line feed ends a line."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def find_faults(text: str) -> list[Fault]:
    """What is wrong with a text that a parser refused: at least one fault, at most `MAX_FAULTS`."""
    walk = Walk(text)
    walk.run()
    return walk.faults or [Fault("$", "cannot be read as JSON")]


@dataclass(slots=True)
class _Container:
    """An object or array that is not closed yet; `step` leads to its latest value."""

    close: str
    entered: int = 0
    step: Step | None = None
    keys: set[str] = field(default_factory=set)


class _Stop(Exception):
    """The rest of the text cannot be read: the fault that says why is on the walk."""


class Walk:
    """One pass over a text. Afterwards `faults` holds what is wrong with it, in the text's order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.faults: list[Fault] = []
        self._at = 0
        self._values = 0
        self._open: list[_Container] = []

    def run(self) -> bool:
        """Walk as far as the text can be read, and say whether that is to its end."""
        try:
            self._document()
        except _Stop:
            return False
        return True

    def arrive(self, offset: int) -> None:
        """A value begins: its key, or itself where it has none, stands at `offset`."""

    @property
    def path(self) -> Path:
        """Where the walk is."""
        return tuple(container.step for container in self._open if container.step is not None)

    def _document(self) -> None:
        self._peek()
        self.arrive(self._at)
        self._value()
        while self._open:
            if self._next_item(self._open[-1]):
                self._value()
        if self._peek():
            self._stop(f"expected nothing behind the value, found {self._found()}: send exactly one JSON value")

    def _value(self) -> None:
        char = self._peek()
        self._values += 1
        if self._values > NODES:
            self._stop(f"more than {NODES} values", NODES, self._values)
        if char == "{":
            self._enter("}")
        elif char == "[":
            self._enter("]")
        elif char == '"':
            self._string()
        else:
            self._word()

    def _enter(self, close: str) -> None:
        depth = len(self._open) + 1
        if depth > DEPTH:
            self._stop(f"nested deeper than {DEPTH} levels", DEPTH, depth)
        self._at += 1
        self._open.append(_Container(close))

    def _next_item(self, container: _Container) -> bool:
        """Step to the next value of the container, or out of it."""
        char = self._peek()
        if char == container.close:
            self._at += 1
            self._open.pop()
            return False
        if container.entered:
            if char != ",":
                self._stop(f"expected , or {container.close} behind this value, found {self._found()}")
            self._at += 1
            self._peek()
        offset = self._at
        container.step = self._key(container) if container.close == "}" else container.entered
        container.entered += 1
        self.arrive(offset)
        return True

    def _key(self, container: _Container) -> str:
        container.step = None
        if self._peek() != '"':
            self._stop(f"expected a key in double quotes, found {self._found()}")
        offset = self._at
        container.step = key = self._string()
        if key in container.keys:
            self._note("duplicate key: keep one of them", offset)
        container.keys.add(key)
        if self._peek() != ":":
            self._stop(f"expected : behind the key, found {self._found()}")
        self._at += 1
        return key

    def _string(self) -> str:
        begin = self._at
        try:
            value, self._at = _STRING.raw_decode(self.text, begin)
        except json.JSONDecodeError as error:
            self._at = error.pos
            self._stop(_what_breaks_a_string(self.text[error.pos]))
        if _SURROGATE.search(value):
            self._note("half of a surrogate pair, which is no character: send both halves or neither", begin)
        return str(value)

    def _word(self) -> None:
        begin = self._at
        found = _NUMBER.match(self.text, begin) or _NOT_FINITE.match(self.text, begin) or _WORD.match(self.text, begin)
        if found is None:
            self._stop(f"expected a value, found {self._found()}")
        if found.re is _NUMBER:
            self._check_number(found)
        elif found.re is _NOT_FINITE:
            self._note(f"{found[0]} is no JSON number: send null or a string", begin)
        self._at = found.end()

    def _check_number(self, number: re.Match[str]) -> None:
        value = float(number[0])
        if number[1]:
            if math.isinf(value):
                self._note("number too large for a double: send it as a string", number.start())
        elif abs(value) > SAFE_INTEGER:
            self._note(f"integer beyond ±{SAFE_INTEGER}: send it as a string", number.start())

    def _peek(self) -> str:
        """The next character that is no white space, empty at the end."""
        found = _SOLID.search(self.text, self._at)
        self._at = found.start() if found else len(self.text)
        return found[0] if found else ""

    def _found(self) -> str:
        char = self.text[self._at : self._at + 1]
        return json.dumps(char) if char else "the end"

    def _note(self, message: str, offset: int, limit: int | None = None, given: int | None = None) -> None:
        line, column = line_and_column(self.text[:offset])
        self.faults.append(Fault(json_path(self.path), message, line, column, limit, given))
        if len(self.faults) == MAX_FAULTS:
            raise _Stop

    def _stop(self, message: str, limit: int | None = None, given: int | None = None) -> NoReturn:
        self._note(message, self._at, limit, given)
        raise _Stop


class Survey(Walk):
    """A walk that remembers in `places` at which offset each value stands: its key's, where it has one."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.places: dict[Path, int] = {}

    def arrive(self, offset: int) -> None:
        self.places[self.path] = offset


def _what_breaks_a_string(char: str) -> str:
    if char == '"':
        return "the string that begins here is not closed"
    if char in ("\\", "u"):
        return r"""unknown escape: JSON knows \" \\ \/ \b \f \n \r \t and \u with four hex digits"""
    return f"control character in a string: write it as \\u{ord(char):04x}"

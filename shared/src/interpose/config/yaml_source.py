"""YAML as a source: only what JSON can say, with the place of each value.

Built from the parser's events, one after another, so that depth and the number of values are bounded before anything
is made of them. Anchors, aliases, merge keys, tags and a second document are refused: each makes a file say something
other than what stands in it.
"""

import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml
from yaml import events
from yaml.reader import ReaderError

from interpose.config.source import Place, Source
from interpose.config.yaml_scalars import resolve
from interpose.contracts.limits import DEPTH, NODES
from interpose.contracts.paths import Path, Step, json_path
from interpose.contracts.strict_place import MAX_FAULTS, line_and_column
from interpose.errors import Fault

_SURROGATE = re.compile("[\ud800-\udfff]")
_OLD_BREAK = re.compile("[\x85\u2028\u2029]")
"""Line breaks to the parser (YAML 1.1), which folds some of them, and text to YAML 1.2 and JSON."""


def read_yaml(text: str) -> Source:
    """The text as JSON values; what leaves the rest readable is a fault, a broken form ends the reading."""
    reading = _Reading()
    try:
        reading.read(text)
    except _Stop:
        return Source(None, reading.places, tuple(reading.faults), is_whole=False)
    return Source(reading.value, reading.places, tuple(reading.faults))


@dataclass(slots=True)
class _Container:
    """A mapping or sequence that is not closed yet; `step` leads to its latest value, which may still be `due`."""

    value: dict[str, Any] | list[Any]
    step: Step | None = None
    due: bool = False
    keys: set[str] = field(default_factory=set)


class _Stop(Exception):
    """The rest cannot be read: the fault that says why has been told."""


class _Reading:
    """The value so far, and what is wrong with it."""

    def __init__(self) -> None:
        self.value: Any = None
        self.places: dict[Path, Place] = {(): (1, 1)}
        self.faults: list[Fault] = []
        self._open: list[_Container] = []
        self._documents = 0
        self._values = 0

    def read(self, text: str) -> None:
        """Take every event. Raises _Stop where the rest cannot be read."""
        if broken := _OLD_BREAK.search(text):
            char, place = f"U+{ord(broken[0]):04X}", line_and_column(text[: broken.start()])
            self._stop(f"{char} is a line break to some readers: write it as an escape in double quotes", place)
        try:
            for event in yaml.parse(text, Loader=yaml.SafeLoader):
                self._take(event)
        except ReaderError as error:
            char = f"U+{ord(text[error.position]):04X}"
            place = line_and_column(text[: error.position])
            self._stop(f"{char} cannot stand in YAML: write it as an escape in double quotes", place)
        except yaml.MarkedYAMLError as error:
            self._stop(f"cannot be read as YAML: {error.problem}", _place(error.problem_mark))

    def _take(self, event: events.Event) -> None:
        place = _place(event.start_mark)
        match event:
            case events.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    self._stop("a second document: keep one", place)
            case events.AliasEvent():
                self._begin(place)
                self._tell("aliases are not read here: write the value out", place)
                self._put(None)
            case events.CollectionEndEvent():
                self._open.pop()
            case events.ScalarEvent():
                self._scalar(event, place)
            case events.MappingStartEvent():
                self._collection({}, event, place)
            case events.SequenceStartEvent():
                self._collection([], event, place)

    def _scalar(self, event: events.ScalarEvent, place: Place) -> None:
        if self._expects_key():
            self._key(event, place)
            return
        self._begin(place)
        self._check(event, place)
        self._put(self._meaning(event, place))

    def _meaning(self, event: events.ScalarEvent, place: Place) -> Any:
        if _SURROGATE.search(event.value):
            self._tell("half of a surrogate pair, which is no character: write the character itself", place)
        if event.style is not None or event.tag is not None:
            return event.value
        try:
            return resolve(event.value)
        except ValueError as error:
            self._tell(str(error), place)
            return None

    def _collection(self, value: dict[str, Any] | list[Any], event: events.NodeEvent, place: Place) -> None:
        if self._expects_key():
            self._stop("a key must be text", place)
        self._begin(place)
        self._check(event, place)
        if len(self._open) >= DEPTH:
            self._stop(f"nested deeper than {DEPTH} levels", place)
        self._put(value)
        self._open.append(_Container(value))

    def _check(self, event: events.NodeEvent, place: Place) -> None:
        if event.anchor is not None:
            self._tell("anchors are not read here: write the value out wherever it is needed", place)
        if getattr(event, "tag", None) is not None:
            self._tell("tags are not read here: write the value plainly, or as text in quotes", place)

    def _expects_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].value, dict) and not self._open[-1].due

    def _key(self, event: events.ScalarEvent, place: Place) -> None:
        mapping = self._open[-1]
        mapping.step, mapping.due = event.value, True
        self._check(event, place)
        if not isinstance(self._meaning(event, place), str):
            self._tell("a key must be text: put it in quotes", place)
        if event.value == "<<" and event.style is None:
            self._tell("merge keys are not read here: write the fields out", place)
        if event.value in mapping.keys:
            self._tell("duplicate key: keep one of them", place)
        mapping.keys.add(event.value)
        self.places[self._path] = place

    def _begin(self, place: Place) -> None:
        """A value begins: count it, and remember where it stands unless its key has told."""
        self._values += 1
        if self._open and isinstance(self._open[-1].value, list):
            self._open[-1].step = len(self._open[-1].value)
        self.places.setdefault(self._path, place)
        if self._values > NODES:
            self._stop(f"more than {NODES} values", place)

    def _put(self, value: Any) -> None:
        if not self._open:
            self.value = value
            return
        container = self._open[-1]
        if isinstance(container.value, list):
            container.value.append(value)
        else:
            container.value[str(container.step)] = value
            container.due = False

    @property
    def _path(self) -> Path:
        return tuple(container.step for container in self._open if container.step is not None)

    def _tell(self, message: str, place: Place) -> None:
        self.faults.append(Fault(json_path(self._path), message, *place))
        if len(self.faults) == MAX_FAULTS:
            raise _Stop

    def _stop(self, message: str, place: Place) -> NoReturn:
        self._tell(message, place)
        raise _Stop


def _place(mark: Any) -> Place:
    # Typed as optional upstream; the scanner and the parser always set it.
    return mark.line + 1, mark.column + 1

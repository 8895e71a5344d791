"""What matters of a tag by the names of its attributes: most tags of a page have the names of another one."""

from collections.abc import Mapping
from typing import NamedTuple

from interpose_sanitizer.markup import names
from interpose_sanitizer.markup.tags import TWICE

_ACTIVE = names.ADDRESSES | {TWICE, "style", "srcdoc", "content"}
_MAY_HIDE = frozenset({TWICE, "hidden", "aria-hidden", "style", *names.DRAWN})


class Shape(NamedTuple):
    """The names of attributes that hold an address or a program, those that may hold words, and whether any hides."""

    active: tuple[str, ...]
    worded: tuple[str, ...]
    may_hide: bool
    is_named: bool
    """Whether it has a class or an id, by which it may be hidden."""


class Shapes:
    """Those of one page, each made once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Shape] = {}

    def of(self, values: Mapping[str, str]) -> Shape:
        """The shape of a tag with these attributes."""
        key = tuple(values)
        return self._known.get(key) or self._known.setdefault(key, _shape(key))


def _shape(given: tuple[str, ...]) -> Shape:
    active = tuple(name for name in given if name in _ACTIVE or name.startswith("on"))
    worded = tuple(name for name in given if may_be_worded(name))
    return Shape(active, worded, not _MAY_HIDE.isdisjoint(given), "class" in given or "id" in given)


def may_be_worded(name: str) -> bool:
    """Whether an attribute of this name may hold words."""
    return name not in names.TECHNICAL and not name.startswith("on")

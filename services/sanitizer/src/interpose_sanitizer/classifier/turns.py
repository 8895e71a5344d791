"""What a text says in the name of a system, or leaves for a machine: turns that it poses, and fields that say for whom
they are.

Nobody else is spoken to there, so that a sentence in it needs far less to be an order. In a chat's export or in the
documents of a library such turns stand as well; what they say scores lower still.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.findings import Span
from interpose_sanitizer.shadow import Shadow, fold_text

BARE, LABELLED = -0.35, -0.1
"""From this score on a sentence in such a turn is taken: by itself, and together with the label before it."""
LONGEST = 1_200
"""Characters of a turn that are judged by that."""
MOST = 256
"""Turns of a text that are: whoever writes more writes a log."""
_MACHINE, _OFFICE = "(?:ai|assistants?|llms?|bots?|chatbots?|models?|copilot)", "(?:agents?|system)"
"""People are agents, and systems have notes, too: of these less says that a field is for a machine."""
_ORDERS = "(?:instructions?|directives?|prompts?|hints?|commands?|guidance|overrides?)"
_SAID = rf"(?:{_ORDERS}|notes?|advice|messages?|tasks?|actions?|todos?|orders?|rules?|requests?|reminders?)"
_TO = "(?:for|to|on)"
_FIELD = (
    rf"(?:x[_-]agent[_-](?:{_ORDERS}|tasks?|orders?|actions?)"
    rf"|(?:[a-z]{{1,12}}[_ -])?(?:{_MACHINE}[_ -]?(?:{_TO}[_ -]?)?{_SAID}|{_OFFICE}[_ -]?{_ORDERS}"
    rf"|(?:{_SAID}[_ -]?)?{_TO}[_ -](?:the[_ -])?(?:{_MACHINE}|{_OFFICE})))"
)
"""What a field is called whose words are for a machine: `ai_instructions`, `note_to_agent`, `systemPrompt`."""
_ROLES = {"system": frozenset({"content", "text", "message", "parts"}), "developer": frozenset({"content"})}
"""Who speaks for a system, and in which fields; a developer is somebody's job as well."""
_LABEL = "system[ _](?:prompt|message|note|notice|instructions?)"
_LONGEST_NAME = 48
_PEOPLE = frozenset({"operator", "admin", "administrator", "tool", "tool result"})
"""Who speaks for a system and is called so elsewhere, too."""
_QUOTE, _IS = r"\\?[\"']", r"[ ]?:\s{0,8}"


class _Kind(NamedTuple):
    """How such a turn begins, for RE2, and what ends it."""

    begins: str
    ends: re.Pattern[str]
    line: float = BARE


def spans(reading: Shadow) -> Iterator[tuple[Span, float]]:
    """Where such turns stand in a shadow, without what opens them, and what a sentence there has to score; MOST at
    most."""
    text = reading.text
    for count, found in enumerate(_begins().finditer(text)):
        if count == MOST:
            return
        begin = found.end()
        limit = min(begin + LONGEST, len(text))
        kind = _kinds()[found.lastindex - 1]
        end = kind.ends.search(text, begin, limit)
        yield (begin, end.start() if end else limit), kind.line


def may_be_said_of(name: str) -> bool:
    """Whether a string may be the name of a field for a machine, or the role of who speaks for a system."""
    return name.lower() in _ROLES or _is_field(name)


def _is_field(name: str) -> bool:
    return len(name) <= _LONGEST_NAME and _name().fullmatch(name) is not None


def strings(value: Any) -> frozenset[str]:
    """The strings of a JSON value that stand in such fields, or are what a system says."""
    found: set[str] = set()
    level = [(value, False)]
    while level:
        item, is_said = level.pop()
        if isinstance(item, str):
            found.update([item] if is_said else [])
        elif isinstance(item, list):
            level += [(inner, is_said) for inner in item]
        elif isinstance(item, dict):
            role = item.get("role")
            speaks = _ROLES.get(role.lower(), ()) if isinstance(role, str) else ()
            level += [(inner, is_said or name.lower() in speaks or _is_field(name)) for name, inner in item.items()]
    return frozenset(found)


@cache
def _kinds() -> tuple[_Kind, ...]:
    known = tomllib.loads((files("interpose_sanitizer") / "dialogues.toml").read_text("utf-8"))["system"]
    system = "|".join(sorted(re2.escape(fold_text(name)) for name in known if name not in _PEOPLE))
    line = re.compile(r"\n|\\n")
    return (
        _Kind(
            rf"{_QUOTE}role{_QUOTE}{_IS}{_QUOTE}(?:system|developer){_QUOTE},\s{{0,40}}{_QUOTE}content{_QUOTE}{_IS}{_QUOTE}",
            re.compile(r"(?<!\\)\"|\\\"\s*[,}]"),
        ),
        _Kind(rf"{_QUOTE}{_FIELD}{_QUOTE}{_IS}{_QUOTE}", re.compile(r"\\?\"\s*[,}\]\n]")),
        _Kind(rf"(?m:^)[ \t]{{0,12}}(?:- )?{_FIELD}[ ]?[:=][ ]?", line, LABELLED),
        _Kind(rf"<(?:{system}|{_FIELD})>", re.compile("<")),
        _Kind(
            rf"(?m:^)[#=*]{{1,6}}[ ]?(?:{system})[ ]?[:*=#]{{0,6}}[ ]?\n+",
            re.compile(r"\n[ \t]*\n|\n(?=#)|\\n\\n"),
        ),
        _Kind(
            rf"(?:(?m:^)|\\n)[ \t>*_#\[(|-]{{0,12}}(?:{system}|{_LABEL})[\])*_]{{0,4}}[ ]?[:\]>][*_]{{0,2}}[ ]?",
            line,
            LABELLED,
        ),
    )


@cache
def _begins() -> "re2._Regexp":
    return re2.compile("|".join(f"({kind.begins})" for kind in _kinds()))


@cache
def _name() -> "re2._Regexp":
    return re2.compile(f"(?i){_FIELD}")

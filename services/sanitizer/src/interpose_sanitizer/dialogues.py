"""Conversations that a text plays: where one turn is an attack, those before and behind it are its setting.

A turn is what stands behind the name of who speaks and a colon, up to the next name or the end of its line or field.
Turns that follow each other are a conversation if both a model and somebody else speak in it; or a system, whose turn
is the attack, and somebody who answers it.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Hit, Span

LONGEST = 1_200
"""Characters of a turn."""
NEAR = 2
"""So many turns before and behind an attack are its setting: a long conversation may be an honest one."""
_BETWEEN = re.compile(r"(?:\s|\\[nrt]|[#*>/|_-]){0,16}")
_ENDS = re.compile(
    r"(?=\n)|(?=\\[nr])|(?=\\?[\"'][ \t]{0,8}(?:[,;:)>/}\]\n]|\\[nr]|\Z))|(?=-->)|(?=\*/)|(?=<(?:/|!|[A-Za-z]))"
)
_OBJECT = re.compile(r"[ \t]{0,4}\{[^\n{}]{0,400}\}")
"""What a model gives to a tool: all of it, whatever strings it holds."""
_TOOL = r"(?:\pL\w*[_.]\w[\w.]*(?:[\[({][^\n]{0,200}[\])}])?|\pL\w*[\[(][^\n]{0,200}[\])]"
_TOOL += r"|\pL\w*_\w+(?:[ ][^\s.:]{2,20}){1,3})"
"""What an action names in the trace of an agent: an identifier, and what is given to it, or a few words."""
_NOTHING_ELSE = (
    r"""[ \t]*(?:$|[\r\n"'<>]|\\[nrt]|[.,;]?[ ][^\s:\x{ff1a}]{2,20}(?:[ ][^\s:\x{ff1a}]{2,20})?[ ]?[:\x{ff1a}])"""
)
_BEFORE = r"(?:^|[^\pL\pN_]|\\[nrt])"
"""What stands before a name."""
_BEGINS = re.compile(r"(?:\A|\n|\\[nr]|[\"'>])[ \t>*#/_-]{0,8}\Z")
_COLON = re.compile("[:\uff1a]")


class Speaker(IntEnum):
    """Who speaks, by the groups of names in `_label`. A system is one at the beginning of a line or field."""

    MODEL = 1
    PERSON = 2
    SYSTEM = 3


class Turn(NamedTuple):
    """What one speaker says, with the name."""

    span: Span
    speaker: Speaker


def with_their_settings(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The same attacks, and the turns around those that stand in a conversation. Linear in the text."""
    found, played = list(hits), list(_conversations(text)) if hits else []
    if not played:
        return found
    taken = covered(len(text), [hit[0] for hit in hits])
    for turns in played:
        if not _is_posed(turns, taken):
            continue
        for begin, end in _settings([turn.span for turn in turns], taken):
            _, family, rule = next(hit for hit in hits if hit[0][0] < end and begin < hit[0][1])
            found.append(((begin, end), family, rule))
    return found


def _is_posed(turns: Sequence[Turn], taken: Sequence[int]) -> bool:
    """Whether a model speaks in a conversation, or a system whose words are an attack."""
    return any(
        turn.speaker is Speaker.MODEL or (turn.speaker is Speaker.SYSTEM and taken[turn.span[0]] < taken[turn.span[1]])
        for turn in turns
    )


def _settings(turns: Sequence[Span], taken: Sequence[int]) -> Iterator[Span]:
    """From the first to the last of the turns near such as hold an attack, as long as they are not taken whole.

    `taken` is how many characters before each place are.
    """
    runs: list[Span] = []
    for place, (begin, end) in enumerate(turns):
        if taken[begin] < taken[end]:
            first, last = max(place - NEAR, 0), min(place + NEAR, len(turns) - 1)
            runs.append((runs.pop()[0] if runs and first <= runs[-1][1] + 1 else first, last))
    for first, last in runs:
        begin, end = turns[first][0], turns[last][1]
        if taken[end] - taken[begin] < end - begin:
            yield begin, end


def _conversations(text: str) -> Iterator[Sequence[Turn]]:
    """Turns that follow each other, if they are of two and more than a list of settings."""
    turns = list(_turns(text))
    apart = [place for place, (one, other) in enumerate(pairwise(turns), 1) if not _follow(text, one, other)]
    for first, last in pairwise([0, *apart, len(turns)]):
        some = turns[first:last]
        if len({turn.speaker for turn in some}) > 1 and sum(_says(text, turn) for turn in some) > 1:
            yield some


def _says(text: str, turn: Turn) -> bool:
    """Whether more than a value stands behind the name."""
    said = _COLON.split(text[slice(*turn.span)], maxsplit=1)[1].strip()
    return len(said.split(maxsplit=1)) > 1 or not said.isascii() or said.endswith((".", "!", "?"))


def _turns(text: str) -> Iterator[Turn]:
    # Minutes have actions as well, and thoughts: only a program's name tools.
    names = _label(has_traces=_call().search(text) is not None)
    labels = [found for found in names.finditer(text) if not text.startswith("/", found.end())]
    for label, following in pairwise([*labels, None]):
        if label is not None:
            start = label.start(label.lastindex)
            limit = min(label.end() + LONGEST, following.start(following.lastindex) if following else len(text))
            said = text[start : _end(text, label.end(), limit)].rstrip()
            speaker = Speaker(label.lastindex)
            is_within = speaker is Speaker.SYSTEM and not _BEGINS.search(text, max(start - 12, 0), start)
            yield Turn((start, start + len(said)), Speaker.PERSON if is_within else speaker)


def _end(text: str, begin: int, limit: int) -> int:
    """Where a turn ends whose words begin at a place."""
    given = _OBJECT.match(text, begin, limit)
    end = _ENDS.search(text, given.end() if given else begin, limit)
    return end.start() if end else limit


def _follow(text: str, one: Turn, other: Turn) -> bool:
    return _BETWEEN.fullmatch(text, one.span[1], other.span[0]) is not None


@cache
def _label(*, has_traces: bool) -> "re2._Regexp":
    some = [_known()[name] for name in ("model", "person", "system")]
    if has_traces:
        some = [some[0] + _known()["thought"], some[1], some[2] + _known()["trace"]]
    names = "|".join(f"({_one_of(each)})" for each in some)
    names = rf"(?:{names})[ ]?(?:\([^()\n]{{1,24}}\)[ ]?)?"
    return re2.compile(rf"(?i){_BEFORE}{names}[:\x{{ff1a}}]")


@cache
def _call() -> "re2._Regexp":
    """An action that is the call of a tool, or what is given to one."""
    action = rf"(?:{_one_of(_known()['trace'])})[ ]?[:\x{{ff1a}}][ \t]*{_TOOL}{_NOTHING_ELSE}"
    return re2.compile(rf"(?i){_BEFORE}(?:{action}|action input[ ]?:[ \t]*\{{)")


def _one_of(names: Sequence[str]) -> str:
    return "|".join(map(re2.escape, names))


@cache
def _known() -> dict[str, list[str]]:
    return tomllib.loads((files(__package__) / "dialogues.toml").read_text("utf-8"))

"""What is wrong with a condition, in one sentence with its place: the library tells the tokens that its parser expects.

Only the words are ours. Which expression is refused, and where, is the library's.
"""

import re
from collections.abc import Callable

from interpose.conditions.environment import VARIABLES

MOST_CHARACTERS = 200
"""The most of the library's own words that a sentence holds."""

_PLACE = re.compile(r"ERROR: <input>:(\d+):(\d+): (?:Syntax error: )?(.*)")
_WORDS = {"and": "&&", "or": "||", "not": "!"}
_Said = Callable[[re.Match[str]], str]


def objection(said: str) -> str:
    """The library's refusal as a sentence that follows the path of the condition."""
    found = _PLACE.search(said)
    if found is None:
        return _without_place(said.partition("\n")[0][:MOST_CHARACTERS])
    line, column, what = found[1], found[2], found[3].removesuffix(" [INVALID_ARGUMENT]")
    where = f"column {column}" if line == "1" else f"line {line}, column {column}"
    return f"is no condition at {where}: {_sentence(what)}"


def _without_place(what: str) -> str:
    deep = re.search(r"recursion limit exceeded. limit: (\d+)", what)
    return f"is nested deeper than {deep[1]} levels" if deep else f"is no condition: {what}"


def _sentence(what: str) -> str:
    for pattern, sentence in _SENTENCES:
        if found := re.search(pattern, what):
            return sentence(found)
    return what[:MOST_CHARACTERS]


def _early(expected: re.Match[str]) -> str:
    missing = "a value" if expected[1].startswith("{") else expected[1].strip("'")
    return f"it ends where {missing} is missing"


def _unread(token: re.Match[str]) -> str:
    begin = token[1]
    if begin.startswith(("'", '"')):
        return "the text that begins here is not closed, or has an escape that there is not"
    if begin.startswith("="):
        return "a single = compares nothing: write =="
    if begin[:1] in "&|":
        return f"a single {begin[0]} joins nothing: write {begin[0] * 2}"
    return f"{begin.strip()} means nothing here"


def _behind(token: re.Match[str]) -> str:
    if token[1] in _WORDS:
        return f"write {_WORDS[token[1]]} for {token[1]}"
    return f"{token[1]} cannot stand behind what is before it: join with && or ||, negate with !"


def _unnamed(name: re.Match[str]) -> str:
    named = ", ".join(VARIABLES)
    return f"{name[1]} is not known here; it may name {named}, compare them, and has no loops"


def _overload(found: re.Match[str]) -> str:
    return f"{found[1].strip('@').replace('_', '')} does not go with ({found[2]})"


_SENTENCES: tuple[tuple[str, _Said], ...] = (
    (r"^(?:mismatched|extraneous) input '<EOF>' expecting (.+)$", _early),
    (r"^token recognition error at: '(.*)'$", _unread),
    (r"^(?:mismatched|extraneous) input '(.+)' expecting <EOF>", _behind),
    (r"^(?:mismatched|extraneous) input '(.+)' expecting \{", lambda found: f"{found[1]} stands where a value belongs"),
    (
        r"^(?:mismatched|extraneous) input '(.+)' expecting '(.+)'",
        lambda found: f"{found[1]} stands where {found[2]} belongs",
    ),
    (r"^missing '(.+?)' at", lambda found: f"{found[1]} is missing here"),
    (r"^no viable alternative at input '(.*)'", lambda found: f"nothing can be read from {found[1]} on"),
    (r"^undeclared reference to '(.*?)'", _unnamed),
    (r"^found no matching overload for '(.*?)' applied to '\((.*)\)'", _overload),
)
"""The library's words, and ours; the first that fits counts."""

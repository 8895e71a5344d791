"""How a rule's pattern is read: RE2 with three signs of its own, folded as texts are.

A space is a gap between words, with at least one white space in it, whatever punctuation or markup stands beside it;
`~` is a gap that may also be empty; `{name}` is a list of words with that name. Inside `[…]` all are themselves. A line
break and indentation are nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.shadow import fold

MOST_MEMORY = 64 << 20
"""Bytes that an automaton may take. Beyond that it forgets what it has built and begins anew: slower, never wrong."""
MOST_OF_ONE = 32 << 20
"""The same of one rule by itself."""
MOST_NESTED = 4
"""Word lists may name others, so deep."""

MOST_CHARACTERS = 40_000
"""Of a pattern with its words."""

_WAITING, _CALM = 12, 40
"""How many patterns go into one automaton. Its states are what all of them have read so far: where many wait for the
rest of a sentence at once, there is a state for each combination, and all its time goes into making new ones. Those
that wait most often are spread over all automata; patterns that never wait hardly cost more together than one alone."""
_WAITS = re.compile(r"\)\*\?|\)\{0,[0-9]+\}|\[\^(?:(?!\\s)[^\]])*\][*{]")
"""What waits: for the rest of a sentence, some words, or any characters that are not named; not the rest of a word."""
_MOST_TOGETHER = 64 << 20
_REMEMBERED = 1_000
_CANARY = "\ufdd0interpose\ufdd0"

_PUNCTUATION = r"""\"'\x{2018}-\x{201f}«»*_`.,:;!?()\[\]{}<>#/|=+\-\x{2010}-\x{2015}•"""
GAP = rf"(?:[{_PUNCTUATION}]*\s[\s{_PUNCTUATION}]*)"
ANY_GAP = rf"(?:[\s{_PUNCTUATION}]*)"
_SIGN = re.compile(
    r"(?P<fold>\A +|\n *)|(?P<gap> )|(?P<any>~)"
    r"|(?P<kept>\\p\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?[a-z]+\))|(?P<other>[A-Z]|[^\x00-\x7f])",
    re.DOTALL,
)
_WORDS = re.compile(r"(?<!\\p)(?<!\\P)\{([a-z][a-z_]*)\}")


class UnusablePattern(ValueError):
    """A pattern that names unknown words, or that RE2 cannot compile to run in linear time."""


def spelled(pattern: str, words: Mapping[str, str]) -> str:
    """The pattern with each `{name}` replaced by those words. Raises UnusablePattern for a name that is not known."""
    for _ in range(MOST_NESTED):
        named = _WORDS.findall(pattern)
        if len(pattern) + sum(len(words.get(name, "")) for name in named) > MOST_CHARACTERS:
            raise UnusablePattern(f"is longer than {MOST_CHARACTERS} characters with its words: make two rules of it")
        if not named:
            break
        pattern = _WORDS.sub(lambda name: f"(?:{_words(name[1], words)})", pattern)
    return pattern


def _words(name: str, words: Mapping[str, str]) -> str:
    if name not in words:
        raise UnusablePattern(f"names the words {{{name}}}, which are not known: add them to [words], or write \\{{")
    return words[name]


@lru_cache(maxsize=_REMEMBERED)
def expanded(pattern: str) -> str:
    """The pattern as RE2 reads it: letters folded, gaps spelled out."""
    # What is no sign is itself.
    return _SIGN.sub(_expand, pattern)


def _expand(sign: re.Match[str]) -> str:
    if sign["gap"]:
        return GAP
    if sign["any"]:
        return ANY_GAP
    if sign["fold"]:
        return ""
    if sign["kept"]:
        return sign["kept"] if sign["kept"].isascii() else "".join(map(folded, sign["kept"]))
    return folded(sign["other"])


@cache
def folded(character: str) -> str:
    """A character of a pattern as it stands in a shadow."""
    return character if character.isascii() and not character.isupper() else fold(character)


def compiled(pattern: str, most_memory: int = MOST_OF_ONE) -> Any:
    """The pattern, ready to search a shadow. Raises UnusablePattern."""
    try:
        return re2.compile(expanded(pattern), options(most_memory))
    except re2.error as error:
        why = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        raise UnusablePattern(f"cannot run in linear time: {why}") from error


class Together:
    """Which of some expanded patterns match a text at all, by their numbers. Several automata: see `_WAITING`."""

    def __init__(self, spelled_out: Sequence[str]) -> None:
        waits = [len(_WAITS.findall(one)) for one in spelled_out]
        most_first = sorted(range(len(waits)), key=lambda number: -waits[number])
        waiting, calm = [n for n in most_first if waits[n]], [n for n in most_first if not waits[n]]
        self._groups = [
            (numbers, automaton([spelled_out[number] for number in numbers]))
            for numbers in [*_dealt(waiting, _WAITING), *_dealt(calm, _CALM)]
        ]

    def Match(self, text: str | bytes) -> Sequence[int]:  # noqa: N802 - as re2.Set calls it
        """The numbers, in order."""
        found = ((numbers, automaton.Match(text) or ()) for numbers, automaton in self._groups)
        return sorted(numbers[place] for numbers, places in found for place in places if place < len(numbers))


def together(patterns: Iterable[str]) -> Together:
    """What says which of these match a shadow at all."""
    return Together([expanded(pattern) for pattern in patterns])


def _dealt(numbers: Sequence[int], size: int) -> Iterable[Sequence[int]]:
    """The numbers in hands of about this size; neighbours, which are alike, go to different hands."""
    hands = -(-len(numbers) // size)
    return (numbers[hand::hands] for hand in range(hands))


def automaton(spelled_out: Sequence[str]) -> Any:
    """One automaton that says which of some expanded patterns match; and a number more, which is to be passed over.

    Raises UnusablePattern.
    """
    together = re2.Set.SearchSet(options(_MOST_TOGETHER))
    for pattern in [*spelled_out, _CANARY]:
        together.Add(pattern)
    together.Compile()
    # An automaton that got no memory to work in says that nothing matches: it must not get as far as a text.
    if len(spelled_out) not in (together.Match(_CANARY) or ()):
        raise UnusablePattern("needs more memory than a pattern may have")
    return together


def options(most_memory: int = MOST_MEMORY) -> Any:
    """How RE2 compiles all that is matched on shadows."""
    made = re2.Options()
    made.log_errors = False
    made.max_mem = most_memory
    made.never_capture = True
    return made

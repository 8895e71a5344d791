"""The words and patterns by which a text says that it only speaks of an attack, as `mentions.toml` has them."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.pattern import automaton
from interpose_sanitizer.shadow import fold_text

TOLD = (
    "forbidden",
    "narrated",
    "told_to_others",
    "purpose",
    "negated",
    "noticed",
    "worn_out",
    "supposed",
    "attackers",
    "reported",
)
"""How a clause tells of what somebody else was to do; each has patterns for what makes an order of it all the same."""
BY_ITSELF = ("own", "consent", "described", "flag", "colleagues", "field", "advised")
"""What the words of an attack themselves may say."""
ADDRESS = re.compile(r"https?:|[^\s@]@[^\s@]|~/|\.(?:env|ssh)\b")
"""Where something may be sent to, and a file of secrets: who only tells of an order names none."""
COMPLAINED = "complained"
"""What they may say together with what stands behind them."""
KEPT_ON = "kept_on"
"""The same with all of their clause: "my agent keeps ignoring …"."""
BEHIND = ("topic", "matter", "lapse", "readable")
"""What may be said behind them, up to the end of their clause."""
_SYLLABLES = re.compile("[\u3040-\u30ff\uac00-\ud7a3]+")


def fits(kind: str, clause: bytes) -> bool:
    """Whether a clause has such words, and none that make an order of it all the same."""
    return bool(pattern(kind).search(clause) and not pattern(f"{kind}_unless").search(clause))


def is_told_by_itself(said: bytes) -> bool:
    """Whether the words of an attack themselves say that it is none; most have no such words."""
    return _by_itself().search(said) is not None and any(fits(kind, said) for kind in BY_ITSELF)


def is_complained_of(before: bytes, said: bytes) -> bool:
    """Whether a clause complains that somebody does it, by what stands before the words of an attack, and by those
    with the rest of it."""
    if b"ignoring" in said and fits(KEPT_ON, before.lstrip(b":;.!? \n") + said):
        return True
    return fits(COMPLAINED, said) and pattern(f"{COMPLAINED}_before").search(before) is None


@cache
def _by_itself() -> Any:
    return re2.compile("|".join(f"(?:{_told_by(kind)})" for kind in BY_ITSELF))


def is_told_behind(after: bytes) -> bool:
    """Whether what stands behind the words of an attack says that it is none; behind most stands nothing such."""
    if _behind().search(after) is None:
        return False
    named, _, rest = after.partition(b":")
    if fits("topic", named) and not (rest and pattern("topic_then").search(rest)):
        return True
    return any(fits(kind, after) for kind in BEHIND[1:])


@cache
def _behind() -> Any:
    return re2.compile("|".join(f"(?:{_told_by(kind)})" for kind in BEHIND))


@cache
def words(*kinds: str) -> Any:
    """One pattern for all words of some lists."""
    return re2.compile("|".join(re2.escape(fold_text(word)) for kind in kinds for word in known()[kind]))


def telling(clause: bytes) -> list[str]:
    """The kinds of what is told of that a clause could be."""
    return [TOLD[number] for number in _of_clauses().Match(clause) or () if number < len(TOLD)]


@cache
def _of_clauses() -> Any:
    return automaton([_told_by(kind) for kind in TOLD])


@cache
def pattern(name: str) -> Any:
    """The pattern of that name, compiled."""
    return re2.compile(_told_by(name))


@cache
def brief(name: str) -> re.Pattern[str]:
    """The same for what is asked of a few characters: there RE2 would cost more than it saves."""
    return re.compile(_told_by(name))


def prepare() -> None:
    """Compile every pattern and list of words by which an attack is spoken of."""
    for name in known()["told"]:
        pattern(name)
    for kinds in (("attack",), ("attack", "mention"), ("attack", "mention", "tokens"), ("asks",)):
        words(*kinds)
    _of_clauses()
    _by_itself()
    _behind()


def _told_by(kind: str) -> str:
    """A pattern of what is told of, with Korean and kana as texts are folded."""
    return _SYLLABLES.sub(lambda found: fold_text(found[0]), known()["told"][kind])


@cache
def known() -> dict[str, Any]:
    """Lists of parts of words, and under `told` patterns by their names."""
    return tomllib.loads((files(__package__) / "mentions.toml").read_text("utf-8"))

"""What is said in examples to nobody, in many languages: greetings, what an assistant is, what anybody may ask.

All of a sentence is known (`innocent.toml`), but for what a question is about and for one word of what is to be written
of: no order hides in it.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from interpose_sanitizer.shadow import fold_text

LONGEST = 90
"""Characters of such a sentence at most."""
_ABOUT = r"[^\d.!?,;:()/@\n]{1,50}"
"""What a question is about: one thing, and nothing behind it."""
_RISKY = re.compile(r"pass|secret|contra|mot de|inbox|mail|prompt|token|konto|account|geheim|segret|secre|парол|секрет")
"""What nothing is to be written about."""


def is_innocent(said: str) -> bool:
    """Whether a sentence of a shadow is nothing but that."""
    return len(said) <= LONGEST and _sentence().fullmatch(said) is not None and _RISKY.search(said) is None


@cache
def _sentence() -> re.Pattern[str]:
    known = {name: _any(words) for name, words in tomllib.loads(_source()).items()}
    greeting = rf"{known['greetings']}(?:[ ,、]{{1,2}}{known['greetings']})?"
    said = rf"(?:(?:{known['said']}|{known['joins']})[ ,、]{{0,2}}){{0,5}}"
    persona = rf"{known['begins']} ?{said}{known['names']} ?{said}{known['ends']}?"
    question = rf"(?:{known['asked']} {_ABOUT}|{_ABOUT}{known['asked_last']})\??"
    quotation = r"(?:\"[^\"\n]{1,30}\"|“[^”\n]{1,30}”|「[^」\n]{1,30}」|«[^»\n]{1,30}»|„[^“”\n]{1,30}[“”])"
    language = r"[^\W\d_]{2,16}"
    into = known["translating"].replace("said", quotation).replace("tongue", language)
    writing = rf"{known['writing']} (?:{known['of_the']} )?[^\W\d_]{{2,20}}"
    return re.compile(rf"(?:{greeting}|{persona}|{question}|{writing}|{into})[ .!?。…]{{0,3}}")


def _any(words: list[str]) -> str:
    """Any of some words as texts are folded, the longest first."""
    return f"(?:{'|'.join(re.escape(one) for one in sorted(map(fold_text, words), key=len, reverse=True))})"


def prepare() -> None:
    """Compile what is known."""
    _sentence()


def _source() -> str:
    return (files(__package__) / "innocent.toml").read_text("utf-8")

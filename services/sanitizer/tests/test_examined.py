"""What examiners wrote who knew nothing of the sanitizer: attacks that anybody knows for such, and honest texts that
share their words and forms. It has been looked at since: it says what holds, and no more what is to be expected.
"""

from functools import cache

import pytest

from interpose_sanitizer.settings import Settings
from interpose_sanitizer.text import sanitize

from .corpora import corpus, score
from .corpora.corpus import Attack, Kind

REACHED = {
    "agents": (56, 67),
    "articles": (37, 95),
    "built": (147, 114),
    "carriers": (75, 47),
    "code": (48, 56),
    "couples": (84, 66),
    "daily": (0, 168),
    "disguises": (69, 75),
    "earth": (104, 80),
    "encoded": (70, 38),
    "encodings": (57, 49),
    "forged": (136, 120),
    "forms": (124, 29),
    "hard": (51, 88),
    "hidden": (46, 39),
    "honest": (0, 146),
    "invisible": (70, 40),
    "judge": (140, 108),
    "jury": (128, 110),
    "languages": (78, 58),
    "mails": (49, 58),
    "makers": (0, 165),
    "marked": (49, 32),
    "markup": (70, 40),
    "masks": (114, 60),
    "mixed": (116, 122),
    "offices": (55, 48),
    "ordinary": (0, 149),
    "pages": (50, 60),
    "plain": (0, 155),
    "plainly": (0, 188),
    "post": (135, 40),
    "quiet": (65, 97),
    "retrieval": (58, 64),
    "roles": (54, 53),
    "scripts": (0, 159),
    "shapes": (103, 62),
    "subtle": (58, 59),
    "tokens": (70, 37),
    "tongues": (65, 61),
    "tools": (66, 36),
    "triggers": (0, 137),
    "turns": (58, 60),
    "twins": (85, 47),
    "usual": (0, 204),
    "workshop": (69, 100),
    "world": (68, 79),
}
"""Of each file how many attacks are wholly neutralised, and how many honest texts stay: those that quote attacks with
all of their prose."""


@pytest.mark.parametrize("name", REACHED)
def test_what_examiners_wrote_is_told_apart(name):
    """In as many cases as were reached before."""
    told = [line for file, line in _lines() if file == name]
    fails = [line["id"] for line in told if not _is_right(name, line)]
    attacks = {line["id"] for line in told if line["kind"] == "attack"}
    whole, stay = len(attacks - {*fails}), len(told) - len(attacks) - len({*fails} - attacks)
    least_whole, least_stay = REACHED[name]

    assert (whole >= least_whole, stay >= least_stay) == (True, True), f"{whole} and {stay}: {', '.join(fails)}"


@cache
def _lines() -> tuple[tuple[str, dict], ...]:
    return tuple(corpus.lines(corpus.CORPORA / "examined"))


def _is_right(name: str, line: dict) -> bool:
    if line["kind"] == "attack":
        known = {field: line[field] for field in ("id", "family", "language", "text")}
        gone, kept = tuple(line["gone"]), tuple(line.get("kept", ()))
        attack = Attack(topic=name, kind=Kind.MARKED, carrier=name, gone=gone, kept=kept, **known)
        return score.outcome(attack, Settings()).is_neutralised
    output = sanitize(line["text"], Settings()).text
    return all(part in output for part in line["kept"]) if line.get("kept") else output == line["text"]

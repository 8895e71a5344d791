"""The material by which the sanitizer is judged: attacks and honest texts, one JSON object a line, of our own writing.

Half of it is `open`: rules may be written against it. The other half is `held`: nobody reads it, and what judges by it
tells counts only. Which half a text belongs to is decided by a hash of its id up to the first dot, so that the variants
of one text stay together; `open/` and `held/` are two folders, so that reading the one never shows the other.

An attack tells in `gone` what may not survive: the words that make it one, and what it asks for in the same breath, or
the payload as it stands there. `kept` are honest words beside it. A `hard` one bears no mark but its meaning.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from .variants import variants

CORPORA = Path(__file__).parent
EMBEDDED = {"concealment", "encoded", "exfiltration", "fake-turns", "override", "tampering", "tokens"}
"""Topics whose attacks end where they end, wherever they stand."""
QUOTES = frozenset("\"'`“„«「")
EVERY = 4
"""One in so many of the texts is looked at in a run of the tests; `make sanitizer-score` takes all."""


class Half(StrEnum):
    """Who may read a text."""

    OPEN = "open"
    HELD = "held"


class Kind(StrEnum):
    """Whether anything but its meaning tells an attack."""

    MARKED = "marked"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Attack:
    """A text that attacks. `topic` is the file that it stands in; none of its words are in its `repr`."""

    id: str
    topic: str
    family: str
    language: str
    kind: Kind
    carrier: str = field(repr=False)
    text: str = field(repr=False)
    gone: tuple[str, ...] = field(repr=False)
    kept: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Honest:
    """A text that means no harm. `may_go` is what it quotes from an attack so fully that a filter may take it.

    None of its words are in its `repr`.
    """

    id: str
    topic: str
    language: str
    kind: str
    text: str = field(repr=False)
    may_go: tuple[str, ...] = field(default=(), repr=False)


def half(identity: str) -> Half:
    """Where the text of this id belongs."""
    first = hashlib.sha256(identity.partition(".")[0].encode()).digest()[0]
    return Half.HELD if first % 2 else Half.OPEN


def is_chosen(identity: str, every: int) -> bool:
    """Whether a text is among the one in so many that are looked at: by its id, so that no other text changes that."""
    return hashlib.sha256(identity.encode()).digest()[-1] % every == 0


@cache
def attacks(of: Half) -> tuple[Attack, ...]:
    """The attacks of one half: those that stand in files, the variants of its seeds, and some between honest texts."""
    seeds = [line for _, line in _lines(of, "seeds")]
    return (*written(of), *(_attack(line["topic"], line) for line in variants(seeds)), *_embedded(of))


@cache
def written(of: Half) -> tuple[Attack, ...]:
    """The attacks of one half that stand in files."""
    return tuple(_attack(topic, line) for topic, line in _lines(of, "attacks"))


@cache
def honest(of: Half) -> tuple[Honest, ...]:
    """The honest texts of one half."""
    return tuple(
        Honest(topic=topic, may_go=tuple(line.pop("may_go", ())), **line) for topic, line in _lines(of, "honest")
    )


def _embedded(of: Half) -> Iterator[Attack]:
    """Every fifth attack of plain text between a page of prose and an article on attacks: neither may shield it.

    Both quote nothing: what they say has to stay, whatever a filter thinks of quotations beside an attack.
    """
    plain = [attack for attack in written(of) if attack.topic in EMBEDDED and attack.kind is Kind.MARKED]
    prose, articles = (
        [text.text for text in honest(of) if text.topic == topic and not QUOTES & set(text.text)]
        for topic in ("prose", "security")
    )
    for place, attack in enumerate(plain[::5]):
        before, after = prose[place % len(prose)], articles[place % len(articles)]
        yield replace(
            attack,
            id=f"{attack.id}.embedded",
            topic="embedded",
            text=f"{before}\n\n{attack.text}\n\n{after}",
            kept=(*attack.kept, before, after),
        )


def _lines(of: Half, folder: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from lines(CORPORA / of / folder)


def lines(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line of the files in a folder, with the name of its file."""
    for path in sorted(folder.glob("*.jsonl")):
        # Not splitlines: texts hold separators of lines that JSON leaves as they are.
        for line in path.read_text("utf-8").rstrip("\n").split("\n"):
            yield path.stem, json.loads(line)


def _attack(topic: str, line: dict[str, Any]) -> Attack:
    known = {name: line[name] for name in ("id", "family", "language", "carrier", "text")}
    return Attack(topic=topic, kind=Kind(line["kind"]), gone=tuple(line["gone"]), kept=tuple(line["kept"]), **known)

"""What is learned from: the open half of the corpora, the sentences and documents in this folder, what the rules spare,
and what the makers of the pinned packages wrote (`packages`). The held half is never read here.

`attacks/*.txt` and `honest/*.txt` hold one example a line, of our own writing; `\\n` is a line break.
`documents/*.jsonl` hold whole texts like those of the corpora, and so do `telling/*.jsonl`, from which is learned what
only tells of attacks.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from corpora import corpus
from corpora.corpus import Half

from interpose_sanitizer import rules
from interpose_sanitizer.findings import Span
from training import packages

HERE = Path(__file__).parent
DISGUISED = frozenset({"disguised", "encoded", "invisible", "smuggled", "bidi", "embedded", "active-content"})
"""Topics of attacks whose own words say nothing: what they say is said in others."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text, and which parts of it are orders to a model."""

    text: str
    orders: tuple[Span, ...] = ()
    honest: tuple[Span, ...] = ()
    """What is known to be none, beside some."""
    is_close: bool = True
    """Whether it was written to be told from the other kind: the lines are drawn by such alone."""
    is_whole: bool = False
    """Whether it is a whole text, in which something stands around an order."""


class Document(NamedTuple):
    """A whole text: of an attack what may not survive and what stands beside it, of an honest one what it quotes."""

    text: str
    gone: Sequence[str]
    kept: Sequence[str]
    may_go: Sequence[str]


def examples() -> Iterator[Example]:
    """Everything, in an order that is always the same."""
    yield from close()
    # What a rule spares is honest; it draws no lines, so that a rule may be added without learning anew.
    yield from (Example(text, is_close=False) for rule in rules.shipped() for text in rule.spares)
    yield from (Example(text, is_close=False) for text in packages.texts())


def close() -> Iterator[Example]:
    """What was written to be told apart."""
    yield from written("attacks", are_orders=True)
    yield from written("honest", are_orders=False)
    for attack in corpus.attacks(Half.OPEN):
        if attack.topic not in DISGUISED:
            yield _whole(attack.text, attack.gone, attack.kept)
    yield from (Example(one.text, is_whole=True) for one in corpus.honest(Half.OPEN) if not one.may_go)
    yield from (_whole(one.text, one.gone, one.kept) for one in documents() if not one.may_go)


def telling() -> Iterator[Example]:
    """What tells of attacks, and what makes them amid such talk."""
    yield from (_whole(one.text, one.gone, one.kept) for one in documents("telling"))


def digest(some: Iterable[Example]) -> str:
    """What these examples are known by."""
    return hashlib.sha256("\0".join(one.text for one in some).encode()).hexdigest()


def documents(folder: str = "documents") -> Iterator[Document]:
    """The whole texts of a folder."""
    for _, told in corpus.lines(HERE / folder):
        yield Document(told["text"], *(told.get(name, ()) for name in ("gone", "kept", "may_go")))


def plain_documents() -> Iterator[Document]:
    """The whole texts of the open corpora, variants as well, and of this folder, but for the honest ones that quote
    what may go."""
    yield from (Document(one.text, one.gone, one.kept, ()) for one in corpus.attacks(Half.OPEN))
    yield from (Document(one.text, (), (), ()) for one in corpus.honest(Half.OPEN) if not one.may_go)
    yield from (one for one in documents() if not one.may_go)


def _whole(text: str, gone: Iterable[str], kept: Iterable[str]) -> Example:
    return Example(text, tuple(places(text, gone)), tuple(places(text, kept)), is_whole=True)


def places(text: str, some: Iterable[str]) -> Iterator[Span]:
    """Where some parts of a text stand first."""
    for one in some:
        at = text.find(one)
        if at >= 0:
            yield at, at + len(one)


def written(folder: str, *, are_orders: bool) -> Iterator[Example]:
    """The examples of one folder."""
    for file in sorted((HERE / folder).glob("*.txt")):
        for line in file.read_text("utf-8").rstrip("\n").split("\n"):
            text = line.replace("\\n", "\n")
            yield Example(text, ((0, len(text)),) if are_orders else ())

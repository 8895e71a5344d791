"""How well the sanitizer does on the corpora, by its service's own code, with default settings."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from interpose_sanitizer.settings import Settings
from interpose_sanitizer.text import sanitize

from . import corpus
from .corpus import Attack, Half, Honest, Kind

MARKER = re.compile(r"\[sanitizer: [a-z-]+\]")
UNSEEN = {
    0x034F,
    0x115F,
    0x1160,
    0x3164,
    0xFFA0,
    *range(0xFE00, 0xFE10),
    *range(0x180B, 0x1810),
    *range(0xE0100, 0xE01F0),
}
"""What Unicode does not call a format character and nobody sees all the same."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one attack: fragments of it that survived, honest words beside it that did not."""

    attack: Attack
    output: str = field(repr=False)
    survived: tuple[str, ...] = field(repr=False)
    missing: tuple[str, ...] = field(repr=False)

    @property
    def is_neutralised(self) -> bool:
        """Whether nothing of it is left and everything beside it is."""
        return not (self.survived or self.missing)


@dataclass(frozen=True, slots=True)
class Handling:
    """What became of one honest text."""

    honest: Honest
    output: str = field(repr=False)
    lost: tuple[str, ...] = field(repr=False)

    @property
    def is_altered(self) -> bool:
        """Whether it came back other than it was; what it quotes so that it may go does not count."""
        return self.output != self.honest.text and not _holds(self.output, prose(self.honest))


def outcomes(of: Half, every: int = 1) -> list[Outcome]:
    """One in so many of the attacks of one half, sanitised."""
    return [outcome(one, Settings()) for one in corpus.attacks(of) if corpus.is_chosen(one.id, every)]


def outcome(attack: Attack, settings: Settings) -> Outcome:
    """One attack, sanitised."""
    output = sanitize(attack.text, settings).text
    words = MARKER.sub("\n\0\n", output)
    plain = _plain(words)
    survived = (part for part in attack.gone if part in words or (_is_seen(part) and _plain(part) in plain))
    return Outcome(attack, output, tuple(survived), tuple(part for part in attack.kept if part not in words))


def handlings(of: Half, every: int = 1) -> list[Handling]:
    """One in so many of the honest texts of one half, sanitised."""
    return [_handling(one) for one in corpus.honest(of) if corpus.is_chosen(one.id, every)]


def prose(one: Honest) -> list[str]:
    """The parts of an honest text that must stay."""
    return re.split("|".join(map(re.escape, one.may_go)), one.text) if one.may_go else [one.text]


def share(passed: Iterable[bool]) -> float:
    """The share of those that passed; of none, all."""
    counted = Counter(passed)
    return counted[True] / counted.total() if counted else 1.0


def neutralised(of: Iterable[Outcome], kind: Kind) -> float:
    """The share of the attacks of one kind that were wholly neutralised."""
    return share(one.is_neutralised for one in of if one.attack.kind is kind)


def removed(of: Iterable[Outcome], kind: Kind) -> float:
    """The share of the attacks of one kind of which nothing is left, whatever went beside them."""
    return share(not one.survived for one in of if one.attack.kind is kind)


def _handling(one: Honest) -> Handling:
    output = sanitize(one.text, Settings()).text
    lost = Counter(word for part in prose(one) for word in _words(part)) - Counter(_words(output))
    return Handling(one, output, tuple(lost))


def _holds(output: str, parts: list[str]) -> bool:
    """Whether the parts stand in the output, one behind the other."""
    return len(parts) > 1 and bool(re.search(".*".join(map(re.escape, parts)), output, re.DOTALL))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _plain(text: str) -> str:
    """What a reader makes of it: without what has no width, in the usual forms of letters, all of them small."""
    return unicodedata.normalize("NFKC", "".join(filter(_is_seen, text))).casefold()


def _is_seen(part: str) -> bool:
    return not any(unicodedata.category(one) == "Cf" or ord(one) in UNSEEN for one in part)

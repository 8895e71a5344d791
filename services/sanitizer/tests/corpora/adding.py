"""Put new texts where they belong, without anybody seeing where: `python -m corpora.adding attacks NEW.jsonl`.

Each line is one of a corpus, with its `topic` beside it. How many were added to each half is all that is printed.
"""

import argparse
import json
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .corpus import CORPORA, Half, half, lines

UNSEEN = frozenset({"Cc", "Cf", "Co", "Cn", "Zl", "Zp"})
"""Kinds of characters that a diff would not show."""


def main(words: Sequence[str] | None = None) -> None:
    """Append the lines of a file to the files of their topic and half. Raises ValueError for an id that is known."""
    arguments = argparse.ArgumentParser(prog="python -m corpora.adding", description=__doc__)
    arguments.add_argument("folder", choices=["attacks", "honest", "seeds"])
    arguments.add_argument("file", type=Path, help="the new texts, one JSON object a line")
    given = arguments.parse_args(words)
    new = [json.loads(line) for line in given.file.read_text("utf-8").rstrip("\n").split("\n")]
    twice = {line["id"] for line in new} & _known(given.folder)
    if twice:
        raise ValueError(f"{len(twice)} of these ids are known: {sorted(twice)[0]}")
    added = Counter(_add(line, given.folder) for line in new)
    print(", ".join(f"{of}: {added[of]}" for of in Half))


def _known(folder: str) -> set[str]:
    return {line["id"] for of in Half for _, line in lines(CORPORA / of / folder)}


def _add(line: dict[str, object], folder: str) -> Half:
    of = half(str(line["id"]))
    with (CORPORA / of / folder / f"{line.pop('topic')}.jsonl").open("a", encoding="utf-8") as file:
        file.write(_shown(json.dumps(line, ensure_ascii=False)) + "\n")
    return of


def _shown(line: str) -> str:
    """What nobody can see, as escapes."""
    return "".join(json.dumps(sign)[1:-1] if unicodedata.category(sign) in UNSEEN else sign for sign in line)


if __name__ == "__main__":
    main()

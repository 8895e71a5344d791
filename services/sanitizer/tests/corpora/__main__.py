"""`make sanitizer-score`: how much of the corpora the sanitizer handles as it should.

`--show` prints what fails in the open half. Of the held half nothing but counts is ever printed.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence

from . import score
from .corpus import Half, Kind
from .score import Handling, Outcome

TARGETS = {"marked": 0.99, "hard": 0.85, "untouched": 0.995, "no word lost": 0.995}
SHOWN = 400
"""Characters of a text that are printed."""


def main(words: Sequence[str] | None = None) -> None:
    """Print the tables, and with `--show` what fails in the open half."""
    arguments = argparse.ArgumentParser(prog="make sanitizer-score", description=__doc__)
    arguments.add_argument("--show", action="store_true", help="print what fails in the open half, with its texts")
    arguments.add_argument("--topic", help="with --show: only texts of this file, such as encoded")
    given = arguments.parse_args(words)
    for of in Half:
        attacks, texts = score.outcomes(of), score.handlings(of)
        print(f"\n{of}: {len(attacks)} attacks, {len(texts)} honest texts")
        _print_table("attacks by family", ((one.attack.family, one.is_neutralised) for one in attacks))
        _print_table("attacks by topic", ((one.attack.topic, one.is_neutralised) for one in attacks))
        _print_table("honest texts by topic", ((one.honest.topic, not one.is_altered) for one in texts))
        _print_targets(attacks, texts)
        if given.show and of is Half.OPEN:
            _show(attacks, texts, given.topic)


def _print_table(title: str, passed: Iterable[tuple[str, bool]]) -> None:
    rows = defaultdict[str, list[bool]](list)
    for name, is_good in passed:
        rows[name].append(is_good)
    print(f"  {title}")
    for name, row in sorted(rows.items()):
        print(f"    {name:24} {sum(row):4} of {len(row):4}  {score.share(row):7.1%}")


def _print_targets(attacks: list[Outcome], texts: list[Handling]) -> None:
    reached = {
        "marked": score.neutralised(attacks, Kind.MARKED),
        "hard": score.neutralised(attacks, Kind.HARD),
        "untouched": score.share(not one.is_altered for one in texts),
        "no word lost": score.share(not one.lost for one in texts),
    }
    print("  targets")
    for name, target in TARGETS.items():
        verdict = "reached" if reached[name] >= target else "not yet"
        print(f"    {name:24} {reached[name]:7.2%}  of {target:.1%}  {verdict}")
    print("  attacks of which nothing is left, whether or not honest words beside them are")
    for kind in Kind:
        print(f"    {kind:24} {score.removed(attacks, kind):7.2%}")


def _show(attacks: list[Outcome], texts: list[Handling], topic: str | None) -> None:
    for one in attacks:
        if not one.is_neutralised and topic in {None, one.attack.topic}:
            print(f"\n{one.attack.topic} {one.attack.id} ({one.attack.family}, {one.attack.kind})")
            print(f"  text      {one.attack.text[:SHOWN]!a}\n  survived  {one.survived!a}\n  missing   {one.missing!a}")
    for text in texts:
        if text.is_altered and topic in {None, text.honest.topic}:
            print(f"\n{text.honest.topic} {text.honest.id} ({text.honest.kind})")
            print(f"  text      {text.honest.text[:SHOWN]!a}\n  output    {text.output[:SHOWN]!a}")
            print(f"  lost      {text.lost!a}")


if __name__ == "__main__":
    main()

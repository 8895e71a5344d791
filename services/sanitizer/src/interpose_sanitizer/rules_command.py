"""`interpose sanitize rules`: which rules there are, and whether each keeps its examples."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interpose.cli import options

if TYPE_CHECKING:
    from interpose_sanitizer.rules import Rule

app = typer.Typer(add_completion=False)

EPILOG = "Examples:\n\n  interpose sanitize rules --json\n\n  interpose sanitize rules test my-rules.toml"

RulesFile = Annotated[
    Path | None, typer.Argument(metavar="[FILE]", help="A file or a folder of rules to try beside those at work.")
]


@app.callback(invoke_without_command=True, epilog=EPILOG)
def rules(context: typer.Context, json: options.Json = False) -> None:
    """List the rules at work: those that come with the service, and those that INTERPOSE_SANITIZER_RULES names."""
    if context.invoked_subcommand is not None:
        return
    from interpose.cli.output import write_json

    found = [*_shipped(), *_composed(), *_classified(), *_operators()]
    if json:
        write_json([_told(rule) for rule in found])
    else:
        print("\n".join(_lines(found)))


@app.command("test")
def try_examples(file: RulesFile = None, json: options.Json = False) -> None:
    """Try every example of every rule. Ends with 1 where one is not kept, and says which."""
    from interpose.cli.output import write_json
    from interpose_sanitizer import examples, given

    found = [*_shipped(), *(given.files(file).rules if file else _operators())]
    wrong = {rule.id: [str(fault) for fault in unkept] for rule in found if (unkept := examples.faults(rule))}
    if json:
        write_json({"rules": len(found), "failing": wrong})
    else:
        for name, faults in wrong.items():
            print(f"{name}: " + "; ".join(faults))
        print(f"{len(found)} rules, {len(wrong)} failing")
    if wrong:
        raise typer.Exit(1)


def _shipped() -> "Sequence[Rule]":
    from interpose_sanitizer.rules import Place, shipped

    return shipped(Place.ENCODED)


def _composed() -> "Sequence[Rule]":
    """What is found by several clues together: each has a name and a family like a rule, and no pattern to try."""
    from interpose_sanitizer.unmarked.clues import shipped

    return [composition.rule for composition in shipped().compositions]


def _classified() -> "Sequence[Rule]":
    """What the classifier finds goes by a name for each place."""
    from interpose_sanitizer.classifier.named import BESIDE, NEARLY, RULE

    return [RULE, BESIDE, *NEARLY.values()]


def _operators() -> "Sequence[Rule]":
    from interpose_sanitizer.joined import of_operator

    return of_operator().rules


def _told(rule: "Rule") -> dict[str, Any]:
    known = ("id", "family", "languages", "place", "action", "reach")
    return {name: value for name, value in rule.model_dump(mode="json").items() if name in known}


def _lines(found: "Iterable[Rule]") -> Iterable[str]:
    rows = [(one.id, one.family, one.place, one.action, ",".join(one.languages)) for one in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

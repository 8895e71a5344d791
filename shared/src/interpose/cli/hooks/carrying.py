"""One change of the registry, carried out: shown, agreed to, written, and in force at every present gateway."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from nats.aio.client import Client

from interpose.cli.hooks import telling
from interpose.cli.output import write_json
from interpose.contracts.registry import Document
from interpose.embedded import operator
from interpose.embedded.home import Home
from interpose.errors import ConfigurationError
from interpose.registry.apply import is_same, standing
from interpose.registry.changes import Changed, again, now, somebody
from interpose.registry.difference import Difference, difference
from interpose.registry.history import Past, read_history
from interpose.registry.presence import Reported, present_gateways, wait_for_gateways
from interpose.registry.store import Store
from interpose.registry.version import Version
from interpose.registry.worst import Waiting, changed, longest

Change = Callable[[Version], Changed]


@dataclass(frozen=True, slots=True)
class Order:
    """How to carry it out. `asks`: a person agrees before enforcement shrinks, or may shrink."""

    home: Path | None
    timeout_ms: int
    asks: bool
    json: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be put in force, and what that means."""

    before: Version
    after: Document
    notes: tuple[str, ...]
    differences: list[Difference]
    waiting: list[Waiting]

    @property
    def loosened(self) -> list[str]:
        """Each sentence that tells of less enforcement, with its hook."""
        return [f"{one.name}: {told}" for one in self.differences for told in one.loosened]

    @property
    def may_loosen(self) -> list[str]:
        """Each sentence that nobody but the hook can judge."""
        return [f"{one.name}: {told}" for one in self.differences for told in one.may_loosen]

    @property
    def question(self) -> str | None:
        """What a person has to agree to; None where nothing is loosened."""
        if self.loosened:
            return "it loosens enforcement"
        return "it may loosen enforcement, and only the hook can tell" if self.may_loosen else None


def carry_out(order: Order, change: Change) -> None:
    """Carry out a change. Exits 1 where it is not in force everywhere; raises what reading and writing raise."""
    asyncio.run(_connected(order, lambda client: _carry_out(order, client, change)))


def roll_back(order: Order, revision: int | None) -> None:
    """Carry out an older document. Raises ConfigurationError for one that nobody knows."""

    async def carry(client: Client) -> None:
        past = _find(await read_history(client), (await Store(client).read()).revision, revision)
        note = f"the next apply of a file, also when the operator starts, goes on from this revision {past.revision}"
        applied = now(somebody(), f"rollback to {past.revision}")
        await _carry_out(order, client, lambda _: Changed(again(past.document, applied), (note,)))

    asyncio.run(_connected(order, carry))


def _find(known: list[Past], current: int, revision: int | None) -> Past:
    """The revision that was asked for, or the last one before the present one."""
    wanted = [past for past in known if (past.revision < current if revision is None else past.revision == revision)]
    if not wanted:
        which = "nothing stands before it" if revision is None else f"nobody knows revision {revision}"
        raise ConfigurationError(f"{which}: `interpose hooks history` lists what there is")
    return wanted[-1]


async def _connected(order: Order, carry: Callable[[Client], Any]) -> None:
    client = await operator.reach(Home.find(order.home))
    try:
        await carry(client)
    finally:
        await client.close()


async def _carry_out(order: Order, client: Client, change: Change) -> None:
    version = await Store(client).read()
    plan = _plan(version, change(version))
    if not order.json:
        telling.show(plan.differences, plan.waiting, plan.notes)
    if order.asks and plan.question is not None:
        await _agree(order, plan, plan.question)
    known = await present_gateways(client)
    revision = await _write(client, plan)
    reported = await wait_for_gateways(client, revision, plan.after.digest, order.timeout_ms, known)
    if order.json:
        write_json(_told(plan, reported) | {"applied": True, "revision": revision})
    else:
        telling.in_force(revision, reported, is_new=revision != version.revision)
    if not all(each.has for each in reported):
        raise typer.Exit(1)


def _plan(version: Version, change: Changed) -> Plan:
    before, after = standing(version), change.document
    return Plan(version, after, change.notes, difference(before, after), [*changed(before, after), longest(after)])


async def _write(client: Client, plan: Plan) -> int:
    """By compare-and-set on what the person saw: if somebody was faster, this is another difference."""
    if is_same(plan.before, plan.after):
        return plan.before.revision
    return await Store(client).put(plan.after, plan.before.revision)


async def _agree(order: Order, plan: Plan, question: str) -> None:
    """Ask; exit 1 without a yes, and where there is nobody to ask."""
    if order.json or not sys.stdin.isatty():
        why = f"{question}; nobody is there to ask: look at the difference, then repeat it with --yes"
        if order.json:
            write_json(_told(plan, []) | {"applied": False, "why": why})
        else:
            typer.echo(f"not applied: {why}", err=True)
        raise typer.Exit(1)
    # In a thread: the connection stays alive while the person thinks.
    if not await asyncio.to_thread(typer.confirm, f"{question[:1].upper()}{question[1:]}. Apply it?"):
        typer.echo("not applied")
        raise typer.Exit(1)


def _told(plan: Plan, reported: list[Reported]) -> dict[str, Any]:
    return {
        "differences": [
            {
                "name": one.name,
                "kind": one.kind,
                "told": list(one.told),
                "loosened": list(one.loosened),
                "may_loosen": list(one.may_loosen),
            }
            for one in plan.differences
        ],
        "loosened": plan.loosened,
        "may_loosen": plan.may_loosen,
        "notes": list(plan.notes),
        "worst_case": [each.model_dump() for each in plan.waiting],
        "gateways": [each.model_dump() for each in reported],
    }

"""What each ending means, cell by cell (DESIGN.md, section 6). The table is literal: nothing computes an expectation.

Read a row as: this ending, under this failMode and onFailure, has this effect; before the tool it leads to the one
decision, after the tool to the other; with this code, decided by that hook. A dot is a cell that cannot be: there is
no schema for responses. `failMode: warn` with `onFailure: reject` refuses at load, and a hook with failMode transform
cannot answer an undeclared transform, so these have no rows.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from interpose.contracts.reply import NoReply
from interpose.contracts.words import Decision, Failure, Outcome, Phase
from interpose_gateway.core.decide import Asked, decide
from interpose_gateway.core.endings import Skipped
from interpose_gateway.core.failmode import effect_of

TABLE = """
ending               failMode   onFailure  effect       before  after     code               decided_by
allow                reject     -          passed       run     deliver   -                  -
allow                reject     warn       passed       run     deliver   -                  -
allow                reject     reject     passed       run     deliver   -                  -
allow                warn       -          passed       run     deliver   -                  -
allow                warn       warn       passed       run     deliver   -                  -
allow                transform  -          passed       run     deliver   -                  -
allow                transform  warn       passed       run     deliver   -                  -
allow                transform  reject     passed       run     deliver   -                  -

transform            reject     -          transformed  run     deliver   -                  -
transform            reject     warn       transformed  run     deliver   -                  -
transform            reject     reject     transformed  run     deliver   -                  -
transform            warn       -          transformed  run     deliver   -                  -
transform            warn       warn       transformed  run     deliver   -                  -
transform            transform  -          transformed  run     deliver   -                  -
transform            transform  warn       transformed  run     deliver   -                  -
transform            transform  reject     transformed  run     deliver   -                  -

undeclared           reject     -          stopped      refuse  withhold  malformed-verdict  hook
undeclared           reject     warn       warned       run     deliver   -                  -
undeclared           reject     reject     stopped      refuse  withhold  malformed-verdict  hook
undeclared           warn       -          warned       run     deliver   -                  -
undeclared           warn       warn       warned       run     deliver   -                  -

output_missing       reject     -          stopped      refuse  withhold  malformed-verdict  hook
output_missing       reject     warn       warned       run     deliver   -                  -
output_missing       reject     reject     stopped      refuse  withhold  malformed-verdict  hook
output_missing       warn       -          warned       run     deliver   -                  -
output_missing       warn       warn       warned       run     deliver   -                  -
output_missing       transform  -          stopped      refuse  withhold  malformed-verdict  hook
output_missing       transform  warn       warned       run     deliver   -                  -
output_missing       transform  reject     stopped      refuse  withhold  malformed-verdict  hook

output_no_object     reject     -          stopped      refuse  withhold  malformed-verdict  hook
output_no_object     reject     warn       warned       run     deliver   -                  -
output_no_object     reject     reject     stopped      refuse  withhold  malformed-verdict  hook
output_no_object     warn       -          warned       run     deliver   -                  -
output_no_object     warn       warn       warned       run     deliver   -                  -
output_no_object     transform  -          stopped      refuse  withhold  malformed-verdict  hook
output_no_object     transform  warn       warned       run     deliver   -                  -
output_no_object     transform  reject     stopped      refuse  withhold  malformed-verdict  hook

output_breaks_schema reject     -          stopped      refuse  .         malformed-verdict  hook
output_breaks_schema reject     warn       warned       run     .         -                  -
output_breaks_schema reject     reject     stopped      refuse  .         malformed-verdict  hook
output_breaks_schema warn       -          warned       run     .         -                  -
output_breaks_schema warn       warn       warned       run     .         -                  -
output_breaks_schema transform  -          stopped      refuse  .         malformed-verdict  hook
output_breaks_schema transform  warn       warned       run     .         -                  -
output_breaks_schema transform  reject     stopped      refuse  .         malformed-verdict  hook

reject               reject     -          stopped      refuse  withhold  rejected           hook
reject               reject     warn       stopped      refuse  withhold  rejected           hook
reject               reject     reject     stopped      refuse  withhold  rejected           hook
reject               warn       -          warned       run     deliver   -                  -
reject               warn       warn       warned       run     deliver   -                  -
reject               transform  -          stopped      refuse  withhold  rejected           hook
reject               transform  warn       stopped      refuse  withhold  rejected           hook
reject               transform  reject     stopped      refuse  withhold  rejected           hook

reject_with_output   reject     -          stopped      refuse  withhold  too-bold           hook
reject_with_output   reject     warn       stopped      refuse  withhold  too-bold           hook
reject_with_output   reject     reject     stopped      refuse  withhold  too-bold           hook
reject_with_output   warn       -          warned       run     deliver   -                  -
reject_with_output   warn       warn       warned       run     deliver   -                  -
reject_with_output   transform  -          stopped      refuse  withhold  too-bold           hook
reject_with_output   transform  warn       stopped      refuse  withhold  too-bold           hook
reject_with_output   transform  reject     stopped      refuse  withhold  too-bold           hook

ask                  reject     -          approval     refuse  withhold  approval-required  hook
ask                  reject     warn       approval     refuse  withhold  approval-required  hook
ask                  reject     reject     approval     refuse  withhold  approval-required  hook
ask                  warn       -          warned       run     deliver   -                  -
ask                  warn       warn       warned       run     deliver   -                  -
ask                  transform  -          approval     refuse  withhold  approval-required  hook
ask                  transform  warn       approval     refuse  withhold  approval-required  hook
ask                  transform  reject     approval     refuse  withhold  approval-required  hook

no_responders        reject     -          stopped      refuse  withhold  no-responders      hook
no_responders        reject     warn       warned       run     deliver   -                  -
no_responders        reject     reject     stopped      refuse  withhold  no-responders      hook
no_responders        warn       -          warned       run     deliver   -                  -
no_responders        warn       warn       warned       run     deliver   -                  -
no_responders        transform  -          stopped      refuse  withhold  no-responders      hook
no_responders        transform  warn       warned       run     deliver   -                  -
no_responders        transform  reject     stopped      refuse  withhold  no-responders      hook

deadline_exceeded    reject     -          stopped      refuse  withhold  deadline-exceeded  hook
deadline_exceeded    reject     warn       warned       run     deliver   -                  -
deadline_exceeded    reject     reject     stopped      refuse  withhold  deadline-exceeded  hook
deadline_exceeded    warn       -          warned       run     deliver   -                  -
deadline_exceeded    warn       warn       warned       run     deliver   -                  -
deadline_exceeded    transform  -          stopped      refuse  withhold  deadline-exceeded  hook
deadline_exceeded    transform  warn       warned       run     deliver   -                  -
deadline_exceeded    transform  reject     stopped      refuse  withhold  deadline-exceeded  hook

malformed_verdict    reject     -          stopped      refuse  withhold  malformed-verdict  hook
malformed_verdict    reject     warn       warned       run     deliver   -                  -
malformed_verdict    reject     reject     stopped      refuse  withhold  malformed-verdict  hook
malformed_verdict    warn       -          warned       run     deliver   -                  -
malformed_verdict    warn       warn       warned       run     deliver   -                  -
malformed_verdict    transform  -          stopped      refuse  withhold  malformed-verdict  hook
malformed_verdict    transform  warn       warned       run     deliver   -                  -
malformed_verdict    transform  reject     stopped      refuse  withhold  malformed-verdict  hook

hook_error           reject     -          stopped      refuse  withhold  hook-error         hook
hook_error           reject     warn       warned       run     deliver   -                  -
hook_error           reject     reject     stopped      refuse  withhold  hook-error         hook
hook_error           warn       -          warned       run     deliver   -                  -
hook_error           warn       warn       warned       run     deliver   -                  -
hook_error           transform  -          stopped      refuse  withhold  hook-error         hook
hook_error           transform  warn       warned       run     deliver   -                  -
hook_error           transform  reject     stopped      refuse  withhold  hook-error         hook

connection_lost      reject     -          stopped      refuse  withhold  connection-lost    hook
connection_lost      reject     warn       warned       run     deliver   -                  -
connection_lost      reject     reject     stopped      refuse  withhold  connection-lost    hook
connection_lost      warn       -          warned       run     deliver   -                  -
connection_lost      warn       warn       warned       run     deliver   -                  -
connection_lost      transform  -          stopped      refuse  withhold  connection-lost    hook
connection_lost      transform  warn       warned       run     deliver   -                  -
connection_lost      transform  reject     stopped      refuse  withhold  connection-lost    hook

not_permitted        reject     -          stopped      refuse  withhold  not-permitted      hook
not_permitted        reject     warn       warned       run     deliver   -                  -
not_permitted        reject     reject     stopped      refuse  withhold  not-permitted      hook
not_permitted        warn       -          warned       run     deliver   -                  -
not_permitted        warn       warn       warned       run     deliver   -                  -
not_permitted        transform  -          stopped      refuse  withhold  not-permitted      hook
not_permitted        transform  warn       warned       run     deliver   -                  -
not_permitted        transform  reject     stopped      refuse  withhold  not-permitted      hook

cut_off              reject     -          stopped      refuse  withhold  budget-used-up     hook
cut_off              reject     warn       stopped      refuse  withhold  budget-used-up     hook
cut_off              reject     reject     stopped      refuse  withhold  budget-used-up     hook
cut_off              warn       -          stopped      refuse  withhold  budget-used-up     hook
cut_off              warn       warn       stopped      refuse  withhold  budget-used-up     hook
cut_off              transform  -          stopped      refuse  withhold  budget-used-up     hook
cut_off              transform  warn       stopped      refuse  withhold  budget-used-up     hook
cut_off              transform  reject     stopped      refuse  withhold  budget-used-up     hook

too_large            reject     -          stopped      refuse  withhold  too-large          hook
too_large            reject     warn       stopped      refuse  withhold  too-large          hook
too_large            reject     reject     stopped      refuse  withhold  too-large          hook
too_large            warn       -          stopped      refuse  withhold  too-large          hook
too_large            warn       warn       stopped      refuse  withhold  too-large          hook
too_large            transform  -          stopped      refuse  withhold  too-large          hook
too_large            transform  warn       stopped      refuse  withhold  too-large          hook
too_large            transform  reject     stopped      refuse  withhold  too-large          hook

skipped              reject     -          not_asked    refuse  withhold  rejected           earlier
skipped              reject     warn       not_asked    refuse  withhold  rejected           earlier
skipped              reject     reject     not_asked    refuse  withhold  rejected           earlier
skipped              warn       -          not_asked    refuse  withhold  rejected           earlier
skipped              warn       warn       not_asked    refuse  withhold  rejected           earlier
skipped              transform  -          not_asked    refuse  withhold  rejected           earlier
skipped              transform  warn       not_asked    refuse  withhold  rejected           earlier
skipped              transform  reject     not_asked    refuse  withhold  rejected           earlier

unmet                reject     -          not_asked    refuse  withhold  not-asked          hook
unmet                reject     warn       not_asked    refuse  withhold  not-asked          hook
unmet                reject     reject     not_asked    refuse  withhold  not-asked          hook
unmet                warn       -          warned       run     deliver   -                  -
unmet                warn       warn       warned       run     deliver   -                  -
unmet                transform  -          not_asked    refuse  withhold  not-asked          hook
unmet                transform  warn       not_asked    refuse  withhold  not-asked          hook
unmet                transform  reject     not_asked    refuse  withhold  not-asked          hook

inapplicable         reject     -          not_applicable run   deliver   -                  -
inapplicable         reject     warn       not_applicable run   deliver   -                  -
inapplicable         reject     reject     not_applicable run   deliver   -                  -
inapplicable         warn       -          not_applicable run   deliver   -                  -
inapplicable         warn       warn       not_applicable run   deliver   -                  -
inapplicable         transform  -          not_applicable run   deliver   -                  -
inapplicable         transform  warn       not_applicable run   deliver   -                  -
inapplicable         transform  reject     not_applicable run   deliver   -                  -
"""

TRANSFORM = {"verdict": "transform", "output": {"command": "echo"}}
REJECT = {"verdict": "reject", "reason": "no"}
ENDINGS: dict[str, Any] = {
    "allow": {"verdict": "allow"},
    "transform": TRANSFORM,
    "undeclared": TRANSFORM,
    "output_missing": {"verdict": "transform"},
    "output_no_object": {"verdict": "transform", "output": "echo"},
    "output_breaks_schema": {"verdict": "transform", "output": {"command": 1}},
    "reject": REJECT,
    "reject_with_output": REJECT | {"code": "too-bold", "output": {"command": "echo"}},
    "ask": {"verdict": "ask", "reason": "sure?"},
    "too_large": NoReply(Failure.HOOK_ERROR, "more than it reads", too_large=True),
    "skipped": {"verdict": "allow"},
    "unmet": {"verdict": "allow"},
    "inapplicable": REJECT,
} | {failure.value: NoReply(failure, "it is out of order") for failure in Failure}

DECLARING = {"transform", "output_missing", "output_no_object", "output_breaks_schema", "skipped", "unmet"}
SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}}


@dataclass(frozen=True)
class Row:
    """One row of the table."""

    ending: str
    fail_mode: str
    on_failure: str
    effect: str
    before: str
    after: str
    code: str
    decided_by: str

    @property
    def spec(self) -> dict[str, Any]:
        """The hook's own fields."""
        told = {} if self.on_failure == "-" else {"onFailure": self.on_failure}
        declared = {"transform": True} if self.ending in DECLARING and self.fail_mode != "transform" else {}
        turn = {"unmet": {"needs": ["earlier"]}, "inapplicable": {"when": "tool != 'Bash'"}}.get(self.ending, {})
        return {"failMode": self.fail_mode, "timeout": 5000} | told | declared | turn

    def __str__(self) -> str:
        return f"{self.ending} {self.fail_mode} {self.on_failure}"


ROWS = [Row(*line.split()) for line in TABLE.strip().splitlines()[1:] if line]
AFTER_ROWS = [row for row in ROWS if row.after != "."]


def none_if_dash(word: str | None) -> str:
    """As the table writes it."""
    return "-" if word is None else word


def arrange(world, hook, takes, row: Row, phase: Phase) -> None:
    """A world in which the hook's ask of that phase ends like this."""
    hooks = [hook("hook", **row.spec)]
    if row.ending == "skipped":
        hooks.insert(0, hook("earlier", transform=True))
    if row.ending == "unmet":
        hooks.insert(0, hook("earlier", transform=True, failMode="warn"))
    world.configure({f"{phase}:*": hooks}, tools={"Bash": {"inputSchema": SCHEMA}})
    world.hooks.does = {"hook": ENDINGS.get(row.ending) or takes(6000), "earlier": REJECT}


def seen(world, phase: Phase) -> list[str]:
    """What the durable record says, as the table writes it: effect, decision, code, decided_by."""
    record = world.ledger.of(phase)
    return [record.hooks[-1].effect, record.decision, none_if_dash(record.code), none_if_dash(record.decided_by)]


@pytest.mark.parametrize("row", ROWS, ids=str)
async def test_before_the_tool(world, hook, takes, row):
    """The row holds, and the tool runs exactly where the row says `run`."""
    arrange(world, hook, takes, row, Phase.BEFORE)

    reply = await world.call(timeout_ms=4000 if row.ending == "cut_off" else 60_000)

    assert [row.effect, row.before, row.code, row.decided_by] == seen(world, Phase.BEFORE)
    assert (row.before == "run") == bool(world.tools.runs) == (reply.answer.ran is True)
    assert (row.effect == "warned") == any(warning.startswith("hook ") for warning in reply.answer.warnings)


@pytest.mark.parametrize("row", AFTER_ROWS, ids=str)
async def test_after_the_tool(world, hook, takes, row):
    """The row holds, and the agent gets a response exactly where it says `deliver`; the tool has run in any case."""
    arrange(world, hook, takes, row, Phase.AFTER)
    world.tools.takes_ms = 6000

    reply = await world.call(timeout_ms=10_000 if row.ending == "cut_off" else 60_000)

    assert [row.effect, row.after, row.code, row.decided_by] == seen(world, Phase.AFTER)
    assert (row.after == "deliver") == ("response" in reply.answer.model_fields_set)
    assert [True, row.after == "withhold"] == [reply.answer.ran, reply.answer.withheld]


def test_the_table_is_whole():
    """Every ending under every failMode and onFailure, less the cells that cannot be: 157 rows, each once."""
    cells = {(row.ending, row.fail_mode, row.on_failure) for row in ROWS}

    assert 20 == len({row.ending for row in ROWS})
    assert 20 * 8 - 3 == len(ROWS) == len(cells)


def test_nothing_asked_runs():
    """A call that no key matches is not held up."""
    assert [Decision.RUN, Decision.DELIVER] == [decide(phase, ()).decision for phase in Phase]


def test_a_hook_that_nobody_asked_is_never_a_yes(spec, step):
    """Even where nobody stopped the call."""
    lone = [Asked(step(spec("hook")), Skipped(), effect_of(Skipped(), spec("hook").fail_mode, None))]

    assert [("refuse", "not-asked"), ("withhold", "not-asked")] == [
        (decided.decision, decided.code) for decided in (decide(phase, lone) for phase in Phase)
    ]


async def test_an_exception_in_the_gateway_is_a_recorded_refusal(world, hook):
    """Whatever the fail mode: the record says that nothing ran, and why."""
    world.configure({"before:*": [hook("hook", failMode="warn")]})
    world.hooks.does = {"hook": RuntimeError("boom")}

    reply = await world.call()

    record = world.ledger.of(Phase.BEFORE)
    assert (503, "refuse", "internal-error", False) == (
        reply.status,
        reply.answer.decision,
        reply.answer.code,
        reply.answer.ran,
    )
    assert ("refuse", "internal-error", None) == (record.decision, record.code, record.decided_by)
    assert ([], ["gateway-error"]) == (world.tools.runs, world.watch.alarms)


async def test_an_exception_in_the_gateway_behind_the_tool_withholds(world, hook):
    """The tool has run, and the answer and the record say so."""
    world.configure({"after:*": [hook("hook", failMode="warn")]})
    world.hooks.does = {"hook": RuntimeError("boom")}

    reply = await world.call()

    record = world.ledger.of(Phase.AFTER)
    assert (403, "withhold", "internal-error", True) == (
        reply.status,
        reply.answer.decision,
        reply.answer.code,
        reply.answer.ran,
    )
    assert ("withhold", "internal-error", Outcome.SUCCESS) == (record.decision, record.code, record.outcome)
    assert ["gateway-error"] == world.watch.alarms

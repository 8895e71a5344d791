/** Which evaluation an outcome belongs to. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Claims, MOST, TTL_MS } from "../../../deploy/agents/openclaw/report/claims.js";
import { ManualClock } from "../programs/stand_in.mjs";

function open() {
  const clock = new ManualClock();
  const expired = [];
  const replaced = [];
  const claims = new Claims({
    now: clock.now,
    onExpired: (claim) => expired.push(claim.evaluationId),
    onReplaced: (claim) => replaced.push(claim.evaluationId),
  });
  const take = (ids, evaluationId) => {
    const claim = claims.reserve({ tool: "exec", ...ids });
    if (claim) claims.bind(claim, { evaluationId, judged: {} });
    return claim;
  };
  const claim = (ids) => claims.claim({ tool: "exec", ...ids })?.evaluationId;
  return { clock, claims, expired, replaced, take, claim };
}

test("an outcome claims by call id first", () => {
  const { take, claim } = open();
  take({ callId: "c1", runId: "r1", session: "s" }, "one");
  take({ callId: "c2", runId: "r1", session: "s" }, "two");

  assert.deepEqual([claim({ callId: "c2", runId: "r1" }), claim({ callId: "c1", runId: "r1" })], ["two", "one"]);
});

test("without a call id by run, and without that by session and tool", () => {
  const { take, claim } = open();
  take({ runId: "r1", session: "s" }, "by run");
  take({ session: "s" }, "by session");

  assert.deepEqual([claim({ session: "s" }), claim({ runId: "r1", session: "s" })], ["by session", "by run"]);
});

test("a session without a name has its own place, and a name of one kind never passes for another", () => {
  const { take, claim } = open();
  take({ callId: "x" }, "call");
  take({ runId: "x" }, "run");
  take({ session: "x" }, "session");
  take({}, "nameless");

  assert.deepEqual(
    [claim({}), claim({ session: "x" }), claim({ runId: "x" }), claim({ callId: "x" })],
    ["nameless", "session", "run", "call"],
  );
});

test("an outcome is claimed once", () => {
  const { take, claim } = open();
  take({ callId: "c1" }, "one");

  assert.deepEqual([claim({ callId: "c1" }), claim({ callId: "c1" })], ["one", undefined]);
});

test("a second live call without a call id has no place, until the first is over", () => {
  const { claims, take, claim } = open();
  const first = take({ session: "s" }, "one");

  assert.equal(undefined, take({ session: "s" }, "two"));
  claims.release(first);
  take({ session: "s" }, "three");
  assert.equal("three", claim({ session: "s" }));
  assert.ok(take({ session: "s" }, "four"));
});

test("a call that is still being judged holds its place and cannot be claimed", () => {
  const { claims, claim } = open();
  claims.reserve({ tool: "exec", runId: "r" });

  assert.deepEqual([undefined, undefined], [claims.reserve({ tool: "write", runId: "r" }), claim({ runId: "r" })]);
});

test("the same call id in another run or of another tool is another call", () => {
  const { take, claim } = open();
  take({ callId: "call_0", runId: "r1" }, "one");
  take({ callId: "call_0", runId: "r2" }, "two");
  take({ callId: "call_0", runId: "r2", tool: "read" }, "three");

  assert.deepEqual(
    [
      claim({ callId: "call_0", runId: "r2", tool: "read" }),
      claim({ callId: "call_0", runId: "r1" }),
      claim({ callId: "call_0", runId: "r2" }),
    ],
    ["three", "one", "two"],
  );
});

test("where runs are not known the session tells two calls of one id apart", () => {
  const { take, claim } = open();
  take({ callId: "call_0", session: "s1" }, "one");
  take({ callId: "call_0", session: "s2" }, "two");
  take({ callId: "call_1", runId: "r1", session: "s1" }, "three");

  assert.deepEqual(
    [claim({ callId: "call_0", session: "s2" }), claim({ callId: "call_0" })],
    ["two", "one"],
  );
  assert.equal("three", claim({ callId: "call_1", runId: "r1", session: "named otherwise afterwards" }));
});

test("an outcome that could be of two calls is of none", () => {
  const { take, claim } = open();
  take({ callId: "call_0", runId: "r1" }, "one");
  take({ callId: "call_0", runId: "r2" }, "two");

  assert.equal(undefined, claim({ callId: "call_0" }));
});

test("the same call once more takes the place of the first, which stays open at the gateway", () => {
  const { take, claim, replaced } = open();
  take({ callId: "c1", runId: "r1" }, "one");
  take({ callId: "c1", runId: "r1" }, "two");

  assert.deepEqual([["one"], "two"], [replaced, claim({ callId: "c1" })]);
});

test("after ten minutes nobody can claim it, and that is told once", () => {
  const { clock, claims, take, claim, expired } = open();
  take({ callId: "c1" }, "one");
  clock.pass(TTL_MS - 1);
  assert.ok(claims.find({ tool: "exec", callId: "c1" }));
  clock.pass(1);

  assert.deepEqual([claim({ callId: "c1" }), claim({ callId: "c1" }), expired], [undefined, undefined, ["one"]]);
  assert.equal(10 * 60 * 1000, TTL_MS);
});

test("time begins anew when the call is judged, and when it is prolonged", () => {
  const { clock, claims, claim } = open();
  const reserved = claims.reserve({ tool: "exec", callId: "c1" });
  clock.pass(TTL_MS - 1);
  claims.bind(reserved, { evaluationId: "one" });
  clock.pass(TTL_MS - 1);
  claims.prolong(reserved);
  clock.pass(TTL_MS - 1);

  assert.equal("one", claim({ callId: "c1" }));
});

test("there is a limit to how many are kept; the oldest goes first", () => {
  const { claims, take, claim, expired } = open();
  for (let index = 0; index <= MOST; index += 1) take({ callId: `c${index}` }, index);

  assert.deepEqual(
    [MOST, [0], undefined, MOST],
    [claims.live.size, expired, claim({ callId: "c0" }), claim({ callId: `c${MOST}` })],
  );
});

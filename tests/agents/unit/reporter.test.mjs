/** What every in-process plugin does with its gateway. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import { AMBIGUOUS, createReporter, snapshot, TTL_MS } from "../../../deploy/agents/openclaw/report/index.js";
import { ALLOW, keptLog, ManualClock, StandIn, TAKEN, TOKEN, until } from "../programs/stand_in.mjs";

const IDS = { callId: "c1", runId: "r1", session: "s1", tool: "web_fetch" };
let gateway, folder, clock, log, reporter;

beforeEach(async () => {
  [gateway, folder, clock, log] = [
    await StandIn.open(),
    await mkdtemp(join(tmpdir(), "reporter-")),
    new ManualClock(),
    keptLog(),
  ];
  gateway.on("/evaluate", ALLOW).on("/audit", TAKEN);
  reporter = report();
});
afterEach(async () => {
  await reporter.close(0);
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

function report({ url = gateway.url, evidence = [] } = {}) {
  return createReporter({
    baseUrl: url,
    token: TOKEN,
    outboxFolder: folder,
    identity: { origin: "test", adapterVersion: "1.2.3" },
    timeouts: { evaluateMs: 200, installMs: 200, auditMs: 200 },
    bounds: { mostReports: 10, maxAgeMs: 3_600_000 },
    evidence,
    logger: log,
    clock,
  });
}

const before = (more = {}) => reporter.before({
  ids: IDS,
  arguments: { url: "https://example.com" },
  session: "s1",
  agentId: "main",
  metadata: { run_id: "r1" },
  ...more,
});
const succeeded = (more = {}) => ({
  status: "success",
  result: snapshot({ ok: 1 }),
  params: snapshot({ url: "https://example.com" }),
  durationMs: 12.5,
  ...more,
});
const audits = (count = 1) => gateway.sees("/audit", count).then((seen) => seen.map(({ body }) => body));

test("a call is judged with everything that is said of it", async () => {
  const told = await before();
  const [{ body }] = gateway.to("/evaluate");

  assert.deepEqual(["allow", { url: "https://example.com" }], [told.decision, told.arguments]);
  assert.deepEqual(
    body,
    {
      origin: "test",
      adapter_version: "1.2.3",
      agent_id: "main",
      session_id: "s1",
      tool: { name: "web_fetch" },
      arguments: { url: "https://example.com" },
      metadata: { run_id: "r1" },
    },
  );
});

test("what came of it is reported under the evaluation", async () => {
  await before();

  assert.equal(true, await reporter.after(IDS, succeeded()));
  assert.deepEqual(await audits(), [{ evaluation_id: "e-1", status: "success", duration_ms: 12.5, result: { ok: 1 } }]);
  await until(() => reporter.readCounters().finalised === 1);
  assert.deepEqual([1, 0, 0], ["allowed", "shed", "missed"].map((name) => reporter.readCounters()[name]));
});

test("the same call once more before it was reported is counted, and the newer evaluation is reported", async () => {
  let count = 0;
  gateway.on("/evaluate", () => ({ body: { evaluation_id: `e-${(count += 1)}`, decision: "allow" } }));
  await before();
  await before();
  await reporter.after(IDS, succeeded());

  assert.deepEqual(["e-2", 1], [(await audits())[0].evaluation_id, reporter.readCounters().replaced]);
});

test("a refusal is the gateway's words, and nothing of it can be reported", async () => {
  gateway.on("/evaluate", () => ({ body: { evaluation_id: "e", decision: "deny", reason: "not today" } }));

  assert.deepEqual({ decision: "deny", reason: "not today" }, await before());
  assert.equal(false, await reporter.after(IDS, succeeded()));
  assert.deepEqual(
    [1, 1, 0],
    [reporter.readCounters().denied, reporter.readCounters().missed, gateway.to("/audit").length],
  );
});

for (const [what, how, why] of [
  [
    "a status",
    () => ({ status: 503, body: { error: "governance_unavailable", message: "no broker" } }),
    "status 503 governance_unavailable: no broker",
  ],
  [
    "a refused token",
    () => ({ status: 401, body: { error: "unauthorized", message: "who?" } }),
    "status 401 unauthorized: who?",
  ],
  ["no JSON", () => ({ raw: "<html>" }), "its answer is no JSON object"],
  ["an unknown word", () => ({ body: { evaluation_id: "e", decision: "maybe" } }), 'unknown decision "maybe"'],
  ["silence", () => ({ silent: true }), "no answer within 200 ms"],
  ["a broken connection", () => ({ raw: null }), "no connection to the gateway (ECONNRESET)"],
]) {
  test(`${what} instead of a decision blocks the call and says why`, async () => {
    gateway.on("/evaluate", how);

    assert.deepEqual({ decision: "deny", reason: `Interpose governance unavailable: ${why}` }, await before());
    assert.equal(1, reporter.readCounters().unavailable);
    assert.equal(undefined, reporter.find(IDS));
  });
}

test("nobody there blocks the call", async () => {
  const away = await StandIn.open();
  reporter = report({ url: away.url });
  await away.close();

  assert.match((await before()).reason, /^Interpose governance unavailable: .*ECONNREFUSED/);
});

test("a second call that could not be told apart is refused in these words and never asked about", async () => {
  const ids = { session: "s1", tool: "web_fetch" };
  const both = await Promise.all([before({ ids }), before({ ids })]);

  assert.deepEqual(
    ["allow", { decision: "deny", reason: "cannot correlate ambiguous concurrent tool calls" }],
    [both[0].decision, both[1]],
  );
  assert.deepEqual(
    [AMBIGUOUS, 1, 1],
    [both[1].reason, gateway.to("/evaluate").length, reporter.readCounters().ambiguous],
  );
});

test("after a refusal, and after nobody answered, the place is free", async () => {
  const ids = { runId: "r", tool: "exec" };
  gateway.on("/evaluate", [() => ({ body: { evaluation_id: "e", decision: "deny" } }), () => ({ status: 500 }), ALLOW]);

  assert.deepEqual(
    ["deny", "deny", "allow"],
    [(await before({ ids })).decision, (await before({ ids })).decision, (await before({ ids })).decision],
  );
});

test("an outcome without an evaluation is not sent, but counted and logged", async () => {
  assert.equal(false, await reporter.after(IDS, succeeded()));
  assert.deepEqual(
    [1, 0, 0],
    [reporter.readCounters().missed, gateway.requests.length, (await readdir(folder)).length],
  );
  assert.ok(log.lines.some(
    (line) => line.startsWith("warn interpose: an outcome of web_fetch belongs to no evaluation"),
  ));
});

test("an evaluation that nobody reports expires after ten minutes", async () => {
  await before();
  clock.pass(TTL_MS);

  assert.equal(1, reporter.readCounters().expired);
  assert.equal(false, await reporter.after(IDS, succeeded()));
});

test("arguments that JSON cannot hold whole are not judged", async () => {
  const ring = {};
  ring.self = ring;
  for (const [given, why] of [
    [{ a: 1n }, "$.a is a BigInt"],
    [ring, "$.self is a cycle"],
    [{ list: [1, undefined] }, "$.list[1] is nothing in a list"],
    [{ f: () => 1 }, "$.f is a function"],
    [{ n: NaN }, "$.n is NaN"],
    [{ d: new Date(0) }, "$.d is a Date"],
    [{ s: "\ud800" }, "$.s is text with half a character"],
    [{ get g() { throw new Error("x"); } }, "$.g is reading it threw Error"],
    [new (class Odd { a = 1; })(), "$ is no plain object"],
  ]) {
    assert.deepEqual(
      { decision: "deny", reason: `the arguments cannot be judged: ${why}` },
      await before({ arguments: given }),
    );
  }
  assert.deepEqual({ decision: "deny", reason: "the arguments are no object" }, await before({ arguments: [1] }));
  assert.equal(0, gateway.requests.length);
});

test("nothing at all is no arguments, and a key without a value is none", async () => {
  await before({ arguments: undefined });
  await before({ ids: { ...IDS, callId: "c2" }, arguments: { a: undefined, b: 1 } });

  assert.deepEqual([{}, { b: 1 }], gateway.to("/evaluate").map(({ body }) => body.arguments));
});

test("64 KiB of arguments can be judged, one byte more cannot", async () => {
  const room = 65_536 - Buffer.byteLength('{"a":""}');

  assert.equal("allow", (await before({ arguments: { a: "x".repeat(room) } })).decision);
  assert.deepEqual(
    { decision: "deny", reason: "the arguments are 65537 bytes; at most 65536 can be judged" },
    await before({ arguments: { a: "x".repeat(room + 1) } }),
  );
});

test("what is sent is what was read, also when the arguments answer differently the second time", async () => {
  let reads = 0;
  const told = await before({ arguments: { get command() { reads += 1; return reads === 1 ? "ls" : "rm -rf /"; } } });

  assert.deepEqual(
    [{ command: "ls" }, { command: "ls" }, 1],
    [told.arguments, gateway.to("/evaluate")[0].body.arguments, reads],
  );
});

test("evidence goes with a success only", async () => {
  reporter = report({ evidence: [{ tool: "web_fetch", key: "host", path: ["url", "host"], from: "result" }] });
  const result = snapshot({ url: { host: "example.com" } });
  await before();
  await reporter.after(IDS, succeeded({ result }));
  await before();
  await reporter.after(IDS, { ...succeeded({ result }), status: "error", error: "boom" });
  const seen = await audits(2);

  assert.deepEqual(
    seen.map(({ evidence }) => evidence),
    [[{ evidence_key: "host", evidence_data: "example.com" }], undefined],
  );
});

test("an entry of evidence that cannot be read is counted and costs nothing else", async () => {
  reporter = report({ evidence: ["bad", "good"].map((key) => ({ tool: "*", key, path: [key], from: "result" })) });
  await before();
  await reporter.after(IDS, succeeded({ result: snapshot({ good: 1, get bad() { throw 1; } }) }));
  const [body] = await audits();

  assert.deepEqual(
    [[{ evidence_key: "good", evidence_data: 1 }], { good: 1, bad: "[unreadable]" }, 1],
    [body.evidence, body.result, reporter.readCounters().skipped],
  );
  assert.ok(log.lines.some((line) => line.startsWith("warn interpose: evidence bad is left out")));
});

test("a result that is too large is shed, marked, counted and logged", async () => {
  await before();
  await reporter.after(IDS, succeeded({ result: snapshot({ page: "x".repeat(1024 * 1024) }) }));

  assert.deepEqual(await audits(), [{ evaluation_id: "e-1", status: "success", duration_ms: 12.5, shed: ["result"] }]);
  assert.deepEqual([1, 0], [reporter.readCounters().shed, reporter.readCounters().truncated]);
  assert.ok(log.lines.some((line) => line.includes("goes without result")));
});

test("an error that is too large is cut, marked and counted", async () => {
  await before();
  await reporter.after(IDS, { status: "error", error: "é".repeat(1024 * 1024) });
  const [body] = await audits();

  assert.ok(body.error.endsWith("é...[truncated]"));
  assert.deepEqual([["error: cut"], 1], [body.shed, reporter.readCounters().truncated]);
});

test("an error is text, whatever it is", async () => {
  const given = [
    "plain",
    new RangeError("far"),
    { message: "like one" },
    { code: 7 },
    5n,
    Symbol("s"),
    new Proxy({}, { get: () => { throw 1; } }),
  ];
  for (const [index, error] of given.entries()) {
    await before();
    await reporter.after(IDS, { status: "error", error });
    await audits(index + 1);
  }

  assert.deepEqual(
    (await audits()).map(({ error }) => error),
    ["plain", "RangeError: far", "like one", '{"code":7}', "5", "[error]", "{}"],
  );
});

test("a call that ran with other arguments than were judged is told", async () => {
  await before();
  await reporter.after(IDS, succeeded({ params: snapshot({ url: "https://evil.example" }) }));
  await before();
  await reporter.after(IDS, succeeded());

  assert.equal(1, reporter.readCounters().altered);
  assert.ok(log.lines.some((line) => line.includes("ran with other arguments than were judged (evaluation e-1)")));
});

test("what the gateway says of a report is logged", async () => {
  const evidence = [{ evidence_key: "k", stored: false, reason: "too large" }];
  gateway.on(
    "/audit",
    () => ({
      status: 201,
      body: { ok: true, decision: "withhold", reason: "a secret", finalized_by: "evaluate", evidence },
    }),
  );
  await before();
  await reporter.after(IDS, succeeded());
  await until(() => reporter.readCounters().withheld === 1);

  for (const part of [
    "would have withheld a result that the host has delivered: a secret",
    "had ended a call before it was reported (evaluate)",
    "evidence k was not stored: too large",
  ]) {
    assert.ok(log.lines.some((line) => line.includes(part)), part);
  }
});

test("a call that is given up is reported as not run", async () => {
  const told = await before();
  await reporter.abandon(told.claim, "cannot be done");

  assert.deepEqual(await audits(), [{ evaluation_id: "e-1", status: "not_executed", error: "cannot be done" }]);
  assert.equal(undefined, reporter.find(IDS));
});

const QUESTION = () => ({
  body: {
    evaluation_id: "e-1",
    decision: "require_approval",
    reason: "sure?",
    approval: { id: "a 1", timeout_ms: 120_000, resolve_path: "/approval/a%201/resolve" },
  },
});

test("a person's yes is delivered although the gateway is away, and the call's time begins anew", async () => {
  gateway.on("/evaluate", QUESTION).on(
    "/approval/a%201/resolve",
    [() => ({ status: 503 }), () => ({ status: 503 }), () => ({ body: { ok: true, decision: "allow" } })],
  );
  const told = await before();
  clock.pass(TTL_MS);
  const resolving = reporter.resolve(
    told.claim,
    told.approval,
    { resolution: "approved", scope: "once", resolved_by: "test" },
  );
  for (const [count, pauseMs] of [[1, 250], [2, 500]]) {
    await gateway.sees("/approval/a%201/resolve", count);
    await until(() => clock.timers.size > 0);
    clock.pass(pauseMs - 1);
    await new Promise(setImmediate);
    assert.equal(count, gateway.to("/approval/a%201/resolve").length);
    clock.pass(1);
  }
  await resolving;
  clock.pass(TTL_MS - 1000);
  assert.deepEqual([2, 0], [reporter.readCounters().retried, reporter.readCounters().overruled]);

  assert.deepEqual(
    new Set(gateway.to("/approval/a%201/resolve").map(({ bytes }) => bytes.toString())),
    new Set(['{"resolution":"approved","scope":"once","resolved_by":"test"}']),
  );
  assert.equal(true, await reporter.after(IDS, succeeded()));
});

test("a no leaves nothing to report", async () => {
  gateway.on("/evaluate", QUESTION).on("/approval/a%201/resolve", () => ({ body: { ok: true, decision: "deny" } }));
  const told = await before();
  await reporter.resolve(told.claim, told.approval, { resolution: "denied" });

  assert.deepEqual([undefined, 0], [reporter.find(IDS), reporter.readCounters().overruled]);
});

test("an answer that the gateway does not take is told, and not sent again", async () => {
  gateway.on("/evaluate", QUESTION).on(
    "/approval/a%201/resolve",
    () => ({ status: 409, body: { error: "already_resolved", message: "too late" } }),
  );
  const told = await before();
  await reporter.resolve(told.claim, told.approval, { resolution: "approved" });

  assert.deepEqual([1, 1], [gateway.to("/approval/a%201/resolve").length, reporter.readCounters().unresolved]);
});

test("a yes that the rules of that moment refuse is told loudly", async () => {
  gateway.on("/evaluate", QUESTION).on(
    "/approval/a%201/resolve",
    () => ({ body: { ok: true, decision: "deny", reason: "not any more" } }),
  );
  const told = await before();
  await reporter.resolve(told.claim, told.approval, { resolution: "approved" });

  assert.equal(1, reporter.readCounters().overruled);
  assert.ok(log.lines.some((line) => line.startsWith("error interpose: the gateway refuses a call that was approved")));
});

test("a logger that throws decides nothing", async () => {
  const broken = () => { throw new Error("log"); };
  const told = console.warn;
  console.warn = () => {};
  log.warn = log.info = log.error = broken;

  assert.equal(false, await reporter.after(IDS, succeeded()));
  console.warn = told;
});

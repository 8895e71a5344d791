/** One request to the gateway, and what its answer means. */
import assert from "node:assert/strict";
import net from "node:net";
import { once } from "node:events";
import { after, before, test } from "node:test";

import { evaluationOf, scanOf, sendingOf } from "../../../deploy/agents/openclaw/report/answers.js";
import { Client, Unavailable } from "../../../deploy/agents/openclaw/report/client.js";
import { StandIn, TOKEN } from "../programs/stand_in.mjs";

let gateway;
before(async () => void (gateway = await StandIn.open()));
after(() => gateway.close());

const post = (
  path,
  { base = gateway.url, timeoutMs = 5000, bytes = Buffer.from("{}") } = {},
) => new Client({ baseUrl: base, token: TOKEN }).post(path, bytes, timeoutMs);

test("a request is the bytes that were given, under the token, and has no header of a browser", async () => {
  gateway.on("/evaluate", () => ({ body: { ok: true } }));
  const bytes = Buffer.from('{"b": 1,  "a": "é"}');
  const reply = await post("/evaluate", { bytes });
  const [{ method, headers, bytes: seen }] = gateway.to("/evaluate");

  assert.deepEqual([200, { ok: true }, "POST", bytes], [reply.status, reply.body, method, seen]);
  assert.deepEqual(`Bearer ${TOKEN}`, headers.authorization);
  assert.deepEqual(
    [],
    Object.keys(headers).filter((name) => name === "origin" || name.startsWith("sec-") || name === "cookie"),
  );
});

test("a base with a path, with or without its last stroke, is where the paths begin", async () => {
  gateway.on("/v1/audit", () => ({ status: 201 }));

  assert.deepEqual(
    [201, 201],
    [
      (await post("/audit", { base: `${gateway.url}/v1` })).status,
      (await post("/audit", { base: `${gateway.url}/v1/` })).status,
    ],
  );
});

test("a redirect is an answer like any other and leads nowhere", async () => {
  gateway.on("/elsewhere", () => ({ status: 307, headers: { location: `${gateway.url}/never` } }));

  assert.deepEqual([307, 0], [(await post("/elsewhere")).status, gateway.to("/never").length]);
});

test("silence ends with the time, also in the middle of an answer", async () => {
  gateway.on("/silent", () => ({ silent: true }));
  const halved = net.createServer((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"));
  halved.listen(0, "127.0.0.1");
  await once(halved, "listening");
  const base = `http://127.0.0.1:${halved.address().port}`;

  await assert.rejects(post("/silent", { timeoutMs: 100 }), { message: "no answer within 100 ms" });
  await assert.rejects(post("/", { base, timeoutMs: 100 }), { message: "no answer within 100 ms" });
  halved.close();
});

test("nobody there, and a connection that breaks, are told as what they are", async () => {
  const gone = await StandIn.open();
  const base = gone.url;
  await gone.close();
  gateway.on("/breaks", () => ({ raw: null }));

  await assert.rejects(
    post("/any", { base }),
    (error) => error instanceof Unavailable && error.message.includes("ECONNREFUSED"),
  );
  await assert.rejects(
    post("/breaks"),
    (error) => error instanceof Unavailable && error.message.includes("ECONNRESET"),
  );
});

test("an answer that is endless is not read to its end", async () => {
  gateway.on("/endless", () => ({ raw: Buffer.alloc(5 * 1024 * 1024, " ") }));

  await assert.rejects(
    post("/endless"),
    (error) => error instanceof Unavailable && error.message.includes("over 4194304 bytes"),
  );
});

test("what is no JSON object is an empty one", async () => {
  for (const raw of ["", "[1]", "null", "{", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])]) {
    gateway.on("/odd", () => ({ raw }));

    assert.deepEqual({}, (await post("/odd")).body);
  }
});

const OK = { evaluation_id: "e", decision: "allow" };
const evaluated = (body, status = 200) => evaluationOf({ status, body });

test("an id may be as long as the gateway makes one", () => {
  assert.equal(256, evaluated({ ...OK, evaluation_id: "x".repeat(256) }).evaluationId.length);
});

test("only a whole yes is a yes", () => {
  assert.deepEqual(evaluated(OK), { decision: "allow", evaluationId: "e" });
  assert.deepEqual(
    evaluated({ ...OK, arguments: { a: 1 } }),
    { decision: "allow", evaluationId: "e", arguments: { a: 1 } },
  );
  for (const [body, why] of [
    [{}, /no JSON object/],
    [{ decision: "allow" }, /evaluation_id/],
    [{ ...OK, evaluation_id: "" }, /evaluation_id/],
    [{ ...OK, evaluation_id: "x".repeat(257) }, /evaluation_id/],
    [{ ...OK, arguments: [1] }, /arguments/],
    [{ ...OK, arguments: null }, /arguments/],
    [{ ...OK, decision: "ALLOW" }, /unknown decision "ALLOW"/],
    [{ ...OK, decision: undefined }, /unknown decision/],
    [{ ...OK, decision: "dry_run" }, /only tried/],
    [{ ...OK, decision: "require_approval" }, /approval has no id/],
    [{ ...OK, decision: "require_approval", approval: { id: "a" } }, /no time/],
    [{ ...OK, decision: "require_approval", approval: { id: "a", timeout_ms: -1 } }, /no time/],
  ]) {
    assert.throws(() => evaluated(body), why);
  }
});

test("no status but a good one carries a yes", () => {
  for (const status of [100, 300, 301, 400, 401, 403, 404, 409, 413, 429, 500, 503]) {
    assert.throws(() => evaluated(OK, status), new RegExp(`status ${status}`));
  }
});

test("a status says the gateway's own words", () => {
  assert.throws(
    () => evaluated({ error: "unauthorized", message: "no such token" }, 401),
    { message: "status 401 unauthorized: no such token" },
  );
});

test("a refusal tells its feedback, else its reason, else whose it was", () => {
  const deny = (body) => evaluated({ evaluation_id: "e", decision: "deny", ...body }).reason;

  assert.deepEqual(
    ["f", "r", "refused by the rule x", "refused by a rule"],
    [
      deny({ feedback: { message: "f" }, reason: "r" }),
      deny({ reason: "r" }),
      deny({ matched_rule: "x" }),
      deny({ matched_rule: null }),
    ],
  );
  assert.equal("slow down", evaluated({ evaluation_id: "e", decision: "rate_limited", reason: "slow down" }).reason);
});

test("a question has its id and its time", () => {
  const told = evaluated({
    ...OK,
    decision: "require_approval",
    reason: "why",
    approval: { id: "a/1", timeout_ms: 5, resolve_path: "/x" },
  });

  assert.deepEqual(
    told,
    { decision: "require_approval", evaluationId: "e", reason: "why", approval: { id: "a/1", timeoutMs: 5 } },
  );
});

test("an install needs a whole yes as well", () => {
  assert.deepEqual(
    [{ decision: "allow" }, { decision: "deny", reason: "r" }],
    [
      scanOf({ status: 200, body: OK }),
      scanOf({ status: 200, body: { evaluation_id: "e", decision: "deny", reason: "r" } }),
    ],
  );
  assert.throws(
    () => scanOf({ status: 200, body: { evaluation_id: "e", decision: "require_approval" } }),
    /unknown decision/,
  );
  assert.throws(() => scanOf({ status: 200, body: { decision: "allow" } }), /evaluation_id/);
  assert.throws(() => scanOf({ status: 503, body: OK }), /status 503/);
});

test("what is sent again is what may still be taken", () => {
  const outcome = (status, error) => sendingOf({ status, body: { error } }).outcome;

  assert.deepEqual(["taken", "taken", "taken"], [outcome(200), outcome(201), outcome(204)]);
  assert.deepEqual(["soon", "final"], [outcome(409, "approval_unresolved"), outcome(409, "evaluation_conflict")]);
  assert.deepEqual(
    ["later", "later", "later", "later", "later"],
    [outcome(429), outcome(408), outcome(500), outcome(503), outcome(300)],
  );
  assert.deepEqual(
    ["final", "final", "final", "final", "final"],
    [outcome(400), outcome(401), outcome(403), outcome(404), outcome(413)],
  );
});

/** Reports reach the gateway once they are stored, whatever happens in between. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import { Client } from "../../../deploy/agents/openclaw/report/client.js";
import { Counters } from "../../../deploy/agents/openclaw/report/counters.js";
import { Delivery } from "../../../deploy/agents/openclaw/report/delivery.js";
import { Outbox } from "../../../deploy/agents/openclaw/report/outbox.js";
import { keptLog, ManualClock, StandIn, TAKEN, TOKEN, until } from "../programs/stand_in.mjs";

const HOUR_MS = 3_600_000;
let gateway, folder, clock, log, opened;

beforeEach(async () => {
  [gateway, folder, clock, log, opened] = [
    await StandIn.open(),
    await mkdtemp(join(tmpdir(), "outbox-")),
    new ManualClock(),
    keptLog(),
    [],
  ];
});
afterEach(async () => {
  await Promise.all(opened.map((delivery) => delivery.close(0)));
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

function deliver({ mostReports = 100, url = gateway.url, outbox = new Outbox(folder, clock.wallMs) } = {}) {
  const client = new Client({ baseUrl: url, token: TOKEN });
  const counters = new Counters();
  const delivery = new Delivery({
    outbox,
    post: (bytes) => client.post("/audit", bytes, 5000),
    onTaken: () => {},
    clock,
    counters,
    log,
    mostReports,
    maxAgeMs: HOUR_MS,
  });
  opened.push(delivery);
  return Object.assign(delivery, { read: () => counters.read() });
}

const names = () => readdir(folder);
const isEmpty = async () => (await names()).length === 0;
const report = (id) => Buffer.from(JSON.stringify({ evaluation_id: id, status: "success" }));
const counted = (delivery, name, count) => until(() => delivery.read()[name] === count);

test("a report is on the disk, for this user alone, before it is sent, and gone when it is taken", async () => {
  let stored;
  gateway.on("/audit", async () => {
    const [name] = await names();
    stored = { bytes: await readFile(join(folder, name)), mode: (await stat(join(folder, name))).mode & 0o777 };
    return TAKEN();
  });
  const delivery = deliver();
  await delivery.add(report("one"));
  await counted(delivery, "finalised", 1);
  await until(isEmpty);

  assert.deepEqual({ bytes: report("one"), mode: 0o600 }, stored);
  assert.deepEqual(report("one"), gateway.to("/audit")[0].bytes);
});

test("any good status is good", async () => {
  const delivery = deliver();
  for (const [index, status] of [200, 201, 202, 299].entries()) {
    gateway.on("/audit", () => ({ status }));
    await delivery.add(report(String(index)));
    await counted(delivery, "finalised", index + 1);
  }

  assert.equal(0, delivery.read().retried);
});

test("the same bytes are sent again until they are taken, later and later", async () => {
  gateway.on("/audit", [() => ({ status: 503 }), () => ({ status: 500 }), () => ({ raw: null }), TAKEN]);
  const delivery = deliver();
  await delivery.add(report("one"));
  for (const [index, longestMs] of [500, 1000, 2000].entries()) {
    await gateway.sees("/audit", index + 1);
    await until(() => delivery.waiting.size === 1);
    const [{ dueMs }] = delivery.waiting;
    assert.ok(dueMs - clock.now() <= longestMs && dueMs - clock.now() >= longestMs / 2, `${dueMs - clock.now()} ms`);
    clock.pass(longestMs);
  }
  await counted(delivery, "finalised", 1);
  await until(isEmpty);

  assert.deepEqual(
    [3, 4, 1],
    [
      delivery.read().retried,
      gateway.to("/audit").length,
      new Set(gateway.to("/audit").map(({ bytes }) => bytes.toString())).size,
    ],
  );
});

test("nothing is sent before its time", async () => {
  gateway.on("/audit", () => ({ status: 429, headers: { "retry-after": "20" } }));
  const delivery = deliver();
  await delivery.add(report("one"));
  await until(() => delivery.waiting.size === 1);
  clock.pass(19_999);
  delivery.pump();

  assert.deepEqual([1, 0], [gateway.to("/audit").length, delivery.sending.size]);
  clock.pass(1);
  await gateway.sees("/audit", 2);
});

test("a person's answer on its way is waited for shortly", async () => {
  gateway.on("/audit", [() => ({ status: 409, body: { error: "approval_unresolved", message: "wait" } }), TAKEN]);
  const delivery = deliver();
  await delivery.add(report("one"));
  await until(() => delivery.waiting.size === 1);
  clock.pass(250);
  await counted(delivery, "finalised", 1);
});

test("a refusal for good ends it: it is told, counted, and not sent again", async () => {
  const delivery = deliver();
  for (const [index, [status, error]] of [
    [400, "invalid_request"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "evaluation_unknown"],
    [409, "evaluation_conflict"],
    [413, "too_large"],
  ].entries()) {
    gateway.on("/audit", () => ({ status, body: { error, message: "no" } }));
    await delivery.add(report(error));
    await counted(delivery, "rejected", index + 1);
  }
  await until(isEmpty);
  clock.pass(HOUR_MS);

  assert.equal(6, gateway.requests.length);
  assert.ok(log.lines.some((line) => line.includes("status 409 evaluation_conflict: no")));
});

test("a report that came too late for the gateway is counted as expired", async () => {
  gateway.on("/audit", () => ({ status: 404, body: { error: "evaluation_expired" } }));
  const delivery = deliver();
  await delivery.add(report("one"));
  await counted(delivery, "expired", 1);
  await until(isEmpty);
});

test("what a process leaves unsent the next one sends, byte for byte", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  const first = deliver();
  await first.add(report("one"));
  await first.add(report("two"));
  await gateway.sees("/audit", 2);
  await first.close(0);
  const [kept] = [await names()];
  gateway.on("/audit", TAKEN);
  const second = deliver();
  await second.start();
  await counted(second, "finalised", 2);
  await until(isEmpty);

  assert.equal(2, kept.length);
  assert.deepEqual(
    new Set(["one", "two"]),
    new Set(gateway.to("/audit").slice(-2).map(({ body }) => body.evaluation_id)),
  );
});

test("a report that is too old is given up, also when another process made it", async () => {
  const left = await new Outbox(folder, clock.wallMs).put(report("old"));
  clock.pass(HOUR_MS + 1);
  const delivery = deliver();
  await delivery.start();
  await counted(delivery, "expired", 1);
  await until(isEmpty);

  assert.deepEqual([0, true], [gateway.requests.length, left.createdMs < clock.wallMs() - HOUR_MS]);
});

test("too many reports cost the oldest", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  const delivery = deliver({ mostReports: 2 });
  for (const id of ["one", "two", "three"]) {
    await delivery.add(report(id));
    await until(() => delivery.sending.size === 0);
  }
  await until(async () => (await names()).length === 2);
  const left = await Promise.all((await names()).map(
    async (name) => JSON.parse(await readFile(join(folder, name))).evaluation_id,
  ));

  assert.deepEqual([["three", "two"], 1], [left.sort(), delivery.read().dropped]);
});

test("a report that is being sent counts as one that waits, and is not taken back", async () => {
  gateway.on("/audit", () => ({ silent: true }));
  const delivery = deliver({ mostReports: 2 });
  for (const id of ["one", "two", "three"]) await delivery.add(report(id));
  await gateway.sees("/audit", 2);
  await until(async () => (await names()).length === 2);

  assert.deepEqual([1, 2, 0], [delivery.read().dropped, delivery.sending.size, delivery.waiting.size]);
});

test("what was half written is no report, and goes when nobody writes it any more", async () => {
  const [half, strange] = [`.${clock.wallMs()}-0123456789abcdef.tmp`, "notes.txt"];
  for (const name of [half, strange]) await writeFile(join(folder, name), "{");
  const delivery = deliver();
  await delivery.start();
  const young = await names();
  clock.pass(60_001);
  await delivery.start();

  assert.deepEqual([[half, strange], [strange], 0], [young.sort(), await names(), gateway.requests.length]);
});

test("a report that another process over the same folder has sent is forgotten", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  const delivery = deliver();
  await delivery.add(report("one"));
  await until(() => delivery.waiting.size === 1);
  for (const name of await names()) await rm(join(folder, name));
  clock.pass(1000);
  await until(() => delivery.waiting.size + delivery.sending.size === 0);

  assert.equal(1, gateway.requests.length);
});

test("a report that cannot be stored is sent all the same, and that is told", async () => {
  gateway.on("/audit", [() => ({ status: 503 }), TAKEN]);
  const delivery = deliver({ outbox: new Outbox(join(folder, "gone"), clock.wallMs) });
  await delivery.add(report("one"));
  await until(() => delivery.waiting.size === 1);
  clock.pass(1000);
  await counted(delivery, "finalised", 1);

  assert.deepEqual([1, report("one")], [delivery.read().undurable, gateway.to("/audit")[1].bytes]);
  assert.ok(log.lines.some((line) => line.startsWith("error a report could not be stored")));
});

test("a disk that does not answer costs three seconds, then the report is sent from memory", async () => {
  gateway.on("/audit", TAKEN);
  let stored;
  const outbox = Object.assign(
    new Outbox(folder, clock.wallMs),
    { put: () => new Promise((resolve) => void (stored = resolve)) },
  );
  const delivery = deliver({ outbox });
  const adding = delivery.add(report("one"));
  clock.pass(3000);
  await adding;
  await counted(delivery, "finalised", 1);
  const late = await new Outbox(folder, clock.wallMs).put(report("one"));
  stored(late);

  await until(isEmpty);
});

test("a report that is stored late waits on the disk like any other", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  let stored;
  const outbox = new Outbox(folder, clock.wallMs);
  outbox.put = () => new Promise((resolve) => void (stored = resolve));
  const delivery = deliver({ outbox });
  const adding = delivery.add(report("one"));
  clock.pass(3000);
  await adding;
  await until(() => delivery.waiting.size === 1 && delivery.sending.size === 0);
  stored(await new Outbox(folder, clock.wallMs).put(report("one")));
  await new Promise(setImmediate);
  assert.equal(1, (await names()).length);
  gateway.on("/audit", TAKEN);
  clock.pass(1000);

  await until(isEmpty);
});

test("one timer is enough for all that waits", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  const delivery = deliver();
  for (let index = 0; index < 8; index += 1) await delivery.add(report(`r${index}`));
  await until(() => delivery.waiting.size === 8);
  clock.pass(3000); // those of storing

  await until(() => delivery.waiting.size === 8 && delivery.sending.size === 0);
  assert.equal(1, clock.timers.size);
});

test("closing tries everything at once and leaves the rest on the disk", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  const delivery = deliver();
  for (let index = 0; index < 6; index += 1) await delivery.add(report(`r${index}`));
  await until(() => delivery.sending.size === 0 && delivery.waiting.size === 6);
  gateway.on("/audit", TAKEN);
  await delivery.close(5000);

  assert.deepEqual([6, true], [delivery.read().finalised, await isEmpty()]);
});

test("closing does not wait for a gateway that is silent", async () => {
  gateway.on("/audit", () => ({ silent: true }));
  const delivery = deliver();
  await delivery.add(report("one"));
  await gateway.sees("/audit");
  const closing = delivery.close(3000);
  clock.pass(3000);
  await closing;

  assert.equal(1, (await names()).length);
});

/** A report has room in a request, whatever it carries. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { CUT, fit, LIMIT_BYTES } from "../../../deploy/agents/openclaw/report/shedding.js";
import { NODES } from "../../../deploy/agents/openclaw/report/snapshot.js";

const CORE = { evaluation_id: "e-1", status: "error", duration_ms: 5 };
const entry = (index, size) => ({ evidence_key: `k${index}`, evidence_data: "x".repeat(size) });
const sent = ({ bytes }) => JSON.parse(bytes);

test("the limit is 1 MiB less 16 KiB", () => {
  assert.equal(1_048_576 - 16_384, LIMIT_BYTES);
});

test("what has room goes whole and says nothing of shedding", () => {
  const payload = { ...CORE, error: "e", result: { a: 1 }, evidence: [entry(0, 5)] };
  const fitted = fit(payload);

  assert.deepEqual([payload, []], [sent(fitted), fitted.shed]);
});

test("exactly the limit has room, one byte more has not", () => {
  const room = LIMIT_BYTES - Buffer.byteLength(JSON.stringify({ ...CORE, result: "" }));
  const [full, over] = [0, 1].map((more) => fit({ ...CORE, result: "x".repeat(room + more) }));

  assert.deepEqual([LIMIT_BYTES, []], [full.bytes.length, full.shed]);
  assert.deepEqual([{ ...CORE, shed: ["result"] }, ["result"]], [sent(over), over.shed]);
});

test("the result goes first, evidence and error stay", () => {
  const payload = { ...CORE, error: "short", result: "x".repeat(LIMIT_BYTES), evidence: [entry(0, 10), entry(1, 10)] };

  assert.deepEqual(sent(fit(payload)), { ...CORE, error: "short", evidence: payload.evidence, shed: ["result"] });
});

test("evidence goes from the end, as little of it as is enough", () => {
  const evidence = [0, 1, 2, 3].map((index) => entry(index, 400_000));
  const fitted = fit({ ...CORE, result: "r", evidence });

  assert.deepEqual(sent(fitted).evidence.map(({ evidence_key: key }) => key), ["k0", "k1"]);
  assert.deepEqual(["result", "evidence[2]", "evidence[3]"], fitted.shed);
  assert.deepEqual(fitted.shed, sent(fitted).shed);
});

test("then the error is cut at a whole character, and what has room of it stays", () => {
  for (const character of ["x", "é", "€", "😀", "\u0001", '"']) {
    const fitted = fit({ ...CORE, error: character.repeat(LIMIT_BYTES), result: "r", evidence: [entry(0, 9)] });
    const { error, shed } = sent(fitted);

    assert.ok(
      fitted.bytes.length <= LIMIT_BYTES && fitted.bytes.length > LIMIT_BYTES - 16,
      `${fitted.bytes.length} bytes of ${character}`,
    );
    assert.deepEqual([true, ""], [error.endsWith(CUT), error.slice(0, -CUT.length).replaceAll(character, "")]);
    assert.deepEqual(["result", "evidence[0]", "error: cut"], shed);
  }
  assert.equal("...[truncated]", CUT);
});

test("then the error goes too, and the core always goes", () => {
  const room = Buffer.byteLength(JSON.stringify({ ...CORE, shed: ["result", "error"] }));
  const fitted = fit({ ...CORE, error: "x".repeat(5000), result: "r" }, true, room);

  assert.deepEqual(sent(fitted), { ...CORE, shed: ["result", "error"] });
});

test("the core goes even where nothing has room", () => {
  assert.deepEqual(sent(fit({ ...CORE, error: "e" }, true, 1)), { ...CORE, shed: ["error"] });
});

test("half a result is not sent", () => {
  assert.deepEqual(sent(fit({ ...CORE, result: ["half"] }, false)), { ...CORE, shed: ["result"] });
});

test("more values than the gateway reads are too much, however small they are", () => {
  const many = Array.from({ length: NODES }, () => 0);

  assert.deepEqual(fit({ ...CORE, result: many }).shed, ["result"]);
  assert.deepEqual(fit({ ...CORE, evidence: [{ evidence_key: "k", evidence_data: many }] }).shed, ["evidence[0]"]);
});

test("there are never more marks than the gateway reads, and none is too long for it", () => {
  const { shed } = fit({
    ...CORE,
    error: "x".repeat(LIMIT_BYTES),
    result: "r",
    evidence: Array.from({ length: 1000 }, (_, index) => entry(index, 2000)),
  });

  assert.ok(shed.length <= 32 && shed.every((mark) => mark.length <= 64));
  assert.ok(shed.some((mark) => / more$/.test(mark)));
});

test("text of hundreds of megabytes is measured, never written out", () => {
  const block = "x".repeat(64 * 1024 * 1024);
  const fitted = fit({ ...CORE, result: Array.from({ length: 10 }, () => block) });

  assert.deepEqual(fitted.shed, ["result"]);
});

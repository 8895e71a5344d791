/** What a successful call established. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { gather } from "../../../deploy/agents/openclaw/report/evidence.js";
import { snapshot } from "../../../deploy/agents/openclaw/report/snapshot.js";

function gathered(rules, { result, params } = {}, tool = "web_fetch") {
  const skipped = [];
  const complete = rules.map((rule) => ({ tool: "web_fetch", from: "result", ...rule }));
  const entries = gather(
    complete,
    tool,
    { result: snapshot(result), params: snapshot(params) },
    (rule, why) => skipped.push([rule.key, why]),
  );
  return { entries, skipped };
}

test("a path is a list of steps and a dot in a step is a dot", () => {
  const result = { url: { host: "example.com" }, "url.host": "dotted" };
  const { entries } = gathered(
    [{ key: "host", path: ["url", "host"] }, { key: "dotted", path: ["url.host"] }],
    { result },
  );

  assert.deepEqual(
    entries,
    [{ evidence_key: "host", evidence_data: "example.com" }, { evidence_key: "dotted", evidence_data: "dotted" }],
  );
});

test("lists are gone into by number only", () => {
  const result = { links: [{ href: "a" }, { href: "b" }] };
  const rules = [
    { key: "second", path: ["links", 1, "href"] },
    { key: "text", path: ["links", "1", "href"] },
    { key: "length", path: ["links", "length"] },
  ];

  assert.deepEqual(gathered(rules, { result }).entries, [{ evidence_key: "second", evidence_data: "b" }]);
});

test("a place that is not there is skipped without a word, and costs no other entry", () => {
  const rules = [
    { key: "none", path: ["a", "b"] },
    { key: "inherited", path: ["constructor"] },
    { key: "there", path: ["c"] },
  ];

  assert.deepEqual(
    gathered(rules, { result: { a: null, c: 0 } }),
    { entries: [{ evidence_key: "there", evidence_data: 0 }], skipped: [] },
  );
});

test("null and an empty text are values", () => {
  const { entries } = gathered([{ key: "a", path: ["a"] }, { key: "b", path: ["b"] }], { result: { a: null, b: "" } });

  assert.deepEqual(entries.map((entry) => entry.evidence_data), [null, ""]);
});

test("a value that could not be read is told and left out, with all that contains it, and costs no other entry", () => {
  const result = { good: 1, bad: { get secret() { throw new Error("no"); }, open: 2 } };
  const rules = [
    { key: "inside", path: ["bad", "secret"] },
    { key: "around", path: ["bad"] },
    { key: "beside", path: ["bad", "open"] },
    { key: "good", path: ["good"] },
  ];
  const { entries, skipped } = gathered(rules, { result });

  assert.deepEqual(entries.map((entry) => entry.evidence_key), ["beside", "good"]);
  assert.deepEqual(skipped.map(([key]) => key), ["inside", "around"]);
});

test("a value that JSON tells in other words is evidence all the same", () => {
  const { entries } = gathered(
    [{ key: "big", path: ["big"] }, { key: "at", path: ["at"] }],
    { result: { big: 10n, at: new Date(0) } },
  );

  assert.deepEqual(entries.map((entry) => entry.evidence_data), ["10", "1970-01-01T00:00:00.000Z"]);
});

test("a rule is of one tool or of all", () => {
  const rules = [{ key: "one", path: ["a"] }, { key: "every", tool: "*", path: ["a"] }];

  assert.deepEqual(gathered(rules, { result: { a: 1 } }, "exec").entries.map((entry) => entry.evidence_key), ["every"]);
});

test("evidence comes from the parameters where the rule says so, and carries its own time", () => {
  const { entries } = gathered(
    [{ key: "url", path: ["url"], from: "params", ttlSeconds: 60 }],
    { params: { url: "u" }, result: { url: "other" } },
  );

  assert.deepEqual(entries, [{ evidence_key: "url", evidence_data: "u", ttl_seconds: 60 }]);
});

test("an outcome without a result has no evidence in it", () => {
  assert.deepEqual(gathered([{ key: "a", path: ["a"] }]), { entries: [], skipped: [] });
});

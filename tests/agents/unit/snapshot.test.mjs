/** Values of others, read once and told as JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  DEPTH,
  isBeyond,
  NODES,
  property,
  snapshot,
  snapshotOf,
} from "../../../deploy/agents/openclaw/report/snapshot.js";

const told = (value) => JSON.parse(JSON.stringify(snapshot(value).value));
const kinds = (value) => snapshot(value).faults.map(({ path, kind }) => `${kind} ${path.join("/")}`);

test("what JSON can hold is told as it is, without a fault", () => {
  const value = { text: "é\u0000", list: [1, -2.5, null, true], nested: { "a.b": {}, __proto__: null } };

  assert.deepEqual(told(value), JSON.parse(JSON.stringify(value)));
  assert.deepEqual(kinds(value), []);
});

test("a key named __proto__ is a key", () => {
  const value = JSON.parse('{"__proto__": {"polluted": true}}');

  assert.equal('{"__proto__":{"polluted":true}}', JSON.stringify(snapshot(value).value));
  assert.equal(undefined, {}.polluted);
});

test("a getter that throws spoils its own place alone", () => {
  const value = {
    before: 1,
    get bad() {
      throw new TypeError("no");
    },
    after: 2,
  };

  assert.deepEqual(told(value), { before: 1, bad: "[unreadable]", after: 2 });
  assert.deepEqual(kinds(value), ["unreadable bad"]);
});

test("a getter is read once", () => {
  let reads = 0;
  const value = {
    get counted() {
      reads += 1;
      return reads;
    },
  };
  const taken = snapshot(value);
  JSON.stringify(taken.value);

  assert.deepEqual([1, 1], [taken.value.counted, reads]);
});

test("no toJSON is asked", () => {
  class Liar {
    real = 1;
    toJSON() {
      return { real: 2 };
    }
  }

  assert.deepEqual(
    told({ own: { real: 1, toJSON: () => "lie" }, inherited: new Liar() }),
    { own: { real: 1 }, inherited: { real: 1 } },
  );
});

test("a cycle is cut where it closes, and a value that stands twice is told twice", () => {
  const ring = { name: "ring" };
  ring.self = ring;
  const twice = { a: 1 };

  assert.deepEqual(told(ring), { name: "ring", self: "[cycle]" });
  assert.deepEqual(told([twice, twice]), [{ a: 1 }, { a: 1 }]);
});

test("a proxy is read like any object, and a trap that throws costs its own place", () => {
  const honest = new Proxy({ a: 1 }, {});
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const hostile = new Proxy({ a: 1 }, { get: () => { throw 1; } });

  assert.deepEqual(
    told({ honest, revoked, hostile }),
    { honest: { a: 1 }, revoked: "[unreadable]", hostile: { a: "[unreadable]" } },
  );
});

test("a proxy that says it is an endless list ends", () => {
  const endless = new Proxy([], { get: (target, name) => (name === "length" ? 2 ** 32 - 1 : 0) });
  const taken = snapshot({ endless });

  assert.equal(false, taken.isWhole);
  assert.ok(taken.value.endless.length <= NODES);
});

test("numbers that no other language reads the same are no numbers", () => {
  assert.deepEqual(
    told([10n, 2n ** 300n, 2 ** 53, NaN, Infinity, 1e300]),
    ["10", "[BigInt]", "9007199254740992", null, null, String(1e300)],
  );
});

test("functions and symbols are left out, and nothing in a list is null", () => {
  const value = { fn() {}, symbol: Symbol("s"), nothing: undefined, list: [undefined, () => 1], [Symbol("key")]: 1 };

  assert.deepEqual(told(value), { list: [null, null] });
  assert.ok(kinds(value).includes("omitted fn") && !kinds(value).includes("omitted nothing"));
});

test("what the language makes is told in its own words", () => {
  const value = {
    date: new Date(0),
    never: new Date(NaN),
    error: new RangeError("far"),
    map: new Map([["k", { v: 1 }]]),
    set: new Set([1]),
    bytes: Buffer.from("xyz"),
    promise: Promise.resolve(),
  };

  assert.deepEqual(
    told(value),
    {
      date: "1970-01-01T00:00:00.000Z",
      never: null,
      error: "RangeError: far",
      map: [["k", { v: 1 }]],
      set: [1],
      bytes: "[binary, 3 bytes]",
      promise: "[promise]",
    },
  );
});

test("half a character becomes the replacement character, also in a key", () => {
  assert.deepEqual(told({ "\ud800": "a\udc00" }), { "\ufffd": "a\ufffd" });
});

test("depth has an end", () => {
  let value = "deep";
  for (let level = 0; level < DEPTH + 5; level += 1) value = [value];

  assert.ok(JSON.stringify(told(value)).includes("[too deep]"));
});

test("too many values make half a value, and say so", () => {
  const taken = snapshot({ first: "kept", many: Array.from({ length: NODES + 10 }, (_, index) => index) });

  assert.deepEqual([false, "kept"], [taken.isWhole, taken.value.first]);
  assert.ok(!isBeyond(taken.value, NODES + 2) && isBeyond(taken.value, NODES - 2));
});

test("an object that is too wide is cut like a list that is too long", () => {
  const wide = Object.fromEntries(Array.from({ length: NODES + 10 }, (_, index) => [`k${index}`, index]));
  const taken = snapshot({ wide });

  assert.deepEqual([false, 0], [taken.isWhole, taken.value.wide.k0]);
  assert.ok(Object.keys(taken.value.wide).length < NODES && !isBeyond(taken.value, NODES + 2));
});

test("a value without any word in JSON is undefined", () => {
  assert.deepEqual([undefined, undefined], [snapshot(undefined).value, snapshot(() => 1).value]);
});

test("a property that cannot be read says why, and so does its snapshot", () => {
  const owner = { get bad() { throw new Error("secret"); } };

  assert.deepEqual(property(owner, "bad"), { why: "reading it threw Error" });
  assert.deepEqual(property(undefined, "any"), { value: undefined });
  assert.deepEqual(
    ["[unreadable]", "unreadable"],
    [snapshotOf(owner, "bad").value, snapshotOf(owner, "bad").faults[0].kind],
  );
});

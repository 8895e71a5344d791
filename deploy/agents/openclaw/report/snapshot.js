/**
 * What JSON can hold of any value, each place of it read exactly once.
 *
 * The values come from tools and plugins of others: getters that throw or answer differently the second time, proxies,
 * cycles, BigInts, functions, a `toJSON` that lies. So nothing of theirs is called but getters and a proxy's traps, and
 * never `toJSON`. What cannot be told is left out or replaced by a word in brackets, and is a fault with its place.
 *
 * The result has no prototype anywhere and is safe to give to `JSON.stringify`.
 */
import { types } from "node:util";

/** Deeper than this the gateway reads nothing (64, less what stands around a value in a request). */
export const DEPTH = 56;
/** More values than this the gateway does not read in one request (50,000, less what stands around them). */
export const NODES = 49_000;

const TOO_LARGE = 1n << 256n;

/**
 * `omitted` and `reshaped` are what JSON always does to a value; `unreadable` is a value that is not known.
 * @typedef {{path: (string|number)[], kind: "omitted"|"reshaped"|"unreadable", why: string}} Fault
 * @typedef {{value: any, faults: Fault[], nodes: number, isWhole: boolean}} Snapshot
 */

const ABSENT = Symbol("absent");

/**
 * The value as JSON; `undefined` where JSON has no word for all of it. Never throws.
 * @param {unknown} value
 * @returns {Snapshot}
 */
export function snapshot(value) {
  const state = { faults: [], left: NODES, isWhole: true, above: new Set() };
  const read = place(value, [], state);
  return {
    value: read === ABSENT ? undefined : read,
    faults: state.faults,
    nodes: NODES - state.left,
    isWhole: state.isWhole,
  };
}

/**
 * One property of anything, read once. Never throws.
 * @param {unknown} owner
 * @param {string} name
 * @returns {{value?: unknown, why?: string}} `why` when it could not be read
 */
export function property(owner, name) {
  try {
    return { value: owner === null || owner === undefined ? undefined : /** @type {any} */ (owner)[name] };
  } catch (error) {
    return { why: `reading it threw ${nameOf(error)}` };
  }
}

/** The value of one property, read once; a property that cannot be read is a value that is not known. Never throws. */
export function snapshotOf(owner, name) {
  const { value, why } = property(owner, name);
  if (why === undefined) return snapshot(value);
  return { value: "[unreadable]", faults: [{ path: [], kind: "unreadable", why }], nodes: 1, isWhole: true };
}

/** Whether a value of JSON holds more than `limit` values; counts no further. */
export function isBeyond(value, limit) {
  let left = limit;
  const pending = [value];
  while (pending.length > 0) {
    left -= 1;
    if (left < 0) return true;
    const next = pending.pop();
    if (typeof next === "object" && next !== null) for (const item of Object.values(next)) pending.push(item);
  }
  return false;
}

function place(value, path, state) {
  state.left -= 1;
  if (state.left < 0) return cut(path, state);
  switch (typeof value) {
    case "string":
      return text(value, path, state);
    case "boolean":
      return value;
    case "number":
      return number(value, path, state);
    case "bigint":
      return bigint(value, path, state);
    case "undefined":
      return ABSENT;
    case "object":
      return value === null ? null : object(value, path, state);
    default:
      return fault(state, path, "omitted", `a ${typeof value}`, ABSENT);
  }
}

/** The gateway refuses text that is no Unicode, so a lone half of a pair becomes the replacement character. */
function text(value, path, state) {
  if (value.isWellFormed()) return value;
  return fault(state, path, "reshaped", "text with half a character", value.toWellFormed());
}

/** The gateway refuses integers that mean something else to other languages, and JSON has no word for NaN. */
function number(value, path, state) {
  if (!Number.isFinite(value)) return fault(state, path, "unreadable", String(value), null);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return fault(state, path, "reshaped", "an integer beyond 2^53 - 1", String(value));
}

function bigint(value, path, state) {
  const told = -TOO_LARGE < value && value < TOO_LARGE ? value.toString() : "[BigInt]";
  return fault(state, path, told === "[BigInt]" ? "unreadable" : "reshaped", "a BigInt", told);
}

function object(value, path, state) {
  if (state.above.has(value)) return fault(state, path, "unreadable", "a cycle", "[cycle]");
  if (path.length >= DEPTH) return fault(state, path, "unreadable", `deeper than ${DEPTH}`, "[too deep]");
  state.above.add(value);
  try {
    return content(value, path, state);
  } catch (error) {
    return fault(state, path, "unreadable", `reading it threw ${nameOf(error)}`, "[unreadable]");
  } finally {
    state.above.delete(value);
  }
}

function content(value, path, state) {
  if (Array.isArray(value)) return list(value, path, state);
  const known = shaped(value);
  if (known === undefined) return fields(value, path, state);
  fault(state, path, known.kind, known.why, undefined);
  return known.items === undefined ? known.told : list(known.items, path, state);
}

/** What the language itself makes, told by its own functions and not by what the value claims to be. */
function shaped(value) {
  if (types.isProxy(value)) return undefined; // it has no nature of its own: read like any object
  if (types.isDate(value)) return { kind: "reshaped", why: "a Date", told: dateText(value) };
  if (types.isNativeError(value)) return { kind: "reshaped", why: "an Error", told: errorText(value) };
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    return { kind: "unreadable", why: "binary data", told: `[binary, ${value.byteLength} bytes]` };
  }
  if (types.isMap(value)) return { kind: "reshaped", why: "a Map", items: [...Map.prototype.entries.call(value)] };
  if (types.isSet(value)) return { kind: "reshaped", why: "a Set", items: [...Set.prototype.values.call(value)] };
  if (types.isPromise(value)) return { kind: "unreadable", why: "a Promise", told: "[promise]" };
  return undefined;
}

function dateText(value) {
  const at = Date.prototype.getTime.call(value);
  return Number.isNaN(at) ? null : Date.prototype.toISOString.call(value);
}

/** What an error says, whatever it is: `undefined` when it says nothing that can be read. */
export function errorText(error) {
  const [name, message] = ["name", "message"].map((word) => property(error, word).value);
  const told = [name, message].filter((word) => typeof word === "string" && word !== "").join(": ");
  return told === "" ? "[error]" : told.toWellFormed();
}

function list(value, path, state) {
  const told = [];
  const length = value.length;
  for (let index = 0; index < length; index += 1) {
    if (state.left <= 0) return cut(path, state), told;
    const item = entry(value, index, path, state);
    told.push(item === ABSENT ? fault(state, [...path, index], "reshaped", "nothing in a list", null) : item);
  }
  return told;
}

function fields(value, path, state) {
  const told = Object.create(null);
  const shape = Object.getPrototypeOf(value);
  if (shape !== null && Object.getPrototypeOf(shape) !== null) fault(state, path, "reshaped", "no plain object", null);
  if (Object.getOwnPropertySymbols(value).length > 0) fault(state, path, "omitted", "a key that is a symbol", null);
  for (const name of Object.keys(value)) {
    if (state.left <= 0) return cut(path, state), told;
    const item = entry(value, name, path, state);
    const safe = text(name, [...path, name], state);
    if (item !== ABSENT) told[safe] = item;
  }
  return told;
}

function entry(owner, key, path, state) {
  const here = [...path, key];
  let value;
  try {
    value = owner[key];
  } catch (error) {
    state.left -= 1;
    return fault(state, here, "unreadable", `reading it threw ${nameOf(error)}`, "[unreadable]");
  }
  return place(value, here, state);
}

function cut(path, state) {
  state.isWhole = false;
  return fault(state, path, "unreadable", `more than ${NODES} values`, "[cut]");
}

function fault(state, path, kind, why, told) {
  state.faults.push({ path, kind, why });
  return told;
}

function nameOf(error) {
  try {
    return error instanceof Error ? String(error.name).slice(0, 64) : typeof error;
  } catch {
    return "something";
  }
}

/**
 * A report that the gateway takes: at most 1 MiB less 16 KiB, and not more values than it reads.
 *
 * What is too much goes in one order: the result, then evidence from the end, then the error is cut, then it is left
 * out. Which call it was and how it ended always goes. `shed` says in the report itself what is missing from it.
 */
import { isBeyond, NODES } from "./snapshot.js";

export const LIMIT_BYTES = 1024 * 1024 - 16 * 1024;
export const CUT = "...[truncated]";
/** The gateway reads at most 32 marks; this leaves room for those that are not about evidence. */
const MOST_MARKS = 24;

/**
 * @typedef {{evaluation_id: string, status: string, error?: string, duration_ms?: number, result?: any,
 *   evidence?: import("./evidence.js").Entry[]}} Payload
 * @typedef {{bytes: Buffer, shed: string[]}} Fitted
 */

/**
 * The bytes to send, and what is not in them. Never throws for a payload made of snapshots.
 * @param {Payload} payload
 * @param {boolean} isWhole whether the result is all of the result; half of one is not sent
 * @param {number} [limitBytes]
 * @returns {Fitted}
 */
export function fit(payload, isWhole = true, limitBytes = LIMIT_BYTES) {
  const fits = (body) => weighs(body, limitBytes) && !isBeyond(body, NODES);
  if (isWhole && fits(payload)) return encode(payload, []);
  const { result, evidence = [], error, ...core } = payload;
  const shed = result === undefined ? [] : ["result"];
  const told = error === undefined ? core : { ...core, error };
  for (let kept = evidence.length; kept >= 0; kept -= 1) {
    const marks = [...shed, ...marksOf(evidence.length, kept)];
    const body = kept === 0 ? told : { ...told, evidence: evidence.slice(0, kept) };
    if (fits(marked(body, marks))) return encode(body, marks);
  }
  const marks = [...shed, ...marksOf(evidence.length, 0)];
  const cut = error === undefined ? undefined : cutError(core, error, [...marks, "error: cut"], limitBytes);
  return cut ?? encode(core, error === undefined ? marks : [...marks, "error"]);
}

/** As much of the error as has room, ending at a whole character. */
function cutError(core, error, marks, limitBytes) {
  const bytes = Buffer.from(error);
  const made = (length) => ({ ...core, error: bytes.subarray(0, boundary(bytes, length)).toString() + CUT });
  let [fitting, over] = [-1, Math.min(bytes.length, limitBytes)];
  while (over - fitting > 1) {
    const middle = Math.floor((fitting + over) / 2);
    if (weighs(marked(made(middle), marks), limitBytes)) fitting = middle;
    else over = middle;
  }
  return fitting < 0 ? undefined : encode(made(fitting), marks);
}

/** The last place at or before `length` where a character of UTF-8 begins. */
function boundary(bytes, length) {
  let end = length;
  while (end > 0 && end < bytes.length && (bytes[end] & 0xc0) === 0x80) end -= 1;
  return end;
}

function marksOf(total, kept) {
  const lost = Array.from({ length: total - kept }, (_, index) => `evidence[${kept + index}]`);
  if (lost.length <= MOST_MARKS) return lost;
  return [...lost.slice(0, MOST_MARKS - 1), `evidence: ${lost.length - MOST_MARKS + 1} more`];
}

/** Whether it has room. Text of megabytes is measured before it is written out. */
function weighs(body, limitBytes) {
  return textBytes(body, limitBytes) <= limitBytes && Buffer.byteLength(JSON.stringify(body)) <= limitBytes;
}

/** The bytes of all text in it, which is less than the whole; counts no further than the limit. */
function textBytes(body, limitBytes) {
  let total = 0;
  const pending = [body];
  while (pending.length > 0 && total <= limitBytes) {
    const next = pending.pop();
    if (typeof next === "string") total += Buffer.byteLength(next);
    else if (typeof next === "object" && next !== null) {
      for (const [name, item] of Object.entries(next)) {
        total += Array.isArray(next) ? 0 : Buffer.byteLength(name);
        pending.push(item);
      }
    }
  }
  return total;
}

function marked(body, marks) {
  return marks.length === 0 ? body : { ...body, shed: marks };
}

function encode(body, marks) {
  return { bytes: Buffer.from(JSON.stringify(marked(body, marks))), shed: marks };
}

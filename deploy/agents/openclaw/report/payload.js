/** The parts of what is sent, made of values that somebody else owns. */
import { isObject } from "./client.js";
import { errorText, property, snapshot } from "./snapshot.js";

/** What the gateway takes of arguments. */
export const ARGUMENTS_BYTES = 64 * 1024;

/**
 * The arguments exactly as JSON tells them, or why they cannot be judged. What is sent is what runs, so nothing may be
 * left out or changed on the way.
 * @returns {{value: object, why?: undefined} | {why: string}}
 */
export function argumentsOf(given) {
  const { value, faults, isWhole } = snapshot(given ?? {});
  if (faults.length > 0 || !isWhole) return { why: `the arguments cannot be judged: ${placeOf(faults[0])}` };
  if (!isObject(value)) return { why: "the arguments are no object" };
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  const why = `the arguments are ${bytes} bytes; at most ${ARGUMENTS_BYTES} can be judged`;
  return bytes > ARGUMENTS_BYTES ? { why } : { value: JSON.parse(text) };
}

function placeOf({ path, why }) {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return `$${place.slice(0, 200)} is ${why}`;
}

/**
 * The report but for its evidence.
 * @param {import("./claims.js").Claim} claim
 * @param {import("./reporter.js").Outcome} outcome
 * @returns {import("./shedding.js").Payload}
 */
export function payloadOf({ evaluationId }, { status, error, result, durationMs }) {
  const payload = { evaluation_id: evaluationId, status, ...duration(durationMs) };
  if (error !== undefined && error !== null) payload.error = textOf(error);
  if (result?.value !== undefined) payload.result = result.value;
  return payload;
}

function duration(ms) {
  return typeof ms === "number" && Number.isFinite(ms) && ms >= 0 ? { duration_ms: ms } : {};
}

/** An error as text, whatever it is. */
function textOf(error) {
  if (typeof error === "string") return error.toWellFormed();
  if (typeof property(error, "message").value === "string") return errorText(error);
  const { value } = snapshot(error);
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "[error]");
}

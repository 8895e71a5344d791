/**
 * A call has run: what came of it is reported. OpenClaw only lets this be watched; nothing here can take a result back.
 */
import { property, snapshotOf } from "../report/index.js";
import { idsOf } from "./event.js";

/** How OpenClaw's own tools say in `details.status` that they failed. */
const FAILURES = new Set([
  ...["error", "failed", "failure", "invalid", "timeout", "timed_out", "aborted", "cancelled", "canceled", "killed"],
  ...["blocked", "denied", "forbidden", "unavailable", "approval-unavailable", "disabled"],
]);
const UNKNOWN = "the outcome is unknown: the host told neither a result nor an error";

/** Returns when the report is stored. Never throws. */
export async function afterToolCall(reporter, event, ctx) {
  const ids = idsOf(event, ctx) ?? { tool: "a tool without a name" };
  const result = snapshotOf(event, "result");
  const error = property(event, "error");
  const told = { ...statusOf(result, error), result, params: snapshotOf(event, "params") };
  await reporter.after(ids, { ...told, durationMs: property(event, "durationMs").value });
}

/** Success is only what says so: an outcome without result and error is unknown, and told as an error. */
function statusOf(result, { value: error, why }) {
  if (why !== undefined) return { status: "error", error: `the error could not be read: ${why}` };
  if (error !== undefined && error !== null) return { status: "error", error };
  if (result.value === undefined) return { status: "error", error: UNKNOWN };
  const failure = failureOf(result.value);
  if (failure === undefined) return { status: "success" };
  return { status: "error", error: `the tool says that it failed: ${failure}` };
}

/** How a result says that the tool failed, although the host told no error. */
function failureOf(result) {
  if (result?.isError === true) return "isError";
  const details = result?.details;
  if (typeof details !== "object" || details === null) return undefined;
  const denied = ["ok", "success"].find((name) => details[name] === false);
  if (denied !== undefined) return `${denied} is false`;
  const status = String(details.status).trim().toLowerCase();
  if (FAILURES.has(status) && details.ok !== true && details.success !== true) return `status ${status}`;
  if (details.timedOut === true) return "timedOut";
  if (details.error) return typeof details.error === "string" ? details.error : "error";
  return Number.isInteger(details.exitCode) && details.exitCode !== 0 ? `exit code ${details.exitCode}` : undefined;
}

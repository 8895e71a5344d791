/**
 * What the gateway's answers mean. Only a verified yes is one: everything else is told as a reason why not.
 */
import { isObject } from "./client.js";

const REASON_CHARACTERS = 2000;
/** As long as the gateway ever makes one; it is sent back with the report, whose core always has to fit. */
const ID_CHARACTERS = 256;

/**
 * @typedef {{id: string, timeoutMs: number}} Approval
 * @typedef {{decision: "allow", evaluationId: string, arguments?: object}
 *   | {decision: "require_approval", evaluationId: string, reason: string, approval: Approval, arguments?: object}
 *   | {decision: "deny", reason: string}} Evaluation
 */

/** An answer that is not one. The message says why, for people. */
export class Malformed extends Error {}

/**
 * @param {import("./client.js").Reply} reply
 * @returns {Evaluation}
 * @throws {Malformed} whatever is not a decision
 */
export function evaluationOf(reply) {
  const body = decided(reply);
  switch (body.decision) {
    case "allow":
      return { decision: "allow", ...identified(body) };
    case "require_approval":
      return { decision: "require_approval", reason: reasonOf(body), approval: approvalOf(body), ...identified(body) };
    case "deny":
    case "rate_limited":
      return { decision: "deny", reason: reasonOf(body) };
    case "dry_run":
      throw new Malformed("it only tried the call, although it was asked to judge it");
    default:
      throw new Malformed(`unknown decision ${JSON.stringify(body.decision)?.slice(0, 64)}`);
  }
}

/**
 * Whether an install may go on.
 * @returns {{decision: "allow"} | {decision: "deny", reason: string}}
 * @throws {Malformed}
 */
export function scanOf(reply) {
  const body = decided(reply);
  if (body.decision === "deny") return { decision: "deny", reason: reasonOf(body) };
  if (body.decision !== "allow") throw new Malformed(`unknown decision ${JSON.stringify(body.decision)?.slice(0, 64)}`);
  identified(body);
  return { decision: "allow" };
}

/**
 * What became of a report or a person's answer that was sent.
 * `soon` and `later` are sent again, `final` never.
 * @returns {{outcome: "taken"|"soon"|"later"|"final", why: string}}
 */
export function sendingOf({ status, body }) {
  const why = said(status, body);
  if (status >= 200 && status < 300) return { outcome: "taken", why };
  if (status === 409 && body.error === "approval_unresolved") return { outcome: "soon", why };
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return { outcome: isFinal ? "final" : "later", why };
}

function decided({ status, body }) {
  if (status < 200 || status >= 300) throw new Malformed(said(status, body));
  if (!isObject(body) || Object.keys(body).length === 0) throw new Malformed("its answer is no JSON object");
  return body;
}

/** The id to report under, and the final arguments where a hook rewrote them. */
function identified({ evaluation_id: evaluationId, arguments: final }) {
  const isId = typeof evaluationId === "string" && evaluationId !== "" && evaluationId.length <= ID_CHARACTERS;
  if (!isId) throw new Malformed("its answer has no evaluation_id");
  if (final === undefined) return { evaluationId };
  if (!isObject(final)) throw new Malformed("the final arguments are no object");
  return { evaluationId, arguments: final };
}

function approvalOf({ approval }) {
  const { id, timeout_ms: timeoutMs } = isObject(approval) ? approval : {};
  if (typeof id !== "string" || id === "") throw new Malformed("the approval has no id");
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) throw new Malformed("the approval has no time");
  return { id, timeoutMs };
}

function reasonOf({ feedback, reason, matched_rule: rule }) {
  const told = [feedback?.message, reason].find((text) => typeof text === "string" && text !== "");
  const by = typeof rule === "string" && rule !== "" ? `the rule ${rule}` : "a rule";
  return (told ?? `refused by ${by}`).slice(0, REASON_CHARACTERS);
}

function said(status, { error, message }) {
  const words = [error, message].filter((word) => typeof word === "string" && word !== "");
  return [`status ${status}`, words.join(": ")].filter((part) => part !== "").join(" ").slice(0, REASON_CHARACTERS);
}

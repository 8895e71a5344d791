/** What OpenClaw's events say of a call, read once each and never trusted to be there. */
import { createHash } from "node:crypto";

import { property } from "../report/index.js";

const AGENT_CHARACTERS = 128;
const SESSION_CHARACTERS = 256;
const METADATA_BYTES = 4 * 1024;

/** A refusal in OpenClaw's words. */
export function block(blockReason) {
  return { block: true, blockReason };
}

/**
 * The names that a call is known by before and after; `undefined` when the host names no tool.
 * @returns {import("../report/claims.js").CallIds|undefined}
 */
export function idsOf(event, ctx) {
  const tool = word(event, "toolName") ?? word(ctx, "toolName");
  if (tool === undefined) return undefined;
  const known = {
    callId: word(event, "toolCallId") ?? word(ctx, "toolCallId"),
    runId: word(event, "runId") ?? word(ctx, "runId"),
    session: sessionOf(ctx),
  };
  return { ...known, tool };
}

/** Who calls, as the protocol's fields say it. */
export function callerOf(ctx) {
  return {
    agentId: bounded(word(ctx, "agentId"), AGENT_CHARACTERS),
    session: bounded(sessionOf(ctx), SESSION_CHARACTERS),
  };
}

/** What else a hook may want to know; claims of the caller. Whatever has no room is left out, the last first. */
export function metadataOf(event, ctx) {
  const requester = property(ctx, "requester").value;
  const names = {
    run_id: word(event, "runId") ?? word(ctx, "runId"),
    tool_call_id: word(event, "toolCallId") ?? word(ctx, "toolCallId"),
    tool_kind: word(event, "toolKind") ?? word(ctx, "toolKind"),
    tool_input_kind: word(event, "toolInputKind") ?? word(ctx, "toolInputKind"),
    session_key: word(ctx, "sessionKey"),
    channel_id: word(ctx, "channelId"),
    requester_channel: word(requester, "channel"),
    requester_account: word(requester, "accountId"),
    requester_sender: word(requester, "senderId"),
    requester_is_owner: property(requester, "senderIsOwner").value === true ? true : undefined,
  };
  return fitted(Object.entries(names).filter(([, value]) => value !== undefined));
}

/** A text that is there and says something. */
export function word(owner, name) {
  const { value } = property(owner, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A name in few enough characters: one that is too long keeps its identity as a digest. */
export function bounded(name, characters) {
  if (name === undefined || name.length <= characters) return name;
  return `sha256:${createHash("sha256").update(name).digest("hex")}`;
}

/** As many of the fields, in their order, as the gateway takes. */
export function fitted(fields) {
  let kept = fields;
  while (Buffer.byteLength(JSON.stringify(Object.fromEntries(kept))) > METADATA_BYTES) kept = kept.slice(0, -1);
  return Object.fromEntries(kept);
}

function sessionOf(ctx) {
  return word(ctx, "sessionId") ?? word(ctx, "sessionKey");
}

/**
 * A call is about to run: it is judged, and what was judged is what runs.
 *
 * OpenClaw merges returned parameters over the original ones, key by key, and the last plugin to return some wins. So
 * the judged parameters are returned whole, twice: first with the judgement, and once more after all other plugins,
 * which may have returned others in between and never see what anybody else returned.
 */
import { property } from "../report/index.js";
import { question } from "./approval.js";
import { block, callerOf, idsOf, metadataOf } from "./event.js";

/** Asks the gateway. Never throws. */
export async function beforeToolCall(reporter, origin, event, ctx) {
  const ids = idsOf(event, ctx);
  if (ids === undefined) return block("Interpose governance unavailable: the host names no tool");
  const params = property(event, "params");
  if (params.why !== undefined) return block(`the arguments cannot be judged: ${params.why}`);
  const told = await reporter.before({
    ids,
    arguments: params.value,
    ...callerOf(ctx),
    metadata: metadataOf(event, ctx),
  });
  if (told.decision === "deny") return block(told.reason);
  const why = inexpressible(told) ?? cancelled(ctx);
  if (why !== undefined) {
    await reporter.abandon(told.claim, why);
    return block(why);
  }
  const answer = { params: structuredClone(told.arguments) };
  return told.decision === "allow" ? answer : { ...answer, requireApproval: question(reporter, told, origin) };
}

/** Returns the judged parameters once more, and lets nothing through that was not judged. */
export function onlyWhatWasJudged(reporter, event, ctx) {
  const ids = idsOf(event, ctx);
  const claim = ids && reporter.find(ids);
  if (claim === undefined) return block("Interpose governance unavailable: nobody judged this call");
  return { params: structuredClone(claim.judged) };
}

/** A rule's rewrite that takes a key away cannot be said in OpenClaw's words: the tool would run with it. */
function inexpressible({ arguments: final, original }) {
  const gone = Object.keys(original).filter((name) => !Object.hasOwn(final, name));
  if (gone.length === 0) return undefined;
  const named = gone.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 64))).join(", ");
  return `a rule takes ${named} out of the arguments, and OpenClaw has no way to run a call without it`;
}

function cancelled(ctx) {
  const signal = property(ctx, "abortSignal").value;
  return property(signal, "aborted").value === true ? "the call was cancelled while it was judged" : undefined;
}

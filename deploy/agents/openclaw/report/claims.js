/**
 * Which evaluation an outcome belongs to: a call reserves before it is judged, and its outcome claims what it reserved.
 *
 * A call is known by its call id, else by its run, else by session and tool. Without a call id two calls at once could
 * not be told apart afterwards, so the second is refused. The same call id may come again (hosts count anew in each
 * run): calls of other tools, and of other runs or else sessions, live side by side under it, and the same call once
 * more replaces the first.
 */

export const TTL_MS = 10 * 60 * 1000;
/** So many live claims are kept; beyond it the oldest is given up. */
export const MOST = 10_000;
export const AMBIGUOUS = "cannot correlate ambiguous concurrent tool calls";

/**
 * @typedef {{callId?: string, runId?: string, session?: string, tool: string}} CallIds
 * @typedef {{ids: CallIds, key: string, until: number, evaluationId?: string, judged?: object}} Claim
 */

export class Claims {
  /**
   * @param {{now: () => number, onExpired: (claim: Claim) => void, onReplaced: (claim: Claim) => void}} options
   *   `now` is monotonic, in milliseconds
   */
  constructor({ now, onExpired, onReplaced }) {
    this.now = now;
    this.onExpired = onExpired;
    this.onReplaced = onReplaced;
    /** @type {Set<Claim>} by age of their reservation */
    this.live = new Set();
    /** @type {Map<string, Claim[]>} */
    this.byKey = new Map();
  }

  /** A place for a call that is about to be judged, or `undefined` when it could not be told apart. Synchronous. */
  reserve(ids) {
    this.sweep();
    const key = keyOf(ids);
    const same = (this.byKey.get(key) ?? []).filter((claim) => isSame(claim.ids, ids));
    if (same.length > 0 && ids.callId === undefined) return undefined;
    for (const claim of same) {
      this.release(claim);
      this.onReplaced(claim);
    }
    if (this.live.size >= MOST) this.expire(this.live.values().next().value);
    return this.keep({ ids: { ...ids }, key, until: this.now() + TTL_MS });
  }

  /** The call was judged: its outcome is awaited from now on. */
  bind(claim, { evaluationId, judged }) {
    Object.assign(claim, { evaluationId, judged });
    this.prolong(claim);
  }

  /** Its time begins anew, as when a person has just said yes. */
  prolong(claim) {
    claim.until = this.now() + TTL_MS;
  }

  /** The one live claim of a call that was judged, left in its place; `undefined` when there is none or several. */
  find(ids) {
    this.sweep();
    const found = (this.byKey.get(keyOf(ids)) ?? []).filter((claim) => isSame(claim.ids, ids));
    return found.length === 1 && found[0].evaluationId !== undefined ? found[0] : undefined;
  }

  /** The same, taken: an outcome is claimed once. */
  claim(ids) {
    const found = this.find(ids);
    if (found !== undefined) this.release(found);
    return found;
  }

  /** Nobody will report this call. */
  release(claim) {
    if (!this.live.delete(claim)) return;
    const left = this.byKey.get(claim.key).filter((other) => other !== claim);
    if (left.length > 0) this.byKey.set(claim.key, left);
    else this.byKey.delete(claim.key);
  }

  /** Give up every claim whose time is over. */
  sweep() {
    const now = this.now();
    for (const claim of this.live) if (claim.until <= now) this.expire(claim);
  }

  expire(claim) {
    this.release(claim);
    this.onExpired(claim);
  }

  keep(claim) {
    this.live.add(claim);
    this.byKey.set(claim.key, [...(this.byKey.get(claim.key) ?? []), claim]);
    return claim;
  }
}

/** Call id, else run, else session and tool; JSON keeps one kind from passing for another. */
function keyOf({ callId, runId, session, tool }) {
  if (callId !== undefined) return JSON.stringify(["call", callId]);
  if (runId !== undefined) return JSON.stringify(["run", runId]);
  return JSON.stringify(["session", session ?? null, tool]);
}

/** Whether two calls under one key could be the same: only call ids live side by side. */
function isSame(one, other) {
  if (one.callId === undefined) return true;
  return one.tool === other.tool && !(differ(one.runId, other.runId) ?? differ(one.session, other.session) ?? false);
}

/** Whether two names differ, or nothing where one of them is not known. */
function differ(one, other) {
  return one === undefined || other === undefined ? undefined : one !== other;
}

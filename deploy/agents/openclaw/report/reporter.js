/**
 * Has calls judged before they run and reports what came of them: what every in-process plugin does, whatever its host.
 *
 * Nothing here throws into the host, and everything is bounded in time. `before` says yes only to a verified yes of the
 * gateway; `after` reports only what `before` has had judged.
 */
import { isDeepStrictEqual } from "node:util";

import { evaluationOf, scanOf } from "./answers.js";
import { Approvals } from "./approvals.js";
import { AMBIGUOUS, Claims } from "./claims.js";
import { Delivery } from "./delivery.js";
import { gather } from "./evidence.js";
import { argumentsOf, payloadOf } from "./payload.js";
import { fit } from "./shedding.js";

/**
 * @typedef {import("./claims.js").CallIds} CallIds
 * @typedef {import("./claims.js").Claim} Claim
 * @typedef {{ids: CallIds, arguments: unknown, agentId?: string, session?: string, metadata?: object}} Call
 * @typedef {{decision: "deny", reason: string}} Denied
 * @typedef {{decision: "allow"|"ask", claim: Claim, arguments: object, original: object, reason?: string,
 *   approval?: import("./answers.js").Approval}} Judged `arguments` are what was judged and has to run
 * @typedef {import("./snapshot.js").Snapshot} Snapshot
 * @typedef {{status: "success"|"error"|"not_executed", error?: unknown, result?: Snapshot, params?: Snapshot,
 *   durationMs?: unknown}} Outcome
 */

export class Reporter {
  /**
   * @param {object} options
   * @param {import("./client.js").Client} options.client
   * @param {import("./outbox.js").Outbox} options.outbox
   * @param {import("./clock.js").Clock} options.clock
   * @param {import("./counters.js").Counters} options.counters
   * @param {import("./log.js").Log} options.log
   * @param {{origin: string, adapterVersion: string}} options.identity
   * @param {{evaluateMs: number, installMs: number, auditMs: number}} options.timeouts
   * @param {import("./evidence.js").Rule[]} options.evidence
   * @param {{mostReports: number, maxAgeMs: number}} options.bounds
   */
  constructor({ client, outbox, clock, counters, log, identity, timeouts, evidence, bounds }) {
    Object.assign(this, { client, clock, counters, log, timeouts, evidence });
    this.who = { origin: identity.origin, adapter_version: identity.adapterVersion };
    this.claims = new Claims({
      now: clock.now,
      onExpired: (claim) => this.expired(claim),
      onReplaced: (claim) => this.replaced(claim),
    });
    this.approvals = new Approvals({ client, clock, counters, log, timeoutMs: timeouts.auditMs });
    const post = (bytes) => client.post("/audit", bytes, timeouts.auditMs);
    const onTaken = ({ body }) => this.taken(body);
    this.delivery = new Delivery({ outbox, post, onTaken, clock, counters, log, ...bounds });
  }

  /** Take over what an earlier process left unsent. */
  async start() {
    await this.delivery.start();
  }

  /** Send what waits, for so long; what is left is sent by the next process. */
  async close(timeoutMs) {
    await this.delivery.close(timeoutMs);
  }

  /** @returns {Record<string, number>} */
  readCounters() {
    this.claims.sweep();
    return this.counters.read();
  }

  /**
   * May this call run, and with which arguments?
   * @param {Call} call
   * @returns {Promise<Denied|Judged>} never rejects
   */
  async before(call) {
    try {
      return await this.judge(call);
    } catch (error) {
      return this.unavailable(error);
    }
  }

  async judge({ ids, arguments: given, agentId, session, metadata }) {
    const original = argumentsOf(given);
    if (original.why !== undefined) return this.denied(original.why);
    const claim = this.claims.reserve(ids);
    if (claim === undefined) {
      this.counters.add("ambiguous");
      return { decision: "deny", reason: AMBIGUOUS };
    }
    try {
      const about = {
        agent_id: agentId,
        session_id: session,
        tool: { name: ids.tool },
        arguments: original.value,
        metadata,
      };
      const told = evaluationOf(await this.ask("/evaluate", about, this.timeouts.evaluateMs));
      return this.judged(claim, told, original.value);
    } catch (error) {
      this.claims.release(claim);
      throw error;
    }
  }

  judged(claim, told, original) {
    if (told.decision === "deny") {
      this.claims.release(claim);
      return this.denied(told.reason);
    }
    const final = told.arguments ?? original;
    this.claims.bind(claim, { evaluationId: told.evaluationId, judged: final });
    const { approval, reason } = told;
    if (approval === undefined) {
      this.counters.add("allowed");
      return { decision: "allow", claim, arguments: final, original };
    }
    claim.until += approval.timeoutMs;
    this.counters.add("asked");
    return { decision: "ask", claim, arguments: final, original, approval, reason };
  }

  /** The call that this is, if it was judged and has not been reported: what must run of it. */
  find(ids) {
    return this.claims.find(ids);
  }

  /** A call that was judged will not run after all: the host cannot do what was decided. */
  async abandon(claim, why) {
    this.claims.release(claim);
    this.counters.add("denied");
    await this.report(claim, { status: "not_executed", error: why });
  }

  /**
   * What came of a call. Returns when the report is stored, whether or not the gateway answers.
   * @param {CallIds} ids
   * @param {Outcome} outcome
   * @returns {Promise<boolean>} whether there was anything to report; never rejects
   */
  async after(ids, outcome) {
    try {
      const claim = this.claims.claim(ids);
      if (claim === undefined) {
        this.counters.add("missed");
        this.log.warn(`an outcome of ${ids.tool} belongs to no evaluation (call ${ids.callId ?? "without an id"})`);
        return false;
      }
      await this.report(claim, outcome);
      return true;
    } catch (error) {
      this.log.error(`an outcome of ${ids.tool} could not be reported: ${error?.message}`);
      return false;
    }
  }

  async report(claim, { params, ...outcome }) {
    const payload = payloadOf(claim, outcome);
    if (outcome.status === "success") {
      const sources = { params, result: outcome.result };
      const evidence = gather(this.evidence, claim.ids.tool, sources, (rule, why) => this.skipped(rule, why));
      if (evidence.length > 0) payload.evidence = evidence;
    }
    if (params !== undefined) this.compare(claim, params.value);
    const { bytes, shed } = fit(payload, outcome.result?.isWhole ?? true);
    if (shed.length > 0) this.lightened(claim, shed);
    await this.delivery.add(bytes);
  }

  /**
   * May this be installed?
   * @param {object} about `package` and `metadata` of the protocol
   * @returns {Promise<Denied|{decision: "allow"}>} never rejects
   */
  async scan(about) {
    try {
      const told = scanOf(await this.ask("/install-scan", about, this.timeouts.installMs));
      this.counters.add(told.decision === "allow" ? "allowed" : "denied");
      return told;
    } catch (error) {
      return this.unavailable(error);
    }
  }

  /**
   * A person has answered: the call's time begins anew, or nothing of it will be reported.
   * @param {Claim} claim
   * @param {import("./answers.js").Approval} approval
   * @param {import("./approvals.js").Said} said
   * @returns {Promise<void>} never rejects
   */
  async resolve(claim, approval, said) {
    if (said.resolution === "approved") this.claims.prolong(claim);
    else this.claims.release(claim);
    await this.approvals.resolve(approval, said);
  }

  async ask(path, about, timeoutMs) {
    return this.client.post(path, Buffer.from(JSON.stringify({ ...this.who, ...about })), timeoutMs);
  }

  denied(reason) {
    this.counters.add("denied");
    return { decision: "deny", reason };
  }

  unavailable(error) {
    this.counters.add("unavailable");
    const reason = `Interpose governance unavailable: ${error?.message ?? "unknown"}`;
    this.log.error(reason);
    return { decision: "deny", reason };
  }

  /** The host says what ran; it has to be what was judged. */
  compare(claim, ran) {
    const plain = JSON.parse(JSON.stringify(ran ?? null));
    if (isDeepStrictEqual(plain, JSON.parse(JSON.stringify(claim.judged ?? null)))) return;
    this.counters.add("altered");
    this.log.error(`${claim.ids.tool} ran with other arguments than were judged (evaluation ${claim.evaluationId})`);
  }

  taken({ decision, reason, finalized_by: by, evidence }) {
    if (by !== undefined) this.log.error(`the gateway had ended a call before it was reported (${by})`);
    if (decision === "withhold") {
      this.counters.add("withheld");
      this.log.warn(`the gateway would have withheld a result that the host has delivered: ${reason}`);
    }
    const lost = (Array.isArray(evidence) ? evidence : []).filter((entry) => entry?.stored === false);
    for (const entry of lost) this.log.warn(`evidence ${entry.evidence_key} was not stored: ${entry.reason}`);
  }

  skipped(rule, why) {
    this.counters.add("skipped");
    this.log.warn(`evidence ${rule.key} is left out: ${why}`);
  }

  lightened(claim, shed) {
    this.counters.add("shed");
    if (shed.includes("error: cut")) this.counters.add("truncated");
    this.log.warn(`the report of ${claim.ids.tool} goes without ${shed.join(", ")} (evaluation ${claim.evaluationId})`);
  }

  expired(claim) {
    this.counters.add("expired");
    this.log.warn(`nobody reported what came of ${claim.ids.tool} (evaluation ${claim.evaluationId ?? "unknown"})`);
  }

  replaced(claim) {
    this.counters.add("replaced");
    this.log.warn(`${claim.ids.tool} came again under the same call id before it was reported: the first stays open`);
  }
}

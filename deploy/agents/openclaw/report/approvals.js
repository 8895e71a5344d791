/** Tells the gateway what a person said, again and again, because a yes that does not arrive leaves its call open. */
import { sendingOf } from "./answers.js";
import { pause } from "./clock.js";

const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000];

/**
 * @typedef {"approved"|"denied"|"timeout"|"cancelled"} Resolution
 * @typedef {{resolution: Resolution, scope?: "once"|"always", resolved_by?: string}} Said
 */

export class Approvals {
  /**
   * @param {object} options
   * @param {import("./client.js").Client} options.client
   * @param {import("./clock.js").Clock} options.clock
   * @param {import("./counters.js").Counters} options.counters
   * @param {import("./log.js").Log} options.log
   * @param {number} options.timeoutMs of one attempt
   */
  constructor(options) {
    Object.assign(this, options);
  }

  /**
   * Deliver an answer; for about three quarters of a minute while the gateway is away. Never rejects.
   * @param {import("./answers.js").Approval} approval
   * @param {Said} said
   */
  async resolve(approval, said) {
    const path = `/approval/${encodeURIComponent(approval.id)}/resolve`;
    const bytes = Buffer.from(JSON.stringify(said));
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      const { outcome, why, decision } = await this.attempt(path, bytes);
      if (outcome === "taken") return this.taken(said, decision, why);
      if (outcome === "final" || pauseMs === undefined) return this.lost(said, why);
      this.counters.add("retried");
      await pause(this.clock, pauseMs);
    }
  }

  async attempt(path, bytes) {
    try {
      const reply = await this.client.post(path, bytes, this.timeoutMs);
      return { ...sendingOf(reply), decision: reply.body.decision };
    } catch (error) {
      return { outcome: "later", why: error.message };
    }
  }

  /** A yes is planned again: the rules of this moment may refuse what a person has just allowed. */
  taken({ resolution }, decision, why) {
    if (resolution !== "approved" || decision === "allow") return;
    this.counters.add("overruled");
    this.log.error(
      `the gateway refuses a call that was approved (${decision}, ${why}): the host may run it all the same`,
    );
  }

  lost({ resolution }, why) {
    this.counters.add("unresolved");
    this.log.error(`the answer "${resolution}" of a person could not be delivered: ${why}`);
  }
}

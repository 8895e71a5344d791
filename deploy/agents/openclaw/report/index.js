/** The reporting side of Interpose for plugins that run inside their host: everything that such a plugin needs. */
import { Client } from "./client.js";
import { CLOCK } from "./clock.js";
import { Counters } from "./counters.js";
import { logTo } from "./log.js";
import { Outbox } from "./outbox.js";
import { Reporter } from "./reporter.js";

export { AMBIGUOUS, TTL_MS } from "./claims.js";
export { ARGUMENTS_BYTES } from "./payload.js";
export { CUT, LIMIT_BYTES } from "./shedding.js";
export { property, snapshot, snapshotOf } from "./snapshot.js";
export { logTo };

/**
 * A reporter over a real gateway and a real folder. Throws when nothing can be written into the folder; sends nothing
 * until `start`.
 * @param {object} options
 * @param {string} options.baseUrl
 * @param {string} options.token
 * @param {string} options.outboxFolder
 * @param {{origin: string, adapterVersion: string}} options.identity
 * @param {{evaluateMs: number, installMs: number, auditMs: number}} options.timeouts
 * @param {{mostReports: number, maxAgeMs: number}} options.bounds
 * @param {import("./evidence.js").Rule[]} [options.evidence]
 * @param {Partial<import("./log.js").Log>} [options.logger]
 * @param {import("./clock.js").Clock} [options.clock]
 * @returns {Reporter}
 */
export function createReporter({ baseUrl, token, outboxFolder, logger, evidence = [], clock = CLOCK, ...rest }) {
  const outbox = new Outbox(outboxFolder, clock.wallMs);
  outbox.prepare();
  const client = new Client({ baseUrl, token });
  return new Reporter({ ...rest, evidence, clock, client, outbox, counters: new Counters(), log: logTo(logger) });
}

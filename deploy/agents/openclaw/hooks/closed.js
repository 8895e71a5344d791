/** Gates that let nothing through: what is registered when the plugin cannot work. */
import { FIRST } from "./index.js";

/**
 * @param {any} api
 * @param {import("../report/log.js").Log} log
 * @param {string[]} faults
 * @returns {undefined}
 */
export function registerClosed(api, log, faults) {
  const reason = `Interpose governance unavailable: the plugin is not configured (${faults.join("; ")})`;
  const blockReason = reason.slice(0, 2000);
  for (const name of ["before_tool_call", "before_install"]) {
    api.on(name, () => ({ block: true, blockReason }), { priority: FIRST });
  }
  log.error(`EVERY TOOL CALL AND EVERY INSTALL IS BLOCKED: ${faults.join("; ")}`);
  return undefined;
}

/**
 * The OpenClaw plugin of Interpose: every tool call and every install is judged by the gateway before it happens.
 *
 * Whatever is wrong with this plugin's configuration, its gates are registered all the same, and let nothing through.
 */
import { isExposed, readConfig } from "./config.js";
import { createReporter, logTo } from "./report/index.js";
import { registerHooks } from "./hooks/index.js";
import { registerClosed } from "./hooks/closed.js";

export const ID = "interpose";
export const VERSION = "0.1.0";

export default {
  id: ID,
  name: "Interpose",
  description: "Has every tool call and every install judged by an Interpose gateway before it happens.",
  version: VERSION,
  /** Called by OpenClaw, synchronously, and returns nothing. */
  register(api) {
    install(api, process.env);
  },
};

/**
 * Register every gate. Never throws.
 * @param {any} api
 * @param {Record<string, string|undefined>} env
 * @returns {import("./report/reporter.js").Reporter|undefined} what reports; nothing where the gates are closed
 */
export function install(api, env) {
  const log = logTo(loggerOf(api));
  try {
    const { config, faults } = readConfig(api.pluginConfig, env);
    if (faults !== undefined) return registerClosed(api, log, faults);
    const reporter = createReporter({ ...optionsOf(config), logger: loggerOf(api) });
    registerHooks(api, reporter, config);
    if ((api.registrationMode ?? "full") === "full") void reporter.start(); // not where plugins are only listed
    if (isExposed(config.baseUrl)) log.warn(`the token goes to ${config.baseUrl} in the clear: use https`);
    log.info(`every tool call and install is judged by ${config.baseUrl}`);
    return reporter;
  } catch (error) {
    return registerClosed(api, log, [String(error?.message ?? error)]);
  }
}

function loggerOf(api) {
  try {
    return api.logger;
  } catch {
    return undefined; // the log falls back to the console
  }
}

function optionsOf({ baseUrl, token, outboxFolder, origin, evidence, ...config }) {
  return {
    baseUrl,
    token,
    outboxFolder,
    evidence,
    identity: { origin, adapterVersion: VERSION },
    timeouts: {
      evaluateMs: config.evaluateTimeoutMs,
      installMs: config.installTimeoutMs,
      auditMs: config.auditTimeoutMs,
    },
    bounds: { mostReports: config.outboxMaxReports, maxAgeMs: config.outboxMaxAgeMs },
  };
}

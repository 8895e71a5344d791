/** Which of OpenClaw's hooks are held, in which place and for how long. */
import { afterToolCall } from "./after-tool-call.js";
import { beforeInstall } from "./before-install.js";
import { beforeToolCall, onlyWhatWasJudged } from "./before-tool-call.js";

/** Before every other plugin: its question to a person wins, and a refusal spares the others the work. */
export const FIRST = 1_000_000_000;
/** After every other plugin: the last one to say what the parameters are. */
export const LAST = -1_000_000_000;

/** OpenClaw's own limit is 15 s, then it blocks. Storing a report may take 3 s of it where the disk does not answer. */
const SLACK_MS = 4000;
const INSTALL_SLACK_MS = 2000;
const AFTER_MS = 10_000;
const STOP_MS = 3000;

/**
 * @param {any} api
 * @param {import("../report/reporter.js").Reporter} reporter
 * @param {{evaluateTimeoutMs: number, installTimeoutMs: number, origin: string}} config
 */
export function registerHooks(api, reporter, { evaluateTimeoutMs, installTimeoutMs, origin }) {
  const judged = { priority: FIRST, timeoutMs: evaluateTimeoutMs + SLACK_MS };
  api.on("before_tool_call", (event, ctx) => beforeToolCall(reporter, origin, event, ctx), judged);
  api.on("before_tool_call", (event, ctx) => onlyWhatWasJudged(reporter, event, ctx), { priority: LAST });
  api.on("after_tool_call", (event, ctx) => afterToolCall(reporter, event, ctx), { timeoutMs: AFTER_MS });
  const scanned = { priority: FIRST, timeoutMs: installTimeoutMs + INSTALL_SLACK_MS };
  api.on("before_install", (event, ctx) => beforeInstall(reporter, event, ctx), scanned);
  api.on("gateway_stop", () => reporter.close(STOP_MS), { timeoutMs: STOP_MS + 1000 });
}

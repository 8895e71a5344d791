/**
 * OpenClaw as a plugin meets it: registration by `api.on`, and what the host makes of what the handlers return.
 *
 * Written from the host's documented behaviour (2026.9.6): handlers by priority, each with its own copy of the original
 * event; `block: true` ends it; the last parameters win until the first question freezes them; they are merged over the
 * original ones key by key; what throws or takes too long blocks in the gates and is only logged behind them; nobody
 * waits for `onResolution`.
 */

const GATES = new Set(["before_tool_call", "before_install"]);
const DEFAULT_TIMEOUT_MS = 15_000;

export class Host {
  constructor(pluginConfig) {
    this.hooks = new Map();
    this.logged = [];
    const log = (level) => (message) => void this.logged.push(`${level} ${message}`);
    this.api = {
      id: "interpose",
      pluginConfig,
      registrationMode: "full",
      logger: { info: log("info"), warn: log("warn"), error: log("error") },
      on: (name, handler, options = {}) => this.on(name, handler, options),
    };
    this.ran = [];
    this.asked = [];
  }

  on(name, handler, { priority = 0, timeoutMs = DEFAULT_TIMEOUT_MS } = {}) {
    const held = [...(this.hooks.get(name) ?? []), { handler, priority, timeoutMs }];
    this.hooks.set(name, held.sort((one, other) => other.priority - one.priority));
  }

  /**
   * A tool call from beginning to end. `answer` is what the person says, `tool` what runs, `bare` leaves the ids out.
   * @returns {Promise<{blocked?: string, result?: any, error?: string}>}
   */
  async call({ toolName, params, ids = {}, ctx = {}, answer = "deny", tool = (given) => ({ details: given }) }) {
    const about = { ...ctx, ...ids, toolName };
    const gate = await this.gate({ toolName, params, ...ids }, about);
    if (gate.blocked !== undefined) return gate;
    const isRefused = gate.question !== undefined && !this.isApproved(gate.question, answer);
    if (isRefused) return { blocked: `the person said ${answer}` };
    const final = { ...params, ...(gate.params ?? {}) };
    return this.run(tool, final, { toolName, params: final, ...ids }, about);
  }

  /** A call as far as the gate: what the handlers make of it together. */
  async gate(event, ctx) {
    let [chosen, asked] = [undefined, undefined];
    for (const held of this.hooks.get("before_tool_call") ?? []) {
      const said = await this.fire("before_tool_call", held, structuredClone(event), ctx);
      if (said?.block === true) return { blocked: said.blockReason || "blocked" };
      if (asked === undefined && said?.params !== undefined) chosen = said.params;
      if (asked === undefined && said?.requireApproval !== undefined) asked = said.requireApproval;
    }
    return { params: chosen && structuredClone(chosen), question: asked };
  }

  isApproved(question, answer) {
    this.asked.push({ ...question, answer });
    const offered = answer.startsWith("allow") && !question.allowedDecisions.includes(answer) ? "timeout" : answer;
    void Promise.resolve(question.onResolution(offered)).catch((error) => this.api.logger.warn(String(error)));
    return offered.startsWith("allow");
  }

  async run(tool, params, event, ctx) {
    this.ran.push({ toolName: event.toolName, params });
    const outcome = { durationMs: 7 };
    try {
      outcome.result = await tool(params);
    } catch (error) {
      outcome.error = error.message;
    }
    await this.observe({ ...event, ...outcome }, ctx);
    return outcome;
  }

  /** What the host tells afterwards; results are handed over as they are, not copied. */
  async observe(event, ctx) {
    await Promise.all((this.hooks.get("after_tool_call") ?? []).map(
      (held) => this.fire("after_tool_call", held, event, ctx),
    ));
  }

  /** An install: its reason when it is blocked. */
  async install(event, ctx = {}) {
    for (const held of this.hooks.get("before_install") ?? []) {
      const said = await this.fire("before_install", held, structuredClone(event), ctx);
      if (said?.block === true) return said.blockReason || "blocked";
    }
    return undefined;
  }

  async stop() {
    await Promise.all((this.hooks.get("gateway_stop") ?? []).map((held) => this.fire("gateway_stop", held, {}, {})));
  }

  async fire(name, { handler, timeoutMs }, event, ctx) {
    let timer;
    const late = new Promise((_, reject) => void (timer = setTimeout(() => reject(new Error("timed out")), timeoutMs)));
    try {
      return await Promise.race([Promise.resolve(handler(event, ctx)), late]);
    } catch (error) {
      this.api.logger.error(`${name} handler failed: ${error.message}`);
      return GATES.has(name) ? { block: true, blockReason: `${name} hook failed` } : undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

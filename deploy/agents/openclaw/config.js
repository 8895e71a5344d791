/**
 * What the operator may say in `plugins.entries.interpose.config`, and what holds where nothing is said.
 *
 * The manifest carries the same fields, because OpenClaw reads it without running any code; a test compares them.
 */
import { homedir } from "node:os";
import { join } from "node:path";

import { faultsOf } from "./schema.js";

const RULE = {
  type: "object",
  additionalProperties: false,
  required: ["tool", "key", "path"],
  properties: {
    tool: { type: "string", minLength: 1, maxLength: 256 },
    key: { type: "string", minLength: 1, maxLength: 256 },
    path: {
      type: "array",
      minItems: 1,
      maxItems: 16,
      items: { type: ["string", "integer"], minLength: 1, maxLength: 256, minimum: 0, maximum: 1_000_000 },
    },
    from: { type: "string", enum: ["result", "params"], default: "result" },
    ttlSeconds: { type: "integer", minimum: 1, maximum: 604_800 },
  },
};

/** The schema of the whole configuration, each field with its default. */
export const SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    baseUrl: {
      type: "string",
      default: "http://127.0.0.1:8600",
      maxLength: 2048,
      pattern: "^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$",
    },
    tokenEnv: { type: "string", default: "INTERPOSE_TOKEN", pattern: "^[A-Za-z_][A-Za-z0-9_]{0,127}$" },
    origin: { type: "string", default: "openclaw", pattern: "^[a-z0-9_-]{1,64}$" },
    evaluateTimeoutMs: { type: "integer", default: 2000, minimum: 100, maximum: 10_000 },
    installTimeoutMs: { type: "integer", default: 5000, minimum: 100, maximum: 12_000 },
    auditTimeoutMs: { type: "integer", default: 5000, minimum: 100, maximum: 60_000 },
    outboxFolder: { type: "string", default: "", maxLength: 1024, pattern: "^($|~/|/|[A-Za-z]:[\\\\/])" },
    outboxMaxReports: { type: "integer", default: 500, minimum: 1, maximum: 10_000 },
    outboxMaxAgeMs: { type: "integer", default: 3_600_000, minimum: 60_000, maximum: 86_400_000 },
    evidence: { type: "array", default: [], maxItems: 64, items: RULE },
  },
};

/** Visible ASCII: anything else cannot stand in a header. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/**
 * @param {unknown} given what the host hands over; nothing at all means every default
 * @param {Record<string, string|undefined>} env
 * @returns {{config: object, faults?: undefined} | {faults: string[]}} every fault at once, none with the token in it
 */
export function readConfig(given, env) {
  const told = given ?? {};
  const faults = faultsOf(told, SCHEMA, "config");
  if (faults.length > 0) return { faults };
  const fields = { ...defaultsOf(SCHEMA), ...told };
  if (!URL.canParse(fields.baseUrl)) return { faults: ["config.baseUrl is no URL"] };
  const token = (env[fields.tokenEnv] ?? "").trim();
  if (token === "") return { faults: [`the environment variable ${fields.tokenEnv} holds no token`] };
  if (!TOKEN.test(token)) return { faults: [`the token in ${fields.tokenEnv} has characters that no header may have`] };
  return {
    config: {
      ...fields,
      token,
      evidence: fields.evidence.map(ruleOf),
      outboxFolder: folderOf(fields.outboxFolder, env),
    },
  };
}

/** Whether requests leave this machine in the clear, with the token in them. */
export function isExposed(baseUrl) {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !/^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname);
}

function defaultsOf({ properties }) {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default]));
}

function ruleOf(rule) {
  return { from: RULE.properties.from.default, ...rule };
}

/** The folder of unsent reports; by default inside OpenClaw's own state, so that each profile has its own. */
function folderOf(told, env) {
  if (told.startsWith("~/")) return join(homedir(), told.slice(2));
  if (told !== "") return told;
  const state = (env.OPENCLAW_STATE_DIR ?? "").trim() || join(homedir(), ".openclaw");
  return join(state.startsWith("~/") ? join(homedir(), state.slice(2)) : state, "interpose", "outbox");
}

/** The plugin, driven through registration as OpenClaw does it. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import plugin, { install } from "../../../deploy/agents/openclaw/index.js";
import { Host } from "../programs/host.mjs";
import { ALLOW, StandIn, TAKEN, TOKEN, until } from "../programs/stand_in.mjs";

const FIXTURES = new URL("../../fixtures/platforms/openclaw/", import.meta.url);
const ENV = { INTERPOSE_TOKEN: TOKEN };
const IDS = { toolCallId: "tc_1", runId: "run_1" };
const CTX = { agentId: "main", sessionKey: "agent:main:main", sessionId: "0f9d-1" };
const EXEC = { toolName: "exec", params: { command: "ls", title: "List" }, ids: IDS, ctx: CTX };
let gateway, folder, host, reporter;

beforeEach(async () => {
  [gateway, folder] = [await StandIn.open(), await mkdtemp(join(tmpdir(), "plugin-"))];
  gateway.on("/evaluate", ALLOW).on("/audit", TAKEN);
  load();
});
afterEach(async () => {
  await reporter?.close(0);
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

function load(config = {}, env = ENV) {
  host = new Host({ baseUrl: gateway.url, outboxFolder: folder, evaluateTimeoutMs: 300, ...config });
  reporter = install(host.api, env);
}

const evaluated = (body) => () => ({ body: { evaluation_id: "e-1", reason: "because", matched_rule: null, ...body } });
const audits = (count = 1) => gateway.sees("/audit", count).then((seen) => seen.map(({ body }) => body));
const fixture = async (name) => JSON.parse(await readFile(new URL(`${name}.json`, FIXTURES)));

test("the host calls register, which answers nothing", () => {
  const own = new Host({ outboxFolder: folder });
  const token = process.env.INTERPOSE_TOKEN;
  process.env.INTERPOSE_TOKEN = TOKEN;

  assert.equal(undefined, plugin.register(own.api));
  assert.deepEqual(["before_tool_call", "after_tool_call", "before_install", "gateway_stop"], [...own.hooks.keys()]);
  if (token === undefined) delete process.env.INTERPOSE_TOKEN;
  else process.env.INTERPOSE_TOKEN = token;
});

test("every gate ends before the host's own fifteen seconds, with any configuration that is allowed", () => {
  load({ evaluateTimeoutMs: 10_000, installTimeoutMs: 12_000 });
  const gates = ["before_tool_call", "before_install"].flatMap((name) => host.hooks.get(name));

  assert.ok(gates.every(({ timeoutMs }) => timeoutMs <= 15_000) && gates[0].timeoutMs > 10_000);
});

test("a recorded call is judged with what the host says of it", async () => {
  const { event, ctx } = await fixture("pre_exec");
  await host.gate(event, ctx);
  const [{ body }] = gateway.to("/evaluate");

  assert.deepEqual(body, {
    origin: "openclaw",
    adapter_version: "0.1.0",
    agent_id: "main",
    session_id: "0f9d-1",
    tool: { name: "exec" },
    arguments: event.params,
    metadata: {
      run_id: "run_1",
      tool_call_id: "tc_42",
      session_key: "agent:main:main",
      channel_id: "telegram",
      requester_channel: "telegram",
      requester_sender: "42",
      requester_is_owner: true,
    },
  });
});

test("a recorded outcome is reported for the call that it belongs to", async () => {
  const before = await fixture("pre_exec");
  const { event, ctx } = await fixture("post_exec");
  await host.gate(before.event, before.ctx);
  await host.observe(event, ctx);

  assert.deepEqual(
    await audits(),
    [{ evaluation_id: "e-1", status: "success", duration_ms: 12, result: event.result }],
  );
});

test("an allowed call runs with its own parameters and is reported", async () => {
  const { result } = await host.call(EXEC);

  assert.deepEqual([{ toolName: "exec", params: EXEC.params }], host.ran);
  assert.deepEqual(await audits(), [{ evaluation_id: "e-1", status: "success", duration_ms: 7, result }]);
});

for (const decision of ["deny", "rate_limited"]) {
  test(`${decision} blocks with the gateway's words, and nothing runs`, async () => {
    gateway.on("/evaluate", evaluated({ decision, feedback: { message: "use the staging host" } }));

    assert.deepEqual({ blocked: "use the staging host" }, await host.call(EXEC));
    assert.deepEqual([[], 0], [host.ran, gateway.to("/audit").length]);
  });
}

test("a gateway that is away blocks, in the plugin's own words and time", async () => {
  gateway.on("/evaluate", () => ({ silent: true }));

  assert.deepEqual({ blocked: "Interpose governance unavailable: no answer within 300 ms" }, await host.call(EXEC));
  assert.deepEqual([], host.ran);
});

test("a rewrite is what runs, the keys that it leaves alone beside it", async () => {
  gateway.on("/evaluate", evaluated({ decision: "allow", arguments: { command: "ls -l", title: "List", cwd: "/x" } }));
  await host.call(EXEC);

  assert.deepEqual([{ command: "ls -l", title: "List", cwd: "/x" }], host.ran.map(({ params }) => params));
});

test("a rewrite that takes a key away cannot be said, so the call is blocked and reported as not run", async () => {
  gateway.on("/evaluate", evaluated({ decision: "allow", arguments: { command: "ls" } }));
  const { blocked } = await host.call(EXEC);

  assert.match(blocked, /takes "title" out of the arguments/);
  assert.deepEqual(
    [[], { evaluation_id: "e-1", status: "not_executed", error: blocked }],
    [host.ran, (await audits())[0]],
  );
});

test("parameters that another plugin returns do not run: what was judged does", async () => {
  host.api.on("before_tool_call", () => ({ params: { command: "rm -rf /", added: true } }));
  await host.call(EXEC);

  assert.deepEqual([EXEC.params], host.ran.map(({ params }) => params));
});

test("what another plugin asks a person about in the same call does not take our question's place", async () => {
  gateway.on(
    "/evaluate",
    evaluated({
      decision: "require_approval",
      approval: { id: "a", timeout_ms: 100_000, resolve_path: "/approval/a/resolve" },
    }),
  );
  gateway.on("/approval/a/resolve", evaluated({ ok: true, decision: "allow" }));
  host.api.on(
    "before_tool_call",
    () => ({
      requireApproval: { title: "other", allowedDecisions: ["allow-once"], onResolution() {} },
      params: { command: "other" },
    }),
  );
  await host.call({ ...EXEC, answer: "allow-once" });

  assert.deepEqual(
    [["Interpose: exec"], [EXEC.params]],
    [host.asked.map(({ title }) => title), host.ran.map(({ params }) => params)],
  );
});

test("a call that another plugin blocks stays open and holds up no other call with an id", async () => {
  const other = { handler: () => ({ block: true, blockReason: "mine" }), priority: 0, timeoutMs: 1000 };
  host.api.on("before_tool_call", other.handler);

  assert.deepEqual({ blocked: "mine" }, await host.call(EXEC));
  assert.deepEqual({ blocked: "mine" }, await host.call({ ...EXEC, ids: { ...IDS, toolCallId: "tc_2" } }));
  assert.equal(2, gateway.to("/evaluate").length);
});

test("the last gate lets nothing through that was not judged", async () => {
  host.hooks.set("before_tool_call", host.hooks.get("before_tool_call").slice(1));

  assert.deepEqual({ blocked: "Interpose governance unavailable: nobody judged this call" }, await host.call(EXEC));
});

test("a name that is no text is none, and the event's own comes before the context's", async () => {
  await host.gate(
    { toolName: "exec", params: {}, toolCallId: 7, runId: "mine" },
    { ...CTX, toolCallId: "t", runId: "r" },
  );
  await host.observe(
    { toolName: "exec", params: {}, result: {}, runId: "mine" },
    { ...CTX, toolCallId: "t", runId: "r" },
  );
  const [{ body }] = gateway.to("/evaluate");

  assert.deepEqual(["t", "mine"], [body.metadata.tool_call_id, body.metadata.run_id]);
  assert.equal("success", (await audits())[0].status);
});

test("a call that is cancelled while it is judged does not run and is reported as not run", async () => {
  const { blocked } = await host.call({ ...EXEC, ctx: { ...CTX, abortSignal: AbortSignal.abort() } });

  assert.equal("the call was cancelled while it was judged", blocked);
  assert.equal("not_executed", (await audits())[0].status);
});

test("two calls at once that nothing tells apart: the second is blocked in these words", async () => {
  const bare = { toolName: "exec", params: {}, ctx: { sessionId: "s" } };
  const [first, second] = await Promise.all([host.call(bare), host.call(bare)]);

  assert.deepEqual(
    [undefined, { blocked: "cannot correlate ambiguous concurrent tool calls" }],
    [first.blocked, second],
  );
});

test("two calls at once with their own ids are each reported for themselves", async () => {
  let index = 0;
  gateway.on(
    "/evaluate",
    ({ body }) => ({ body: { evaluation_id: `e-${body.metadata.tool_call_id}-${(index += 1)}`, decision: "allow" } }),
  );
  const ids = ["tc_1", "tc_2", "tc_3"];
  await Promise.all(ids.map(
    (toolCallId) => host.call({ ...EXEC, ids: { runId: "run_1", toolCallId }, tool: () => ({ of: toolCallId }) }),
  ));
  const seen = await audits(3);

  assert.ok(seen.every((body) => body.evaluation_id.startsWith(`e-${body.result.of}-`)));
  assert.equal(3, new Set(seen.map((body) => body.evaluation_id)).size);
});

test("a tool that throws is an error, and one that tells nothing is one too", async () => {
  await host.call({ ...EXEC, tool: () => { throw new Error("ENOENT"); } });
  await host.call({ ...EXEC, tool: () => undefined });
  const [thrown, silent] = await audits(2);

  assert.deepEqual(["error", "ENOENT"], [thrown.status, thrown.error]);
  assert.deepEqual(
    ["error", "the outcome is unknown: the host told neither a result nor an error"],
    [silent.status, silent.error],
  );
});

test("a result that says the tool failed is no success, and carries no evidence", async () => {
  load({ evidence: [{ tool: "exec", key: "code", path: ["details", "exitCode"] }] });
  const results = [
    { details: { exitCode: 1 } },
    { details: { status: "Timeout" } },
    { isError: true },
    { details: { ok: false } },
    { details: { error: "no such file" } },
    { details: { timedOut: true } },
    { details: { exitCode: 0, status: "completed" } },
  ];
  for (const result of results) await host.call({ ...EXEC, tool: () => result });
  const seen = await audits(results.length);

  assert.deepEqual(
    [
      "exit code 1",
      "status timeout",
      "isError",
      "ok is false",
      "no such file",
      "timedOut",
    ].map((why) => `the tool says that it failed: ${why}`),
    seen.slice(0, -1).map(({ error }) => error),
  );
  assert.deepEqual(
    ["success", [{ evidence_key: "code", evidence_data: 0 }]],
    [seen.at(-1).status, seen.at(-1).evidence],
  );
  assert.ok(seen.slice(0, -1).every(({ evidence }) => evidence === undefined));
});

test("configured evidence reaches the body, from parameters and result", async () => {
  load({
    evidence: [
      { tool: "exec", key: "what", path: ["command"], from: "params" },
      { tool: "exec", key: "host", path: ["url", "host"], ttlSeconds: 60 },
      { tool: "read", key: "never", path: ["url"] },
    ],
  });
  await host.call({ ...EXEC, tool: () => ({ url: { host: "example.com" } }) });

  assert.deepEqual(
    (await audits())[0].evidence,
    [
      { evidence_key: "what", evidence_data: "ls" },
      { evidence_key: "host", evidence_data: "example.com", ttl_seconds: 60 },
    ],
  );
});

test("a hostile result is reported, and the agent goes on", async () => {
  const hostile = new Proxy(
    {},
    { get: () => { throw new Error("trap"); }, ownKeys: () => { throw new Error("trap"); } },
  );
  const ring = { big: 10n, hostile };
  ring.self = ring;
  let reads = 0;
  Object.defineProperty(ring, "details", { enumerable: true, get: () => ({ exitCode: (reads += 1) - 1 }) });
  const { result } = await host.call({ ...EXEC, tool: () => ring });

  assert.ok(result === ring);
  assert.deepEqual(
    [(await audits())[0].result, reads],
    [{ big: "10", hostile: "[unreadable]", self: "[cycle]", details: { exitCode: 0 } }, 1],
  );
});

test("an event whose properties throw is still reported as an error", async () => {
  await host.gate({ toolName: "exec", params: EXEC.params, ...IDS }, CTX);
  await host.observe(
    {
      toolName: "exec",
      ...IDS,
      get params() { throw new Error("p"); },
      get result() { throw new Error("r"); },
      get error() { throw new Error("e"); },
    },
    CTX,
  );
  const [body] = await audits();

  assert.deepEqual(
    ["error", "the error could not be read: reading it threw Error", "[unreadable]"],
    [body.status, body.error, body.result],
  );
});

test("an outcome without its call, and one without a tool, are told and not sent", async () => {
  await host.observe({ toolName: "exec", ...IDS, result: {} }, CTX);
  await host.observe({}, undefined);

  assert.deepEqual([2, 0], [reporter.readCounters().missed, gateway.requests.length]);
});

test("an event without a tool or without parameters is blocked or judged, never let through", async () => {
  assert.equal(
    "Interpose governance unavailable: the host names no tool",
    (await host.gate({ params: {} }, {})).blocked,
  );
  assert.match((await host.gate({ toolName: "exec", params: [1] }, CTX)).blocked, /no object/);
  assert.equal(undefined, (await host.gate({ toolName: "exec", ...IDS }, undefined)).blocked);
  assert.deepEqual({}, gateway.to("/evaluate")[0].body.arguments);
});

test("names that are too long for the gateway keep their identity", async () => {
  await host.gate(
    { toolName: "exec", params: {}, runId: "r".repeat(5000), toolCallId: "t" },
    { agentId: "a".repeat(129), sessionId: "s".repeat(257) },
  );
  const [{ body }] = gateway.to("/evaluate");

  assert.match(`${body.agent_id} ${body.session_id}`, /^sha256:[0-9a-f]{64} sha256:[0-9a-f]{64}$/);
  assert.ok(Buffer.byteLength(JSON.stringify(body.metadata)) <= 4096);

  await host.gate(
    { toolName: "exec", params: {}, toolCallId: "u" },
    { agentId: "a".repeat(128), sessionId: "s".repeat(256) },
  );
  assert.deepEqual(
    [128, 256],
    [gateway.to("/evaluate")[1].body.agent_id, gateway.to("/evaluate")[1].body.session_id].map((name) => name.length),
  );
});

const ASK = evaluated({
  decision: "require_approval",
  reason: "push to\nmain?\u202e",
  approval: { id: "a1", timeout_ms: 120_000, resolve_path: "/approval/a1/resolve" },
});

test("a question is asked in the host's words, and ends before the gateway's time", async () => {
  gateway.on("/evaluate", ASK);
  const { question } = await host.gate({ toolName: "x".repeat(100), params: {}, ...IDS }, CTX);
  const { onResolution, title, ...rest } = question;

  assert.deepEqual(
    rest,
    { description: "push to main?", severity: "warning", timeoutMs: 115_000, allowedDecisions: ["allow-once", "deny"] },
  );
  assert.deepEqual([80, "function"], [[...title].length, typeof onResolution]);
});

for (const [answer, told, runs] of [
  ["allow-once", { resolution: "approved", scope: "once", resolved_by: "openclaw" }, 1],
  ["deny", { resolution: "denied", resolved_by: "openclaw" }, 0],
  ["timeout", { resolution: "timeout" }, 0],
  ["cancelled", { resolution: "cancelled" }, 0],
]) {
  test(`the answer ${answer} is told to the gateway, and the call runs ${runs} times`, async () => {
    gateway.on("/evaluate", ASK).on(
      "/approval/a1/resolve",
      evaluated({ ok: true, decision: runs === 1 ? "allow" : "deny" }),
    );
    await host.call({ ...EXEC, answer });
    const [{ body }] = await gateway.sees("/approval/a1/resolve");

    assert.deepEqual([told, runs], [body, host.ran.length]);
    if (runs === 1) assert.equal("success", (await audits())[0].status);
    else assert.equal(0, gateway.to("/audit").length);
  });
}

test("an answer for always, of a host that offers what was not offered, is told as one", async () => {
  gateway.on("/evaluate", ASK).on("/approval/a1/resolve", evaluated({ ok: true, decision: "allow" }));
  const { question } = await host.gate({ toolName: "exec", params: {}, ...IDS }, CTX);
  await question.onResolution("allow-always");

  assert.deepEqual(
    { resolution: "approved", scope: "always", resolved_by: "openclaw" },
    gateway.to("/approval/a1/resolve")[0].body,
  );
});

test("a word that nobody knows is no yes", async () => {
  gateway.on("/evaluate", ASK).on("/approval/a1/resolve", evaluated({ ok: true, decision: "deny" }));
  for (const [index, word] of ["ALLOW-ONCE", "toString", undefined].entries()) {
    const { question } = await host.gate({ toolName: "exec", params: {}, runId: "r", toolCallId: `t${index}` }, CTX);
    await question.onResolution(word);
  }

  assert.deepEqual(
    Array(3).fill({ resolution: "cancelled" }),
    gateway.to("/approval/a1/resolve").map(({ body }) => body),
  );
});

const INSTALL = {
  targetType: "plugin",
  targetName: "alias",
  sourcePath: "/staged/x",
  sourcePathKind: "directory",
  request: { kind: "plugin-npm", mode: "install", requestedSpecifier: "real@^2" },
  builtinScan: { status: "ok", scannedFiles: 3, critical: 0, warn: 1, info: 2, findings: [] },
  plugin: { pluginId: "p", contentType: "package", packageName: "real", version: "2.0.0" },
};

test("an install is scanned under the package's own name", async () => {
  gateway.on("/install-scan", evaluated({ decision: "allow" }));

  assert.equal(undefined, await host.install(INSTALL, { targetType: "plugin", requestKind: "plugin-npm" }));
  assert.deepEqual(gateway.to("/install-scan")[0].body, {
    origin: "openclaw",
    adapter_version: "0.1.0",
    package: { name: "real", version: "2.0.0", source: "npm", spec: "real@^2" },
    metadata: {
      target_type: "plugin",
      mode: "install",
      builtin_scan: { critical: 0, warn: 1, info: 2 },
      target_name: "alias",
      source_path_kind: "directory",
      source_path: "/staged/x",
    },
  });
});

test("a skill without a package is scanned under what was asked for, with the address it comes from", async () => {
  gateway.on("/install-scan", evaluated({ decision: "allow" }));
  await host.install({
    targetType: "skill",
    targetName: "search",
    request: { kind: "skill-install", mode: "update" },
    skill: { installId: "i", installSpec: { kind: "download", url: "https://example.com/s.tgz" } },
  });
  await host.install({
    ...INSTALL,
    plugin: undefined,
    request: { kind: "plugin-git", mode: "install", requestedSpecifier: "git+https://example.com/x.git" },
  });

  assert.deepEqual(
    gateway.to("/install-scan").map(({ body }) => body.package),
    [
      { name: "search", source: "skill", url: "https://example.com/s.tgz" },
      { name: "alias", source: "git", spec: "git+https://example.com/x.git", url: "git+https://example.com/x.git" },
    ],
  );
});

test("an install that is refused, that nobody judges, or that has no name is blocked", async () => {
  gateway.on(
    "/install-scan",
    [
      evaluated({ decision: "deny", reason: "unknown publisher" }),
      () => ({ status: 503 }),
      evaluated({ decision: "require_approval" }),
    ],
  );

  assert.equal("unknown publisher", await host.install(INSTALL));
  assert.equal("Interpose governance unavailable: status 503", await host.install(INSTALL));
  assert.match(await host.install(INSTALL), /unknown decision "require_approval"/);
  assert.match(await host.install({ request: {} }), /does not say what is installed/);
});

for (const [what, config, env, why] of [
  ["an empty token", {}, { INTERPOSE_TOKEN: "" }, /the environment variable INTERPOSE_TOKEN holds no token/],
  ["a field that nobody knows", { baseURL: "http://x" }, ENV, /config.baseURL is not known/],
  [
    "a bound that is not kept",
    { evaluateTimeoutMs: 60_000 },
    ENV,
    /config.evaluateTimeoutMs is not within 100 to 10000/,
  ],
  [
    "a dotted path",
    { evidence: [{ tool: "a", key: "k", path: "url.host" }] },
    ENV,
    /config.evidence\[0\].path is no array/,
  ],
  ["a configuration that is none", "closed", ENV, /config is no object/],
  ["a folder where nothing can be written", { outboxFolder: "/dev/null/x" }, ENV, /ENOTDIR/],
]) {
  test(`${what} registers gates that block everything, and says so loudly`, async () => {
    host = new Host(typeof config === "string" ? config : { baseUrl: gateway.url, outboxFolder: folder, ...config });
    reporter = install(host.api, env);

    assert.equal(undefined, reporter);
    assert.match((await host.call(EXEC)).blocked, why);
    assert.match(await host.install(INSTALL), /^Interpose governance unavailable: the plugin is not configured/);
    assert.ok(host.logged.some(
      (line) => line.startsWith("error interpose: EVERY TOOL CALL AND EVERY INSTALL IS BLOCKED") && why.test(line),
    ));
    assert.deepEqual([[], 0], [host.ran, gateway.requests.length]);
  });
}

test("a host whose configuration and logger throw gets closed gates", async () => {
  const own = new Host({});
  const api = {
    on: own.api.on,
    get pluginConfig() { throw new Error("no config"); },
    get logger() { throw new Error("no logger"); },
  };
  const told = console.error;
  console.error = () => {};
  install(api, ENV);
  console.error = told;

  assert.match((await own.call(EXEC)).blocked, /no config/);
});

test("a host that refuses one of the hooks gets closed gates", async () => {
  const own = new Host({ baseUrl: gateway.url, outboxFolder: folder });
  const api = {
    ...own.api,
    on: (name, ...rest) => { if (name === "gateway_stop") throw new Error("unknown hook"); own.api.on(name, ...rest); },
  };
  install(api, ENV);

  assert.match((await own.call(EXEC)).blocked, /unknown hook/);
});

test("a token that travels in the clear is warned of, and no token is ever logged", async () => {
  load({ baseUrl: "http://192.0.2.1:8600" });

  assert.ok(host.logged.some(
    (line) => line.startsWith("warn interpose: the token goes to http://192.0.2.1:8600 in the clear"),
  ));
  assert.ok(!host.logged.join("\n").includes(TOKEN));
});

test("reports that the gateway did not take are sent when the host stops, or by the next process", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  await host.call(EXEC);
  await gateway.sees("/audit", 1);
  await host.stop();
  gateway.on("/audit", TAKEN);
  load();
  await until(() => reporter.readCounters().finalised === 1);

  assert.equal(1, new Set(gateway.to("/audit").map(({ bytes }) => bytes.toString())).size);
});

test("a host that does not say why it loads the plugin loads it to work", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  await host.call(EXEC);
  await host.stop();
  gateway.on("/audit", TAKEN);
  const own = new Host({ baseUrl: gateway.url, outboxFolder: folder });
  delete own.api.registrationMode;
  reporter = install(own.api, ENV);

  await until(() => reporter.readCounters().finalised === 1);
});

test("where plugins are only listed nothing is sent", async () => {
  gateway.on("/audit", () => ({ status: 503 }));
  await host.call(EXEC);
  await host.stop();
  const sent = gateway.to("/audit").length;
  const own = new Host({ baseUrl: gateway.url, outboxFolder: folder });
  own.api.registrationMode = "cli-metadata";
  reporter = install(own.api, ENV);
  await new Promise(setImmediate);

  assert.equal(sent, gateway.to("/audit").length);
});

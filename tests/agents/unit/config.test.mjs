/** What the operator may say, and that the manifest says the same. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { isExposed, readConfig, SCHEMA } from "../../../deploy/agents/openclaw/config.js";
import { faultsOf } from "../../../deploy/agents/openclaw/schema.js";
import { ID, VERSION } from "../../../deploy/agents/openclaw/index.js";

const FOLDER = new URL("../../../deploy/agents/openclaw/", import.meta.url);
const json = (name) => JSON.parse(readFileSync(new URL(name, FOLDER)));
const ENV = { INTERPOSE_TOKEN: "t0ken" };
const MINIMAL = { tool: "a", key: "k", path: ["x"] };

test("the manifest's schema is the code's: each default, bound and pattern", () => {
  assert.deepEqual(SCHEMA, json("openclaw.plugin.json").configSchema);
});

test("id and version are the same everywhere", () => {
  const [manifest, plugin, module] = ["openclaw.plugin.json", "package.json", "report/package.json"].map(json);

  assert.deepEqual([ID, ID], [manifest.id, plugin.name]);
  assert.deepEqual([VERSION, VERSION, VERSION], [manifest.version, plugin.version, module.version]);
});

test("the plugin is loaded as the host loads one, at its start, and depends on nothing", () => {
  const plugin = json("package.json");

  assert.deepEqual(
    ["module", ["./index.js"], undefined],
    [plugin.type, plugin.openclaw.extensions, plugin.dependencies],
  );
  assert.equal(true, json("openclaw.plugin.json").activation.onStartup);
});

test("every default stands in the schema and passes it", () => {
  const faults = Object.entries(SCHEMA.properties).flatMap(([name, field]) => faultsOf(field.default, field, name));

  assert.deepEqual([], faults);
});

test("nothing said means every default", () => {
  for (const nothing of [undefined, null, {}]) {
    const { config } = readConfig(nothing, ENV);

    assert.deepEqual(
      config,
      {
        baseUrl: "http://127.0.0.1:8600",
        tokenEnv: "INTERPOSE_TOKEN",
        origin: "openclaw",
        evaluateTimeoutMs: 2000,
        installTimeoutMs: 5000,
        auditTimeoutMs: 5000,
        outboxFolder: join(homedir(), ".openclaw", "interpose", "outbox"),
        outboxMaxReports: 500,
        outboxMaxAgeMs: 3_600_000,
        evidence: [],
        token: "t0ken",
      },
    );
  }
});

test("the folder of reports stands in the profile's own state", () => {
  const folder = (outboxFolder, env) => readConfig({ outboxFolder }, { ...ENV, ...env }).config.outboxFolder;

  assert.equal("/state/interpose/outbox", folder("", { OPENCLAW_STATE_DIR: "/state" }));
  assert.equal(join(homedir(), ".other", "interpose", "outbox"), folder("", { OPENCLAW_STATE_DIR: "~/.other" }));
  assert.deepEqual(
    [join(homedir(), "x"), "/abs"],
    [folder("~/x", {}), folder("/abs", { OPENCLAW_STATE_DIR: "/state" })],
  );
});

test("an empty token, none, and one that no header may have are faults, and the token is not repeated", () => {
  for (const token of [undefined, "", "  \n"]) {
    const { faults } = readConfig({}, { INTERPOSE_TOKEN: token });

    assert.deepEqual(["the environment variable INTERPOSE_TOKEN holds no token"], faults);
  }
  for (const token of ["with space", "line\nbreak", "é"]) {
    const [fault] = readConfig({}, { INTERPOSE_TOKEN: token }).faults;

    assert.ok(!fault.includes(token));
  }
  assert.equal("other", readConfig({ tokenEnv: "MINE" }, { MINE: " other\n" }).config.token);
});

test("a rule of evidence says where it looks, or it looks at the result", () => {
  assert.deepEqual([{ ...MINIMAL, from: "result" }], readConfig({ evidence: [MINIMAL] }, ENV).config.evidence);
});

test("every fault is told at once, with its place", () => {
  const { faults } = readConfig(
    { baseUrl: "ftp://x", evaluateTimeoutMs: "2000", unknown: 1, evidence: [{ key: "k", path: "url.host" }] },
    ENV,
  );

  assert.deepEqual(
    faults,
    [
      `config.baseUrl does not match ${SCHEMA.properties.baseUrl.pattern}`,
      "config.evaluateTimeoutMs is no integer",
      "config.unknown is not known",
      "config.evidence[0].tool is missing",
      "config.evidence[0].path is no array",
    ],
  );
});

test("what no schema can say of a URL is a fault as well", () => {
  assert.deepEqual(["config.baseUrl is no URL"], readConfig({ baseUrl: "http://127.0.0.1:99999" }, ENV).faults);
});

test("a token that leaves this machine in the clear is exposed", () => {
  const exposed = ["http://gateway:8600", "http://127.0.0.1.example.com", "http://10.0.0.1"];
  const hidden = ["http://127.0.0.1:8600", "http://localhost", "http://[::1]:8600", "https://gateway"];

  assert.deepEqual([true, true, true, false, false, false, false], [...exposed, ...hidden].map(isExposed));
});

/** What the OpenCode plugin is told, by the file beside it and the environment; whatever is wrong blocks every call. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, mock, test } from "node:test";

import { folderWith, Host } from "../programs/opencode_host.mjs";
import { StandIn, TOKEN } from "../programs/stand_in.mjs";

const PATH = "/v1/agents/opencode/shim";
const RESULT = { title: "t", output: "abc123", metadata: {} };
const VARIABLES = ["INTERPOSE_GATEWAY_URL", "INTERPOSE_TOKEN", "INTERPOSE_TOKEN_FILE", "INTERPOSE_TIMEOUT_MS"];

let gateway, folders, log;
beforeEach(async () => {
  [gateway, folders] = [await StandIn.open(), []];
  gateway.on(PATH, () => ({ body: { stdout: "{}", stderr: "", exit_code: 0 } }));
  log = mock.method(console, "error", () => {});
  for (const name of VARIABLES) delete process.env[name];
});
afterEach(async () => {
  for (const name of VARIABLES) delete process.env[name];
  mock.restoreAll();
  await gateway.close();
  for (const { remove } of folders) await remove();
});

async function load(configuration, environment = {}) {
  Object.assign(process.env, environment);
  const place = await folderWith(configuration);
  folders.push(place);
  return Host.open(place.folder);
}

async function tokenFile(text = `${TOKEN}\n`) {
  const place = await folderWith();
  folders.push(place);
  await writeFile(join(place.folder, "token"), text);
  return join(place.folder, "token");
}

const call = (host) => host.call("bash", { command: "ls" }, () => ({ ...RESULT }));
const shouted = () => log.mock.calls.map(({ arguments: [line] }) => line);
const seen = () => gateway.to(PATH).map(({ headers }) => headers.authorization);

test("there is one export, because OpenCode calls every one as a plugin", async () => {
  const place = await folderWith({ url: gateway.url });
  folders.push(place);

  assert.deepEqual(["Interpose"], Object.keys(await import(join(place.folder, "interpose.js"))));
});

test("the file says all of it", async () => {
  const host = await load({ url: `${gateway.url}/`, tokenFile: await tokenFile(), timeoutMs: 14_000 });

  assert.deepEqual([{ result: RESULT }, []], [await call(host), shouted()]);
  assert.deepEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`], seen());
});

test("the environment says all of it, with the token or with its file", async () => {
  const url = { INTERPOSE_GATEWAY_URL: gateway.url, INTERPOSE_TIMEOUT_MS: "100" };
  await call(await load(undefined, { ...url, INTERPOSE_TOKEN: TOKEN }));
  delete process.env.INTERPOSE_TOKEN;
  await call(await load(undefined, { ...url, INTERPOSE_TOKEN_FILE: await tokenFile() }));

  assert.deepEqual([4, []], [seen().filter((header) => header === `Bearer ${TOKEN}`).length, shouted()]);
});

test("the file is heard before the environment", async () => {
  const environment = { INTERPOSE_GATEWAY_URL: "http://127.0.0.1:1", INTERPOSE_TOKEN: "other" };
  const host = await load({ url: gateway.url, tokenFile: await tokenFile() }, environment);

  assert.deepEqual({ result: RESULT }, await call(host));
});

const WRONG = {
  "no token": [{}, {}, /there is no token: interpose agents install opencode, or set INTERPOSE_TOKEN/],
  "an empty token": [{}, { INTERPOSE_TOKEN: " \n" }, /there is no token/],
  "a token that no header may have": [{}, { INTERPOSE_TOKEN: "se cret" }, /the token cannot stand in a header/],
  "a file that is not there": [{ tokenFile: "/no/such" }, { INTERPOSE_TOKEN: TOKEN }, /token's file cannot be read/],
  "a file that is nowhere": [{ tokenFile: "token" }, {}, /tokenFile is no absolute path/],
  "a file that is no text": [{ tokenFile: 1 }, {}, /token's file cannot be read/],
  "an empty file of that name": [{ tokenFile: "" }, { INTERPOSE_TOKEN: TOKEN }, /tokenFile is no absolute path/],
  "another scheme": [{ url: "ftp://x" }, { INTERPOSE_TOKEN: TOKEN }, /url is none: write http:\/\/HOST:PORT/],
  "a password in the url": [{ url: "http://u:secret@x" }, { INTERPOSE_TOKEN: TOKEN }, /url is none/],
  "a port that is none": [{ url: "http://127.0.0.1:99999" }, { INTERPOSE_TOKEN: TOKEN }, /url is none/],
  "an empty url": [{}, { INTERPOSE_TOKEN: TOKEN, INTERPOSE_GATEWAY_URL: "" }, /url is none/],
  "too short a time": [{ timeoutMs: 99 }, { INTERPOSE_TOKEN: TOKEN }, /timeoutMs is no number from 100 to 14000/],
  "too long a time": [{ timeoutMs: 14_001 }, { INTERPOSE_TOKEN: TOKEN }, /timeoutMs is no number/],
  "a time that is a text": [{ timeoutMs: "5000" }, { INTERPOSE_TOKEN: TOKEN }, /timeoutMs is no number/],
  "a time of the environment that is none": [{}, { INTERPOSE_TOKEN: TOKEN, INTERPOSE_TIMEOUT_MS: "" }, /timeoutMs/],
  "an unknown field": [{ token: "secret" }, { INTERPOSE_TOKEN: TOKEN }, /interpose.json has an unknown field "token"/],
  "no JSON": ['{"url": "secret', { INTERPOSE_TOKEN: TOKEN }, /interpose.json beside the plugin is no JSON object/],
  "no object": ["[]", { INTERPOSE_TOKEN: TOKEN }, /is no JSON object/],
  "an empty file": ["", { INTERPOSE_TOKEN: TOKEN }, /is no JSON object/],
};

for (const [name, [configuration, environment, why]] of Object.entries(WRONG)) {
  test(`every call is blocked and every response withheld, loudly: ${name}`, async () => {
    const host = await load(configuration, environment);
    const { error } = await call(host);
    const output = { ...RESULT };
    await host.trigger("tool.execute.after", { tool: "bash", args: {} }, output);
    const [line] = shouted();

    assert.match(error, /^Interpose could not judge this call, so it does not run: its plugin is not configured \(/);
    assert.match(error, why);
    assert.match(line, /^interpose: EVERY TOOL CALL IS BLOCKED: /);
    assert.match(line, why);
    assert.match(output.output, /^\[withheld by Interpose: its plugin is not configured/);
    assert.deepEqual([[], false], [host.ran, /secret|se cret/.test(error + line)]);
  });
}

test("every fault is told at once", async () => {
  await load({ url: "x", timeoutMs: 1, colour: 1 });

  assert.deepEqual(4, shouted()[0].split("; ").length);
});

test("a token that leaves this machine in the clear is told, and its text is not", async () => {
  await load({ url: "http://10.0.0.1:8600" }, { INTERPOSE_TOKEN: TOKEN });

  assert.deepEqual(["interpose: http://10.0.0.1:8600 is told the token in clear: use https"], shouted());
});

test("what stays on this machine, and what is not in the clear, is not told", async () => {
  for (const url of ["http://localhost", "http://[::1]:8600", "http://127.1.2.3:8600/x", "https://gateway"]) {
    await load({ url }, { INTERPOSE_TOKEN: TOKEN });
  }
  await load({ url: "http://127.0.0.1.example.com" }, { INTERPOSE_TOKEN: TOKEN });

  assert.deepEqual(["interpose: http://127.0.0.1.example.com is told the token in clear: use https"], shouted());
});

test("a host that says nothing of where it is gets its hooks all the same", async () => {
  const [hooks] = (await load({ url: gateway.url }, { INTERPOSE_TOKEN: TOKEN })).hooks;
  const place = folders.at(-1).folder;
  const { Interpose } = await import(join(place, "interpose.js"));

  assert.deepEqual(Object.keys(hooks), Object.keys(await Interpose()));
});

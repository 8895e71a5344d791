/** The OpenCode plugin, driven through its hooks as OpenCode does it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, test } from "node:test";

import { folderWith, Host } from "../programs/opencode_host.mjs";
import { StandIn, TOKEN } from "../programs/stand_in.mjs";

const PATH = "/v1/agents/opencode/shim";
const FIXTURES = new URL("../../fixtures/platforms/opencode/", import.meta.url);
const NONSENSE = /makes no sense: is something else at its address, or another version\?$/;
const BASH = { title: "cat .env", output: "API_KEY=abc123\n", metadata: { output: "API_KEY=abc123\n", exit: 7 } };

let gateway, place, host, closing;
beforeEach(async () => {
  [gateway, closing] = [await StandIn.open(), []];
  gateway.on(PATH, allowing);
  process.env.INTERPOSE_TOKEN = TOKEN;
  await load();
});
afterEach(async () => {
  delete process.env.INTERPOSE_TOKEN;
  await gateway.close();
  for (const { remove } of closing) await remove();
});

async function load({ others, ...configuration } = {}) {
  place = await folderWith({ url: gateway.url, ...configuration });
  closing.push(place);
  host = await Host.open(place.folder, others);
}

const said = (answer) => () => ({ body: { stdout: JSON.stringify(answer), stderr: "", exit_code: 0 } });
const allowing = said({});
const fixture = async (name) => JSON.parse(await readFile(new URL(`${name}.json`, FIXTURES)));
const call = (args = { command: "ls" }, result = structuredClone(BASH)) => host.call("bash", args, () => result);
/** Answers by what is asked: before, after. */
const per = (before, after) => (request) => (request.body.hook.endsWith("before") ? before : after)(request);

for (const name of ["pre_bash", "pre_edit", "pre_mcp", "pre_todowrite", "post_bash", "post_mcp"]) {
  test(`the event is the one that the gateway reads: ${name}`, async () => {
    const event = await fixture(name);
    await host.trigger(event.hook, event.input, structuredClone(event.output));
    const [{ body, headers, method }] = gateway.to(PATH);

    assert.deepEqual([event, "POST", `Bearer ${TOKEN}`], [body, method, headers.authorization]);
  });
}

test("an allowed call runs as it is, and its response is delivered as it came", async () => {
  const args = { command: "ls", timeout: undefined };
  const told = await call(args);

  assert.deepEqual([{ result: BASH }, [{ command: "ls", timeout: undefined }]], [told, host.ran]);
  assert.equal(args, host.ran[0]);
});

test("a no is an exception in the gateway's words, and nothing runs", async () => {
  gateway.on(PATH, said({ throw: "no push without a review" }));

  assert.deepEqual([{ error: "no push without a review" }, []], [await call(), host.ran]);
});

test("a rewrite is made in the very object that OpenCode holds: set, added, and keys that are gone", async () => {
  const args = { command: "rm -rf x", timeout: 5, nested: { a: 1 } };
  gateway.on(PATH, per(said({ args: { command: "ls", nested: { b: [2] }, workdir: "/" } }), allowing));
  await call(args);

  assert.equal(args, host.ran[0]);
  assert.deepEqual({ command: "ls", nested: { b: [2] }, workdir: "/" }, args);
});

test("a rewrite may leave no arguments at all, and a key may be called __proto__", async () => {
  const [none, odd] = [{ a: 1 }, JSON.parse('{"__proto__": {"x": 1}}')];
  gateway.on(PATH, [said({ args: {} }), allowing, allowing, allowing].map((answer) => (request) => answer(request)));
  await call(none);
  await call(odd);

  assert.deepEqual([{}, '{"__proto__":{"x":1}}'], [none, JSON.stringify(odd)]);
  assert.equal('{"x":1}', JSON.stringify(gateway.to(PATH).at(-2).body.output.args.__proto__));
});

for (const tool of ["list_mcp_resources", "read_mcp_resource"]) {
  test(`a rewrite that OpenCode would not see does not run: ${tool}`, async () => {
    gateway.on(PATH, said({ args: { server: "other" } }));
    const told = await host.call(tool, { server: "one" }, () => BASH);

    assert.match(told.error, /a rule changes what was read already$/);
    assert.deepEqual([], host.ran);
  });
}

test("arguments that change while they are judged do not run", async () => {
  const args = { command: "ls", deep: { list: [1] } };
  for (const change of [() => (args.command = "rm"), () => args.deep.list.push(2), () => delete args.deep]) {
    gateway.on(PATH, () => (change(), allowing()));
    const { error } = await call(args);

    assert.match(error, /another plugin changed its arguments while they were judged: try the call again$/);
  }
  assert.deepEqual([], host.ran);
});

test("arguments that are exchanged while they are judged do not run", async () => {
  const output = { args: { command: "ls" } };
  gateway.on(PATH, () => ((output.args = { command: "ls" }), allowing()));
  const ids = { tool: "bash", sessionID: "s", callID: "c" };

  await assert.rejects(host.trigger("tool.execute.before", ids, output), /changed its arguments/);
});

test("what was judged cannot be changed by a plugin that comes later, at any depth", async () => {
  const changes = [(args) => (args.command = "rm"), (args) => args.deep.list.push(2), (args) => (args.more = 1)];
  for (const change of changes) {
    await load({ others: [{ "tool.execute.before": async (_, { args }) => void change(args) }] });
    const { error } = await call({ command: "ls", deep: { list: [1] } });

    assert.match(error, /read only|not extensible/);
    assert.deepEqual([], host.ran);
  }
});

test("a rewrite holds against a plugin that comes later, and one that kept a part of the arguments", async () => {
  const nested = { list: [1] };
  await load({ others: [{ "tool.execute.before": async (_, output) => void (output.args = { command: "rm" }) }] });
  gateway.on(PATH, per(said({ args: { command: "ls", nested: { list: [1] } } }), allowing));
  await call({ command: "cat", nested });
  nested.list.push(2);

  assert.deepEqual([{ command: "ls", nested: { list: [1] } }], host.ran);
});

test("a call that is judged twice, by a second plugin folder, still runs", async () => {
  const [second] = (await Host.open(place.folder)).hooks;
  await load({ others: [second] });

  assert.deepEqual({ result: BASH }, await call({ command: "ls", deep: { list: [1] } }));
});

test("a rewrite of arguments that another plugin froze does not run", async () => {
  gateway.on(PATH, said({ args: { command: "ls" } }));
  const { error } = await call(Object.freeze({ command: "rm" }));

  assert.match(error, /cannot be changed in place: look which other plugin holds it$/);
});

const cycle = {};
cycle.self = [cycle];
class Classed {
  command = "ls";
}
let deep = 1;
for (let depth = 0; depth < 100; depth += 1) deep = [deep];
const UNTELLABLE = {
  "a getter": { get command() { return "ls"; } },
  "a proxy": { deep: new Proxy({}, {}) },
  "a proxy instead": new Proxy({ command: "ls" }, {}),
  "a cycle": cycle,
  "a function": { command: () => "ls" },
  "a BigInt": { n: 1n },
  "NaN": { n: NaN },
  "a Date": { at: new Date(0) },
  "a Map": { map: new Map([[1, 2]]) },
  "an object that says itself what it is": { toJSON: () => ({}) },
  "a class": new Classed(),
  "a symbol as key": { [Symbol("x")]: 1 },
  "a hidden key": Object.defineProperty({}, "command", { value: "rm", enumerable: false }),
  "a list with holes": { list: [1, , 2] },
  "a list with nothing in a place": { list: [undefined] },
  "a list that holds more": { list: Object.assign([1], { more: 2 }) },
  "too much depth": { deep },
  "too many values": { list: new Array(100_001).fill(0) },
  "too many bytes": { content: "é".repeat(3 * 1024 * 1024) },
  "no object": "ls",
  "a list": ["ls"],
  "nothing": undefined,
};

for (const [name, args] of Object.entries(UNTELLABLE)) {
  test(`arguments that cannot be told whole do not run and are not sent: ${name}`, async () => {
    const { error } = await host.call("bash", args, () => BASH);

    assert.match(error, /^Interpose could not judge this call, so it does not run: /);
    assert.deepEqual([[], []], [host.ran, gateway.to(PATH)]);
  });
}

const stdout = (text) => () => ({ body: { stdout: text, stderr: "", exit_code: 0 } });
const GARBAGE = {
  "an empty object": () => ({ body: {} }),
  "no JSON": () => ({ raw: "<html>" }),
  "no text": () => ({ raw: Buffer.from('{"stdout":"{}","stderr":"\xff","exit_code":0}', "latin1") }),
  "half an answer": () => ({ raw: '{"stdout": "{}", "exit_code": 0' }),
  "an exit code": () => ({ body: { stdout: "{}", stderr: "no", exit_code: 2 } }),
  "an answer that is no text": () => ({ body: { stdout: {}, stderr: "", exit_code: 0 } }),
  "silence": stdout(""),
  "a list": stdout("[]"),
  "null": stdout("null"),
  "two words": stdout('{"args": {}, "output": {}}'),
  "an unknown word": stdout('{"allow": true}'),
  "arguments that are no object": stdout('{"args": []}'),
  "a no that is no text": stdout('{"throw": true}'),
  "204": () => ({ status: 204, raw: "" }),
  "201": () => ({ status: 201, body: allowing().body }),
  "307": () => ({ status: 307, headers: { location: "/elsewhere" }, body: allowing().body }),
  "401": () => ({ status: 401, body: { error: "unauthorized", message: "this token opens nothing" } }),
  "500": () => ({ status: 500, raw: "boom" }),
  "a connection that breaks": () => ({ raw: null }),
  "an endless answer": () => ({ raw: JSON.stringify(allowing().body) + " ".repeat(9 * 1024 * 1024) }),
};

for (const [name, how] of Object.entries(GARBAGE)) {
  test(`an answer that is none does not run the call, and withholds the response: ${name}`, async () => {
    gateway.on(PATH, how);
    const { error } = await call();
    gateway.on(PATH, per(allowing, how));
    const { result } = await call();

    assert.match(error, /^Interpose could not judge this call, so it does not run: .*(gateway|connection)/);
    assert.match(result.output, /^\[withheld by Interpose: .*(gateway|connection)/);
    assert.ok(!JSON.stringify([error, result]).includes("abc123"));
    assert.equal(1, host.ran.length);
  });
}

test("an answer of the other moment is none", async () => {
  gateway.on(PATH, said({ output: {} }));
  const { error } = await call();
  gateway.on(PATH, per(allowing, said({ args: {} })));
  const { result } = await call();

  assert.match(error, NONSENSE);
  assert.match(result.output, /makes no sense/);
});

test("a redirect leads nowhere, and the gateway's reason and a remedy are told", async () => {
  gateway.on(PATH, GARBAGE["307"]);
  const away = await call();
  gateway.on(PATH, GARBAGE["401"]);
  const closed = await call();

  assert.deepEqual([0, true], [gateway.to("/elsewhere").length, away.error.endsWith(`${gateway.url} answered 307`)]);
  assert.match(
    closed.error,
    /answered 401: unauthorized: this token opens nothing: interpose agents install opencode gives a token$/,
  );
});

test("silence ends with the time, before and after", async () => {
  await load({ timeoutMs: 100 });
  gateway.on(PATH, () => ({ silent: true }));
  const { error } = await call();
  gateway.on(PATH, per(allowing, () => ({ silent: true })));
  const { result } = await call();

  assert.match(error, /did not answer within 100 ms: look with interpose status$/);
  assert.match(result.output, /did not answer within 100 ms: look with interpose status]$/);
});

test("where nobody is, nothing runs, and what to do is told", async () => {
  const gone = await StandIn.open();
  const { url } = gone;
  await gone.close();
  await load({ url });
  const { error } = await call();

  assert.equal(
    "Interpose could not judge this call, so it does not run: no connection to the gateway at " +
      `${url} (ECONNREFUSED): is it running? look with interpose status`,
    error,
  );
});

test("a response that is replaced is replaced in the very object that OpenCode holds", async () => {
  const result = structuredClone(BASH);
  const clean = { title: "cat .env", output: "API_KEY=***\n", metadata: { exit: 7 } };
  gateway.on(PATH, per(allowing, said({ output: clean })));
  const told = await call({ command: "cat .env" }, result);

  assert.equal(result, told.result);
  assert.deepEqual(clean, result);
});

test("a replacement of another form is put where the model reads, and nothing of the original stays", async () => {
  const mcp = { content: [{ type: "text", text: "abc123" }], structuredContent: { key: "abc123" }, isError: true };
  const files = { ...BASH, attachments: [{ type: "file", url: "data:,abc123" }] };
  for (const [output, text] of [["clean", "clean"], [{ a: [1] }, '{"a":[1]}'], [null, "null"], [7, "7"]]) {
    gateway.on(PATH, per(allowing, said({ output })));
    const [one, other] = [await call({}, structuredClone(mcp)), await call({}, structuredClone(files))];

    assert.deepEqual([{ type: "text", text }], one.result.content);
    assert.deepEqual([text, []], [other.result.output, other.result.attachments]);
    assert.ok(!JSON.stringify([one, other]).includes("abc123"));
  }
});

test("what the gateway withholds, and what nobody could judge, is emptied in its own form", async () => {
  const mcp = { content: [{ type: "image", data: "abc123" }, { type: "text", text: "abc123" }], _meta: { n: 1.5 } };
  gateway.on(PATH, per(allowing, said({ throw: "a secret" })));
  const [one, other] = [await call({}, structuredClone(mcp)), await call()];
  const notice = "[withheld by Interpose: a secret]";

  assert.deepEqual({ content: [{ type: "text", text: notice }], _meta: { n: 0 } }, one.result);
  assert.deepEqual({ title: notice, output: notice, metadata: { output: notice, exit: 0 } }, other.result);
});

test("a response that changes while it is judged is withheld", async () => {
  const result = structuredClone(BASH);
  gateway.on(PATH, per(allowing, () => ((result.output = "worse"), allowing())));

  assert.match((await call({}, result)).result.output, /another plugin changed it while it was judged]$/);
});

const UNJUDGEABLE = {
  "a getter": () => ({ ...BASH, metadata: { get output() { return "abc123"; } } }),
  "a proxy": () => ({ ...BASH, metadata: new Proxy({ output: "abc123" }, {}) }),
  "a cycle": () => ({ ...BASH, metadata: cycle }),
  "too many values": () => ({ ...BASH, metadata: { list: new Array(200_000).fill("abc123") } }),
  "a BigInt": () => ({ ...BASH, metadata: { n: 1n } }),
  "too many bytes": () => ({ ...BASH, output: "abc123".repeat(1024 * 1024) }),
  "an object that says itself what it is": () => ({ ...BASH, metadata: { toJSON: () => "abc123" } }),
};

for (const [name, make] of Object.entries(UNJUDGEABLE)) {
  test(`a response that cannot be told is withheld: ${name}`, async () => {
    const { result } = await call({}, make());

    assert.match(result.output, /^\[withheld by Interpose: it /);
    assert.ok(!JSON.stringify(result).includes("abc123"));
  });
}

test("what tools put beside a response costs nothing where JSON would leave it out", async () => {
  const metadata = { at: new Date(0), of: new Classed(), done() {}, n: NaN, missing: undefined };
  const { result } = await call({}, { ...BASH, metadata });
  const [, { body }] = gateway.to(PATH);

  assert.equal(metadata, result.metadata);
  assert.deepEqual({ at: {}, of: { command: "ls" }, n: null }, body.output.metadata);
});

for (const [name, result] of [["a text", "abc123"], ["nothing", null], ["frozen", Object.freeze({ ...BASH })]]) {
  test(`a response that cannot be emptied reaches nobody: ${name}`, async () => {
    gateway.on(PATH, per(allowing, said({ throw: "a secret" })));
    const told = await call({}, result);

    assert.deepEqual(["error"], Object.keys(told));
  });
}

test("a task that failed gave nothing back to judge, and OpenCode tells the failure itself", async () => {
  const input = { tool: "task", sessionID: "s", callID: "c", args: {} };

  assert.equal(undefined, await host.trigger("tool.execute.after", input, undefined));
  assert.deepEqual([], gateway.to(PATH));
});

test("the token is in no message, whatever the gateway or another plugin says", async () => {
  gateway.on(PATH, said({ throw: `see ${TOKEN}` }));
  const one = await call();
  const output = { get args() { throw new Error(TOKEN); } };
  const other = await host.trigger("tool.execute.before", { tool: "bash" }, output).catch((error) => error);

  assert.deepEqual({ error: "see [token]" }, one);
  assert.equal("Interpose could not judge this call, so it does not run: its plugin for OpenCode broke", other.message);
  assert.equal(undefined, other.cause);
});

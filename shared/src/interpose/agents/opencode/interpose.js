/**
 * Interpose for OpenCode: every tool call is judged by the gateway before it runs, every response before it is read.
 *
 * One file without dependencies and without a build step: copied into OpenCode's plugin folder, with its configuration
 * beside it (`interpose.json`). OpenCode calls whatever this file exports as a plugin, so there is one export.
 *
 * Everything that goes wrong before a call is an exception, which is the only no that OpenCode knows; everything that
 * goes wrong after it empties the response. Nothing that others throw is repeated in a message: it may hold the token.
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isDeepStrictEqual, types } from "node:util";

const PATH = "/v1/agents/opencode/shim";
const [BEFORE, AFTER] = ["tool.execute.before", "tool.execute.after"];
const URL_FORM = /^https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(\/[A-Za-z0-9._~/-]*)?$/;
const EXPOSED = /^http:\/\/(?!(localhost|\[::1\]|127(\.[0-9]+){3})(:|\/|$))/;
/** Visible ASCII: anything else cannot stand in a header. */
const TOKEN_FORM = /^[\x21-\x7e]{1,4096}$/;
/** OpenCode itself waits for ever, so this is the only end that a call has. */
const [SHORTEST_MS, LONGEST_MS] = [100, 14_000];
/** The gateway reads no larger event. */
const MOST_EVENT_BYTES = 5.5 * 1024 * 1024;
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;
const MOST_VALUES = 100_000;
const MOST_DEPTH = 60;
/** OpenCode reads the arguments of these before it asks its plugins: it would not see a rewrite. */
const READ_BEFORE = ["list_mcp_resources", "read_mcp_resource"];
const NO_JSON = "it holds something that is no JSON";
const NONSENSE = "the gateway's answer makes no sense: is something else at its address, or another version?";

/** A no whose message says why and what to do, and repeats nothing of anybody else's exceptions. */
class Judgement extends Error {}
/** Nobody could judge. */
class Unjudged extends Judgement {}
/** The gateway's no, in its words. */
class Refused extends Judgement {}

export const Interpose = async (context) => {
  const { config, faults } = readConfig(process.env);
  if (faults) console.error(`interpose: EVERY TOOL CALL IS BLOCKED: ${faults.join("; ")}`);
  else if (EXPOSED.test(config.url)) console.error(`interpose: ${config.url} is told the token in clear: use https`);
  const judge = async (hook, { tool, sessionID, callID }, args, output) => {
    if (faults) throw new Unjudged(`its plugin is not configured (${faults.join("; ")})`);
    const place = { directory: context?.directory, worktree: context?.worktree };
    return ask(config, { hook, ...place, input: { tool, sessionID, callID, args }, output });
  };
  const words = (error) => {
    const why = error instanceof Judgement && error.message !== "" ? error.message : "its plugin for OpenCode broke";
    return why.replaceAll(config?.token ?? "\0", "[token]");
  };
  return {
    [BEFORE]: async (input, output) => {
      try {
        await holdCall(judge, input, output);
      } catch (error) {
        const is = error instanceof Refused ? "" : "Interpose could not judge this call, so it does not run: ";
        throw new Error(is + words(error)); // nobody else's stack and cause: this is shown to the model
      }
    },
    [AFTER]: async (input, output) => {
      if (output === undefined) return; // a task that failed gave nothing back, and OpenCode tells its end all the same
      try {
        await holdResponse(judge, input, output);
      } catch (error) {
        become(output, withheld(output, `[withheld by Interpose: ${words(error)}]`)); // throws: then nobody reads it
      }
    },
  };
};

/** What was judged is what runs: nobody can change the arguments any more once the gateway has seen them. */
async function holdCall(judge, input, output) {
  const args = output.args;
  const judged = plain(args);
  if (!isObject(judged)) throw new Unjudged("its arguments are no object");
  const answer = await judge(BEFORE, input, undefined, { args: judged });
  if (output.args !== args || !isDeepStrictEqual(plain(args), judged)) {
    throw new Unjudged("another plugin changed its arguments while they were judged: try the call again");
  }
  if (answer.args && READ_BEFORE.includes(input.tool)) throw new Unjudged("a rule changes what was read already");
  if (isObject(answer.args)) become(args, answer.args, plain);
  else if (Object.keys(answer).length > 0) throw new Unjudged(NONSENSE);
  freeze(args);
}

/** Delivered as it came, or as the gateway says. */
async function holdResponse(judge, input, output) {
  const judged = told(output);
  if (!isObject(judged)) throw new Unjudged("the response has a form that nobody knows");
  const answer = await judge(AFTER, input, plain(input.args), judged);
  if (!isDeepStrictEqual(told(output), judged)) throw new Unjudged("another plugin changed it while it was judged");
  if (Object.hasOwn(answer, "output")) become(output, formed(judged, answer.output));
  else if (Object.keys(answer).length > 0) throw new Unjudged(NONSENSE);
}

/** Change an object in place into what is wanted: OpenCode holds this very object and sees no other. */
function become(target, wanted, read = told) {
  try {
    for (const name of Reflect.ownKeys(target)) if (!Object.hasOwn(wanted, name)) delete target[name];
    for (const [name, value] of Object.entries(wanted)) {
      Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
    }
    if (isDeepStrictEqual(read(target), wanted)) return;
  } catch {
    // told below, without words of others
  }
  throw new Unjudged("it cannot be changed in place: look which other plugin holds it");
}

function freeze(value) {
  if (value === null || typeof value !== "object") return;
  Object.values(value).forEach(freeze);
  Object.freeze(value);
}

/** A response in the form that OpenCode reads: a hook may have made anything of it. */
function formed(original, value) {
  const isMcp = Array.isArray(original.content);
  const isFit = isMcp ? Array.isArray(value?.content) : typeof value?.output === typeof original.output;
  if (isObject(value) && isFit) return value;
  return withheld(original, typeof value === "string" ? value : JSON.stringify(value));
}

/** The same form with nothing in it but a notice where the model reads. Works on whatever it is given. */
function withheld(original, notice) {
  const form = emptied(original, notice, { left: MOST_VALUES });
  if (!isObject(form)) return {};
  if (Array.isArray(form.content)) return { ...form, content: [{ type: "text", text: notice }] };
  return { ...form, output: notice, ...(Object.hasOwn(form, "attachments") ? { attachments: [] } : {}) };
}

function emptied(value, notice, state, depth = 0) {
  if (typeof value === "string") return notice;
  if (typeof value === "number") return 0;
  if (typeof value === "boolean") return false;
  if (value === null || typeof value !== "object" || types.isProxy(value)) return null;
  const fields = fieldsOf(value);
  state.left -= fields.length;
  const isShown = depth < MOST_DEPTH && state.left > 0;
  const parts = isShown ? fields.map(([name, part]) => [name, emptied(part, notice, state, depth + 1)]) : [];
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

/** What is there, without calling anybody's getter. */
function fieldsOf(value) {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value));
  return fields.filter(([, { enumerable }]) => enumerable).map(([name, field]) => [name, field.value]);
}

/** A copy of arguments that are JSON and nothing else. Throws Unjudged: what cannot be told whole is not judged. */
function plain(value, state = { left: MOST_VALUES, isLoose: false }, depth = 0) {
  state.left -= 1;
  if (state.left < 0 || depth > MOST_DEPTH) throw new Unjudged("it is too deep or has too many values");
  if (value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value)) return value;
  if (typeof value === "number" && state.isLoose) return null;
  if (typeof value !== "object" || types.isProxy(value)) throw new Unjudged(NO_JSON);
  const parts = partsOf(value, state.isLoose).map(([name, part]) => [name, plain(part, state, depth + 1)]);
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

/** A response as JSON would show it: tools put objects of their own classes beside what the model reads. */
function told(value) {
  return plain(value, { left: MOST_VALUES, isLoose: true });
}

/** The parts that JSON shows. A key with nothing in it is no part; anything that could hide another value throws. */
function partsOf(value, isLoose) {
  const isList = Array.isArray(value);
  const { length, ...named } = Object.getOwnPropertyDescriptors(value);
  const fields = Object.entries(isList ? named : { ...named, ...(length && { length }) });
  const shape = Object.getPrototypeOf(value);
  const isClassed = !isList && shape !== null && Object.getPrototypeOf(shape) !== null;
  const isOdd = isClassed || Object.getOwnPropertySymbols(value).length > 0;
  const isShown = (part) => part !== undefined && !(isLoose && ["function", "symbol"].includes(typeof part));
  const shown = fields.filter(([, field]) => isShown(field.value)).map(([name, field]) => [name, field.value]);
  const isHiding = fields.some(([, field]) => !("value" in field) || !field.enumerable);
  const isOwnTeller = typeof value.toJSON === "function" && !types.isDate(value);
  const isTorn = isList && shown.length !== value.length;
  if (isHiding || isOwnTeller || isTorn || (isOdd && !isLoose)) throw new Unjudged(NO_JSON);
  return shown;
}

function isText(value) {
  return typeof value === "string" && value !== "";
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What the gateway wants done about an event, told within the time. Throws Unjudged and Refused. */
async function ask(config, event) {
  const body = JSON.stringify(event);
  if (Buffer.byteLength(body) > MOST_EVENT_BYTES) throw new Unjudged(`it is larger than ${MOST_EVENT_BYTES} bytes`);
  const ends = new AbortController();
  let timer;
  const late = new Promise((_, reject) => {
    const why = `the gateway at ${config.url} did not answer within ${config.timeoutMs} ms: look with interpose status`;
    timer = setTimeout(() => reject(new Unjudged(why)), config.timeoutMs);
  });
  try {
    return await Promise.race([exchange(config, body, ends.signal), late]);
  } finally {
    clearTimeout(timer);
    ends.abort();
  }
}

async function exchange({ url, token }, body, signal) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  try {
    const response = await fetch(url + PATH, { method: "POST", headers, body, signal, redirect: "manual" });
    return answerOf(response, await read(response), url);
  } catch (error) {
    if (error instanceof Judgement) throw error;
    const code = [error?.cause?.code, error?.code, error?.name].find((word) => /^\w{1,64}$/.test(word)) ?? "unknown";
    throw new Unjudged(`no connection to the gateway at ${url} (${code}): is it running? look with interpose status`);
  }
}

async function read(response) {
  const [decoder, reader] = [new TextDecoder("utf-8", { fatal: true }), response.body?.getReader()];
  let [text, total] = ["", 0];
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
    total += part.value.length;
    if (total > MOST_ANSWER_BYTES) throw new Unjudged(`the gateway's answer is larger than ${MOST_ANSWER_BYTES} bytes`);
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** What the gateway wants done: it answers as `interpose hook` is answered. Throws Unjudged and Refused. */
function answerOf({ status }, text, url) {
  const body = objectOf(text);
  if (status !== 200) {
    const said = [`the gateway at ${url} answered ${status}`, body?.error, body?.message].filter(isText).join(": ");
    throw new Unjudged(said + ([401, 403].includes(status) ? ": interpose agents install opencode gives a token" : ""));
  }
  const answer = body?.exit_code === 0 && typeof body.stdout === "string" ? objectOf(body.stdout) : undefined;
  if (answer === undefined || Object.keys(answer).length > 1) throw new Unjudged(NONSENSE);
  if (typeof answer.throw === "string") throw new Refused(answer.throw);
  return answer;
}

function objectOf(text) {
  try {
    return [JSON.parse(text)].find(isObject);
  } catch {
    return undefined; // whoever reads it finds no answer in it
  }
}

/** From the file beside this one, else the environment. Every fault at once, none with the token in it. */
function readConfig(env) {
  try {
    const given = readGiven();
    const url = String(given.url ?? env.INTERPOSE_GATEWAY_URL ?? "http://127.0.0.1:8600").replace(/\/+$/, "");
    const timeoutMs = given.timeoutMs ?? Number(env.INTERPOSE_TIMEOUT_MS ?? 5000);
    const unknown = Object.keys(given).filter((name) => !["url", "tokenFile", "timeoutMs"].includes(name));
    const faults = unknown.map((name) => `interpose.json has an unknown field ${JSON.stringify(name.slice(0, 64))}`);
    if (!URL_FORM.test(url) || !URL.canParse(url)) faults.push("the gateway's url is none: write http://HOST:PORT");
    if (!Number.isInteger(timeoutMs) || timeoutMs < SHORTEST_MS || timeoutMs > LONGEST_MS) {
      faults.push(`timeoutMs is no number from ${SHORTEST_MS} to ${LONGEST_MS}`);
    }
    const token = readToken(given, env, faults);
    return faults.length > 0 ? { faults } : { config: { url, timeoutMs, token } };
  } catch (error) {
    return { faults: [error instanceof Unjudged ? error.message : "interpose.json beside the plugin cannot be read"] };
  }
}

function readGiven() {
  const file = new URL("./interpose.json", import.meta.url);
  const given = existsSync(file) ? objectOf(readFileSync(file, "utf8")) : {};
  if (given === undefined) throw new Unjudged("interpose.json beside the plugin is no JSON object");
  return given;
}

function readToken(given, env, faults) {
  const file = given.tokenFile ?? (env.INTERPOSE_TOKEN ? undefined : env.INTERPOSE_TOKEN_FILE);
  const told = file === undefined ? (env.INTERPOSE_TOKEN ?? "") : textOf(file, faults);
  const token = told?.trim();
  if (token === "") faults.push("there is no token: interpose agents install opencode, or set INTERPOSE_TOKEN");
  else if (token !== undefined && !TOKEN_FORM.test(token)) faults.push("the token cannot stand in a header");
  return token;
}

function textOf(file, faults) {
  try {
    const path = file.startsWith("~/") ? join(homedir(), file.slice(2)) : file;
    if (isAbsolute(path)) return readFileSync(path, "utf8");
    faults.push("tokenFile is no absolute path");
  } catch {
    faults.push("the token's file cannot be read: interpose agents install opencode writes it");
  }
  return undefined;
}

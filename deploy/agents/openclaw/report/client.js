/**
 * One request to the gateway: JSON there, JSON back, under a deadline that covers all of it.
 *
 * Plain `node:http`, because `fetch` follows redirects, adds headers of a browser and heeds proxies: whoever judges is
 * who the configuration names. Each request has a connection of its own, so that none meets one that was just closed.
 */
import http from "node:http";
import https from "node:https";

/** More than the gateway ever answers: a result may be 2 MiB, beside it stand only words. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;

/** The gateway could not be asked, or did not answer in time or in words. The message says why, for people. */
export class Unavailable extends Error {}

/** @typedef {{status: number, body: Record<string, any>, retryAfterMs?: number}} Reply */

export class Client {
  /**
   * @param {{baseUrl: string, token: string}} options
   */
  constructor({ baseUrl, token }) {
    this.base = baseUrl.replace(/\/+$/, "");
    this.token = token;
  }

  /**
   * @param {string} path as the protocol names it, `/evaluate`
   * @param {Buffer} bytes the body, sent as it is
   * @param {number} timeoutMs for all of it, from the name's resolution to the answer's last byte
   * @returns {Promise<Reply>} whatever its status says
   * @throws {Unavailable}
   */
  post(path, bytes, timeoutMs) {
    return new Promise((resolve, reject) => {
      const url = new URL(this.base + path);
      const send = url.protocol === "https:" ? https.request : http.request;
      const request = send(url, { method: "POST", agent: false, headers: this.headers(bytes) });
      const end = (error) => {
        reject(asUnavailable(error));
        request.destroy();
      };
      const late = setTimeout(() => end(new Unavailable(`no answer within ${timeoutMs} ms`)), timeoutMs);
      request.on("close", () => clearTimeout(late));
      request.on("error", end);
      request.on("response", (response) => read(response).then(resolve, end));
      request.end(bytes);
    });
  }

  headers(bytes) {
    return {
      authorization: `Bearer ${this.token}`,
      "content-type": "application/json",
      "content-length": bytes.length,
      accept: "application/json",
      connection: "close",
    };
  }
}

/** The JSON of a body; what is not told in JSON is an empty object. */
async function read(response) {
  const chunks = [];
  let total = 0;
  for await (const chunk of response) {
    total += chunk.length;
    if (total > MOST_ANSWER_BYTES) throw new Unavailable(`the answer is over ${MOST_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return { status: response.statusCode, body: parse(Buffer.concat(chunks)), retryAfterMs: retryAfterMs(response) };
}

function parse(bytes) {
  try {
    const body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(body) ? body : {};
  } catch {
    return {}; // whoever reads it finds no decision in it
  }
}

/** Whether it is what JSON calls an object. */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function retryAfterMs(response) {
  const seconds = Number(response.headers["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

function asUnavailable(error) {
  if (error instanceof Unavailable) return error;
  const code = error?.code ?? error?.name ?? "unknown";
  return new Unavailable(`no connection to the gateway (${code})`, { cause: error });
}

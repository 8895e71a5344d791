/**
 * A gateway that answers what a test tells it to, over real HTTP on loopback, and keeps what it was asked.
 *
 * Only for what a real gateway cannot be brought to do at will: garbage, silence, every status. What the plugin does
 * against the real one is in test_openclaw.py.
 */
import { once } from "node:events";
import http from "node:http";

export const TOKEN = "token-of-a-test";

export class StandIn {
  constructor() {
    this.requests = [];
    this.answers = new Map();
    this.server = http.createServer((request, response) => void this.handle(request, response));
  }

  static async open() {
    const opened = new StandIn();
    opened.server.listen(0, "127.0.0.1");
    await once(opened.server, "listening");
    return opened;
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  /** From now on this path is answered with the status and body that `how` makes of a request; once each for a list. */
  on(path, how) {
    this.answers.set(path, Array.isArray(how) ? [...how] : how);
    return this;
  }

  /** Everything that was sent to this path so far. */
  to(path) {
    return this.requests.filter((request) => request.path === path);
  }

  /** Those requests, as soon as there are so many. */
  async sees(path, count = 1) {
    await until(() => this.to(path).length >= count);
    return this.to(path);
  }

  async handle(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const seen = {
      path: request.url,
      method: request.method,
      headers: request.headers,
      bytes,
      body: JSON.parse(bytes),
    };
    this.requests.push(seen);
    const planned = this.answers.get(request.url);
    const how = Array.isArray(planned) ? (planned.length > 1 ? planned.shift() : planned[0]) : planned;
    const { status = 200, body = {}, raw, headers = {}, silent = false } = (await how?.(seen)) ?? { status: 500 };
    if (silent) return;
    if (raw === null) return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(raw ?? JSON.stringify(body));
  }

  async close() {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }
}

/** Resolves when it is so; the test's own time limit says how long that may take. */
export async function until(isSo) {
  while (!(await isSo())) await new Promise(setImmediate);
}

/** Time that passes only when a test says so. */
export class ManualClock {
  constructor() {
    this.at = 0;
    this.startedMs = 1_700_000_000_000;
    this.timers = new Set();
    this.now = () => this.at;
    this.wallMs = () => this.startedMs + this.at;
    this.after = (ms, then) => {
      const timer = { at: this.at + ms, then };
      this.timers.add(timer);
      return () => this.timers.delete(timer);
    };
  }

  /** Let so much time pass; timers go off in their order. */
  pass(ms) {
    this.at += ms;
    for (const timer of [...this.timers].sort((one, other) => one.at - other.at)) {
      if (timer.at <= this.at && this.timers.delete(timer)) timer.then();
    }
  }
}

/** A log that keeps what it was told. */
export function keptLog() {
  const lines = [];
  const level = (name) => (message) => void lines.push(`${name} ${message}`);
  return { lines, info: level("info"), warn: level("warn"), error: level("error") };
}

export const ALLOW = () => ({ body: { evaluation_id: "e-1", decision: "allow", reason: "fine", matched_rule: null } });
export const TAKEN = () => ({ status: 201, body: { ok: true, audit_record_id: "r-1", decision: "deliver" } });

/**
 * Sends reports until the gateway has taken them: the same bytes each time, stored before they are sent.
 *
 * Whoever reports waits until the bytes are on the disk, never for the gateway. A report that cannot be stored is sent
 * all the same, from memory, and that is told. Too many reports cost the oldest one, and one that is too old is given
 * up: the gateway has closed its call by then and has told somebody.
 */
import { sendingOf } from "./answers.js";
import { pause } from "./clock.js";

const AT_ONCE = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A person has answered, and the answer is on its way to the gateway too. */
const SOON_PAUSE_MS = 250;
const LONGEST_SOON_MS = 5_000;
const STORE_TIMEOUT_MS = 3_000;

/**
 * @typedef {{name?: string, bytes?: Buffer, createdMs: number, attempts: number, dueMs: number, isOver: boolean}} Job
 */

export class Delivery {
  /**
   * @param {object} options
   * @param {import("./outbox.js").Outbox} options.outbox
   * @param {(bytes: Buffer) => Promise<import("./client.js").Reply>} options.post
   * @param {(reply: import("./client.js").Reply) => void} options.onTaken
   * @param {import("./clock.js").Clock} options.clock
   * @param {import("./counters.js").Counters} options.counters
   * @param {import("./log.js").Log} options.log
   * @param {number} options.mostReports
   * @param {number} options.maxAgeMs
   */
  constructor(options) {
    Object.assign(this, options);
    /** @type {Set<Job>} */
    this.waiting = new Set();
    /** @type {Map<Job, Promise<void>>} */
    this.sending = new Map();
    this.isClosed = false;
    this.callOff = () => {};
  }

  /** Take over what an earlier process left. Never throws. */
  async start() {
    try {
      for (const kept of await this.outbox.kept()) this.enqueue({ ...kept });
    } catch (error) {
      this.log.error(`the outbox cannot be read (${error.message}): what an earlier process left is not sent`);
    }
  }

  /** Store a report and send it from now on; returns when it is stored. Never throws. */
  async add(bytes) {
    const createdMs = this.clock.wallMs();
    const storing = this.outbox.put(bytes);
    try {
      this.enqueue(await Promise.race([storing, this.late()]));
    } catch (error) {
      this.counters.add("undurable");
      this.log.error(
        `a report could not be stored (${error.message}): it is sent, and lost if this process ends first`,
      );
      const job = this.enqueue({ bytes, createdMs });
      storing.then(({ name }) => this.stored(job, name), () => {}); // its failure is told above
    }
  }

  /** Try everything that waits, and return when that is done or the time is over. Nothing is sent after that. */
  async close(timeoutMs) {
    this.callOff();
    for (const job of this.waiting) job.dueMs = 0;
    const over = this.clock.now() + timeoutMs;
    while (this.clock.now() < over && this.pump()) {
      await Promise.race([...this.sending.values(), pause(this.clock, over - this.clock.now())]);
    }
    this.isClosed = true;
    this.callOff();
  }

  async late() {
    await pause(this.clock, STORE_TIMEOUT_MS);
    throw new Error("the disk does not answer");
  }

  enqueue(kept) {
    const job = { attempts: 0, dueMs: 0, isOver: false, ...kept };
    this.waiting.add(job);
    if (this.waiting.size + this.sending.size > this.mostReports) this.drop(this.waiting.values().next().value);
    this.pump();
    return job;
  }

  /** Send what is due, and come back when the next one is. Whether anything is under way. */
  pump() {
    if (this.isClosed) return false;
    const now = this.clock.now();
    for (const job of [...this.waiting].filter(({ dueMs }) => dueMs <= now).slice(0, AT_ONCE - this.sending.size)) {
      this.waiting.delete(job);
      this.sending.set(job, this.send(job));
    }
    this.callOff();
    const next = Math.min(...[...this.waiting].map(({ dueMs }) => dueMs));
    const hasRoom = this.sending.size < AT_ONCE && next < Infinity;
    if (hasRoom) this.callOff = this.clock.after(Math.max(0, next - now), () => this.pump());
    return this.sending.size > 0;
  }

  async send(job) {
    try {
      await this.attempt(job);
    } catch (error) {
      this.again(job, "later", error.message);
    } finally {
      this.sending.delete(job);
      this.pump();
    }
  }

  async attempt(job) {
    if (this.clock.wallMs() - job.createdMs > this.maxAgeMs) return this.giveUp(job, "expired", "it is too old");
    const bytes = job.bytes ?? (await this.outbox.read(job.name));
    if (bytes === undefined) return; // another process over the same folder has sent it
    job.attempts += 1;
    if (job.attempts > 1) this.counters.add("retried");
    const reply = await this.post(bytes);
    const { outcome, why } = sendingOf(reply);
    if (outcome === "taken") {
      this.counters.add("finalised");
      this.onTaken(reply);
      await this.forget(job);
    } else if (outcome === "final") await this.refused(job, reply, why);
    else this.again(job, outcome, why, reply.retryAfterMs);
  }

  async refused(job, { body }, why) {
    const isExpired = body.error === "evaluation_expired";
    this.counters.add(isExpired ? "expired" : "rejected");
    this.log.error(`the gateway does not take a report: ${why}`);
    await this.forget(job);
  }

  again(job, outcome, why, retryAfterMs = 0) {
    const [first, longest] = outcome === "soon" ? [SOON_PAUSE_MS, LONGEST_SOON_MS] : [FIRST_PAUSE_MS, LONGEST_PAUSE_MS];
    const backoffMs = Math.min(longest, first * 2 ** Math.min(job.attempts - 1, 16)) * (0.5 + Math.random() / 2);
    job.dueMs = this.clock.now() + Math.max(backoffMs, Math.min(retryAfterMs, LONGEST_PAUSE_MS));
    if (job.attempts === 1 && outcome !== "soon") this.log.warn(`a report waits in the outbox: ${why}`);
    this.waiting.add(job);
  }

  drop(job) {
    this.waiting.delete(job);
    void this.giveUp(job, "dropped", `more than ${this.mostReports} wait`); // it does not reject
  }

  async giveUp(job, counter, why) {
    this.counters.add(counter);
    this.log.error(`a report is given up because ${why}: its call ends as expired`);
    await this.forget(job);
  }

  async stored(job, name) {
    job.name = name;
    if (job.isOver) await this.outbox.remove(name).catch((error) => this.log.warn(error.message));
  }

  async forget(job) {
    job.isOver = true;
    try {
      if (job.name !== undefined) await this.outbox.remove(job.name);
    } catch (error) {
      this.log.warn(`a report that is over could not be removed (${error.message}): it will be sent once more`);
    }
  }
}

/** Time, so that a test can turn it. A timer here never keeps a process alive. */

/**
 * @typedef {{now: () => number, wallMs: () => number, after: (ms: number, then: () => void) => () => void}} Clock
 *   `now` is monotonic; `after` returns what calls it off
 */

/** @type {Clock} */
export const CLOCK = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after that time. */
export function pause(clock, ms) {
  return new Promise((resolve) => clock.after(ms, resolve));
}

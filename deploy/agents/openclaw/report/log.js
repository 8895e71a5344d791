/** The host's logger, which may be anything: a log that throws must not decide about a call. */

/** @typedef {Record<"info"|"warn"|"error", (message: string) => void>} Log */

/**
 * @param {Partial<Log>|undefined} logger
 * @returns {Log}
 */
export function logTo(logger) {
  const levels = ["info", "warn", "error"];
  return Object.fromEntries(levels.map((level) => [level, (message) => say(logger, level, message)]));
}

function say(logger, level, message) {
  try {
    logger[level](`interpose: ${message}`);
  } catch {
    console[level](`interpose: ${message}`);
  }
}

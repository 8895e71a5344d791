/**
 * What a successful call established, taken from its parameters or its result at the configured places.
 *
 * A path is a list of steps (`["url", "host"]`), never a text with dots: keys may contain any character. A place that
 * is not there is skipped, and so is a value that could not be read; no entry ever costs another one.
 */

/**
 * @typedef {{tool: string, key: string, path: (string|number)[], from: "result"|"params", ttlSeconds?: number}} Rule
 * @typedef {{evidence_key: string, evidence_data: any, ttl_seconds?: number}} Entry
 */

/**
 * @param {Rule[]} rules
 * @param {string} tool the tool's name as its platform says it
 * @param {Partial<Record<"result"|"params", import("./snapshot.js").Snapshot>>} sources
 * @param {(rule: Rule, why: string) => void} onSkipped what is told of an entry that is there and cannot be sent
 * @returns {Entry[]}
 */
export function gather(rules, tool, sources, onSkipped) {
  const entries = [];
  for (const rule of rules) {
    if (rule.tool !== "*" && rule.tool !== tool) continue;
    try {
      const found = follow(sources[rule.from], rule.path);
      if (found.why !== undefined) onSkipped(rule, found.why);
      else if (found.value !== undefined) entries.push(entry(rule, found.value));
    } catch (error) {
      onSkipped(rule, String(error));
    }
  }
  return entries;
}

function entry({ key, ttlSeconds }, value) {
  const told = { evidence_key: key, evidence_data: value };
  return ttlSeconds === undefined ? told : { ...told, ttl_seconds: ttlSeconds };
}

/** The value at a path; neither value nor reason when nothing is there. */
function follow(source, path) {
  if (source === undefined) return {};
  const { value, faults } = source;
  const spoiled = faults.find((fault) => fault.kind === "unreadable" && meets(fault.path, path));
  if (spoiled !== undefined) return { why: `${JSON.stringify(spoiled.path)}: ${spoiled.why}` };
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return {};
    if (Array.isArray(here) && typeof step !== "number") return {}; // `length` is no place
    here = here[step];
  }
  return { value: here };
}

/** Whether one place stands inside the other. */
function meets(one, other) {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => step === other[index]);
}

/**
 * OpenCode's part, as far as a plugin meets it: loads every export of a file as a plugin, awaits its hooks around a
 * tool, and holds the arguments' and the result's own objects: what a plugin assigns anew is not seen.
 */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SHOP = "/home/somebody/shop";
export const PLUGIN = new URL("../../../shared/src/interpose/agents/opencode/interpose.js", import.meta.url);

/** A plugin folder with our file in it; `configuration` is a value or a text, nothing where there is no such file. */
export async function folderWith(configuration) {
  const folder = await mkdtemp(join(tmpdir(), "opencode-"));
  await cp(PLUGIN, join(folder, "interpose.js"));
  await writeFile(join(folder, "package.json"), '{"type": "module"}'); // OpenCode's own runtime needs none
  if (configuration !== undefined) {
    const text = typeof configuration === "string" ? configuration : JSON.stringify(configuration);
    await writeFile(join(folder, "interpose.json"), text);
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export class Host {
  /** @param {string} folder @param {object[]} others hooks of other plugins, which come after ours */
  static async open(folder, others = [], context = { directory: SHOP, worktree: SHOP }) {
    const loaded = await import(pathToFileURL(join(folder, "interpose.js")).href);
    const host = new Host();
    for (const plugin of new Set(Object.values(loaded))) host.hooks.push(await plugin(context));
    host.hooks.push(...others);
    return host;
  }

  constructor() {
    this.hooks = [];
    this.ran = [];
    this.count = 0;
  }

  /** One call: what the model gets, or the error that it is told. */
  async call(tool, args, run, { sessionID = "ses_1", callID = `call_${(this.count += 1)}` } = {}) {
    const ids = { tool, sessionID, callID };
    try {
      await this.trigger("tool.execute.before", ids, { args });
      this.ran.push(args);
      const result = await run(args);
      await this.trigger("tool.execute.after", { ...ids, args }, result);
      return { result };
    } catch (error) {
      return { error: error.message };
    }
  }

  async trigger(name, input, output) {
    for (const hooks of this.hooks) await hooks[name]?.(input, output);
  }
}

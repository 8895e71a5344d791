/**
 * A machine with OpenCode on it: loads the plugin from the folder where it was installed, and does what the test says,
 * one line of JSON for each order and one for each answer. A tool is data here: `result` is what it gives back.
 */
import { createInterface } from "node:readline";

import { Host } from "./opencode_host.mjs";

const tell = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);
const host = await Host.open(process.argv[2], [], { directory: process.argv[3], worktree: process.argv[3] });

tell({ hooks: host.hooks.flatMap((hooks) => Object.keys(hooks)) });
for await (const line of createInterface({ input: process.stdin })) {
  const { tool, args, ids, result } = JSON.parse(line);
  const before = host.ran.length;
  const outcome = await host.call(tool, args, () => result, ids);
  tell({ ...outcome, ran: host.ran.slice(before) });
}

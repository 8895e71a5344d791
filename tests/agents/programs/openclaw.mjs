/**
 * A machine with OpenClaw on it: loads the plugin from the folder it was copied to, and does what the test says, one
 * line of JSON for each order and one for each answer.
 *
 * A tool is data here: `{"result": …}` is what it answers, `{"throws": …}` how it fails, `{"waits": true}` tells that
 * it runs, and ends when the next line says so.
 */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

import { Host } from "./host.mjs";

const { default: plugin } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const host = new Host(JSON.parse(process.argv[3]));
plugin.register(host.api);

const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => (await orders.next()).value;
const tell = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);

function toolOf({ result, throws, waits } = {}) {
  return async (params) => {
    if (waits) {
      tell({ running: params });
      await next();
    }
    if (throws !== undefined) throw new Error(throws);
    return result ?? { content: [{ type: "text", text: "done" }], details: { ran: params } };
  };
}

async function obey({ call, install, stop }) {
  if (stop) return { stopped: await host.stop() };
  if (install) return { blocked: await host.install(install) };
  const before = host.ran.length;
  const outcome = await host.call({ ...call, tool: toolOf(call.tool) });
  return { ...outcome, ran: host.ran.slice(before).map(({ params }) => params) };
}

tell({ hooks: [...host.hooks.keys()] });
for (let line = await next(); line !== undefined; line = await next()) {
  tell({ ...(await obey(JSON.parse(line))), logged: host.logged.splice(0) });
}
process.exit(0);

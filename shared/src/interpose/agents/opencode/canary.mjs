/**
 * The canary through the installed plugin: loads the file as OpenCode does, and calls its hook before a tool.
 *
 * Writes `{"threw": …}` or `{"ran": true}` on one line. The file is loaded under a name that ends in `.mjs`, because
 * Node takes `.js` for something else where no package.json says what it is; OpenCode's own runtime does not.
 */
const [file, told] = process.argv.slice(2);
const { tool, sessionID, callID, args } = JSON.parse(told);
const loaded = Object.values(await import(file)).filter((part) => typeof part === "function");
const hooks = await Promise.all(loaded.map((plugin) => plugin({ directory: "/", worktree: "/" })));
let said = { ran: true };
try {
  for (const each of hooks) await each["tool.execute.before"]?.({ tool, sessionID, callID }, { args });
} catch (error) {
  said = { threw: error.message };
}
process.stdout.write(JSON.stringify(said));

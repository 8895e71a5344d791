/** A skill or a plugin is about to be installed: no answer is a no. */
import { property } from "../report/index.js";
import { block, bounded, fitted, word } from "./event.js";

const NAME_CHARACTERS = 256;
const SPEC_CHARACTERS = 2048;
const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Never throws. */
export async function beforeInstall(reporter, event, ctx) {
  const found = packageOf(event);
  if (found === undefined) return block("Interpose governance unavailable: the host does not say what is installed");
  const told = await reporter.scan({ package: found, metadata: metadataOf(event, ctx) });
  return told.decision === "deny" ? block(told.reason) : undefined;
}

/** What is installed, in the protocol's words. A plugin's own package name says more than what somebody asked for. */
function packageOf(event) {
  const [plugin, skill, request] = ["plugin", "skill", "request"].map((name) => property(event, name).value);
  const name = word(plugin, "packageName") ?? word(event, "targetName");
  if (name === undefined) return undefined;
  const spec = word(request, "requestedSpecifier");
  const known = {
    version: bounded(word(plugin, "version"), NAME_CHARACTERS),
    source: bounded(sourceOf(request), NAME_CHARACTERS),
    spec: bounded(spec, SPEC_CHARACTERS),
    url: bounded(urlOf(spec, skill), SPEC_CHARACTERS),
  };
  return {
    name: bounded(name, NAME_CHARACTERS),
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}

/** `plugin-npm` is npm, `skill-install` is skill. */
function sourceOf(request) {
  const kind = word(request, "kind");
  return kind === "skill-install" ? "skill" : kind?.replace(/^plugin-/, "");
}

function urlOf(spec, skill) {
  const named = word(property(skill, "installSpec").value, "url");
  return named ?? (spec !== undefined && URL_LIKE.test(spec) ? spec : undefined);
}

function metadataOf(event, ctx) {
  const scan = property(event, "builtinScan").value;
  const counts = ["critical", "warn", "info"].map((name) => [name, property(scan, name).value]);
  const names = {
    target_type: word(event, "targetType") ?? word(ctx, "targetType"),
    mode: word(property(event, "request").value, "mode"),
    builtin_scan: Object.fromEntries(counts.filter(([, count]) => Number.isSafeInteger(count))),
    target_name: word(event, "targetName"),
    install_origin: word(event, "origin"),
    source_path_kind: word(event, "sourcePathKind"),
    source_path: word(event, "sourcePath"),
  };
  return fitted(Object.entries(names).filter(([, value]) => value !== undefined));
}

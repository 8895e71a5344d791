/**
 * The question to a person, asked by OpenClaw, answered to the gateway.
 *
 * OpenClaw does not wait until its answer has arrived anywhere, so its own time ends before the gateway's: a yes in the
 * last moment is still in time. A yes is offered for this call alone; a rule, not a click, changes what is allowed.
 */

const TITLE_CHARACTERS = 80;
/** What the oldest hosts with approvals show; newer ones show more. */
const DESCRIPTION_CHARACTERS = 256;
const LONGEST_MS = 600_000;
const MARGIN_MS = 5000;

const RESOLUTIONS = {
  "allow-once": { resolution: "approved", scope: "once" },
  "allow-always": { resolution: "approved", scope: "always" },
  deny: { resolution: "denied" },
  timeout: { resolution: "timeout" },
  cancelled: { resolution: "cancelled" },
};

/**
 * @param {import("../report/reporter.js").Reporter} reporter
 * @param {import("../report/reporter.js").Judged} told
 * @param {string} origin
 */
export function question(reporter, { claim, approval, reason }, origin) {
  const ownMs = approval.timeoutMs - Math.min(MARGIN_MS, approval.timeoutMs / 4);
  return {
    title: plain(`Interpose: ${claim.ids.tool}`, TITLE_CHARACTERS),
    description: plain(reason, DESCRIPTION_CHARACTERS),
    severity: "warning",
    timeoutMs: Math.max(1, Math.floor(Math.min(LONGEST_MS, ownMs))),
    allowedDecisions: ["allow-once", "deny"],
    onResolution: (decision) => reporter.resolve(claim, approval, said(decision, origin)),
  };
}

/** A word that nobody knows is no yes, and the host does not take it for one either. */
function said(decision, origin) {
  const known = Object.hasOwn(RESOLUTIONS, decision) ? RESOLUTIONS[decision] : RESOLUTIONS.cancelled;
  return ["approved", "denied"].includes(known.resolution) ? { ...known, resolved_by: origin } : known;
}

/** One line of so many characters, without any that command a terminal or turn text around. */
function plain(text, characters) {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const all = [...line];
  return all.length <= characters ? line : `${all.slice(0, characters - 1).join("")}…`;
}

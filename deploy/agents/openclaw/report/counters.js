/** What was counted since the plugin was loaded. */

const NAMES = [
  "allowed", // calls that may run
  "denied", // calls and installs that may not: a rule said no
  "asked", // calls that a person decides about
  "unavailable", // calls and installs that may not: nobody judged them
  "ambiguous", // calls that may not: two could not be told apart
  "finalised", // reports that the gateway has taken
  "withheld", // reports whose result the gateway would have withheld
  "missed", // outcomes that no live evaluation belongs to; nothing was sent
  "altered", // calls that ran with other arguments than were judged
  "shed", // reports that were sent without a part of them
  "truncated", // reports whose error was cut
  "skipped", // entries of evidence that were there and could not be sent
  "retried", // attempts after the first
  "expired", // evaluations that nobody reported within their time, and reports that waited too long
  "rejected", // reports that the gateway refused for good
  "dropped", // reports that were too many to be kept
  "undurable", // reports that could not be stored and lived in memory alone
  "unresolved", // a person's answers that could not be delivered
  "overruled", // a person's yes that the rules of that moment refused
  "replaced", // evaluations whose call came once more before it was reported
];

export class Counters {
  constructor() {
    this.counts = Object.fromEntries(NAMES.map((name) => [name, 0]));
  }

  /** One more. Throws for a name that nobody reads. */
  add(name, by = 1) {
    if (!Object.hasOwn(this.counts, name)) throw new RangeError(`no counter ${name}`);
    this.counts[name] += by;
  }

  /** The counts as they are now. */
  read() {
    return { ...this.counts };
  }
}

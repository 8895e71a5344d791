/** Real time. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { CLOCK, pause } from "../../../deploy/agents/openclaw/report/clock.js";

test("what is called off does not happen, what is not does", async () => {
  const happened = [];
  CLOCK.after(1, () => happened.push("called off"))();
  CLOCK.after(1, () => happened.push("left"));
  const alive = setInterval(() => {}, 1); // timers of this clock keep no process alive, not even this one
  await pause(CLOCK, 20);
  clearInterval(alive);

  assert.deepEqual(["left"], happened);
});

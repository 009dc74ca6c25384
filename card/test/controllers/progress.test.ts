import { describe, expect, it } from "vitest";
import { progressOf } from "../../src/controllers/progress";
import { PHASES, type Session } from "../../src/wire/snapshot";
import { goldenPicture } from "../fakes/golden";
import { english, plainly } from "../fakes/home";

const session = goldenPicture.session;
const idle: Session = { ...session, phase: "idle", session: null, done: 0, total: 0, secondsLeft: null };

describe("a running session", () => {
  it("says how far it is and how long it will take", () => {
    expect(progressOf(session, english)).toMatchObject({
      running: true,
      title: "Session running",
      part: 0.175,
      figures: "7 of 40",
      left: "about 2 min left",
    });
  });

  it("says nothing that it does not know", () => {
    const early: Session = { ...session, phase: "qualifying", done: 0, total: 0, secondsLeft: null };
    expect(progressOf(early, english)).toMatchObject({ part: null, figures: "", left: "" });
  });
});

describe("an idle audit", () => {
  it("says how the last session ended", () => {
    expect(progressOf(idle, english)).toMatchObject({ running: false, part: null, left: "" });
    expect(plainly(progressOf(idle, english).last)).toBe(
      "Last session not valid, Dec 1, 2026, 2:00 AM: Too many trials could not be watched",
    );
    const last = { session: "s-1", valid: true, reasons: [], endedAt: "2026-12-01T02:00:00+00:00" };
    expect(plainly(progressOf({ ...idle, last }, english).last)).toBe("Last session valid, Dec 1, 2026, 2:00 AM");
  });

  it("says nothing where none has run", () => {
    expect(progressOf({ ...idle, last: null }, english).last).toBe("");
  });
});

it.each(PHASES)("the phase %s has its words", (phase) => {
  expect(progressOf({ ...session, phase }, english).title).not.toBe("");
});

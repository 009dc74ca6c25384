import { describe, expect, it } from "vitest";
import { HEIGHT, stageWords, timelineOf, WIDTH } from "../../src/controllers/timeline";
import type { FalseClearance, StageSeen, Ticket } from "../../src/wire/evidence";
import { goldenEvidence } from "../fakes/golden";
import { english, plainly } from "../fakes/home";

const found = goldenEvidence.falseClearances?.[0] as FalseClearance;
const timeline = timelineOf(found, english);
const mark = (stage: string) => timeline.marks.find((one) => one.stage === stage);

function seen(changes: Partial<StageSeen>): StageSeen {
  return { stage: "observable_effect", earliest: null, latest: null, unavailable: null, reason: null, ...changes };
}

describe("one trial on one time axis", () => {
  it("has the six stages in order", () => {
    expect(timeline.marks.map((one) => one.stage)).toEqual([
      "request",
      "source_report",
      "agent_read",
      "dispatch",
      "software_feedback",
      "observable_effect",
    ]);
  });

  it("puts every stage where it was, within the plot", () => {
    const at = ["dispatch", "software_feedback", "observable_effect"].map((stage) => mark(stage)?.to ?? Number.NaN);
    expect(at).toEqual([...at].sort((one, other) => one - other));
    for (const x of at) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(WIDTH);
    }
    expect(mark("observable_effect")?.from).toBeLessThan(mark("observable_effect")?.to ?? 0);
  });

  it("leaves a stage without a time out of the axis, and begins a stage without a lower bound at its start", () => {
    expect(mark("agent_read")).toMatchObject({ from: null, to: null });
    expect(mark("source_report")?.from).toBe(0);
  });

  it("draws the frames that lie on it, and the midpoint between the frozen levels", () => {
    const points = timeline.curve.split(/[ML]/).filter(Boolean);
    expect(points).toHaveLength(4); // the frame at 4.5 s is long after all that matters
    expect(timeline.midpoint).toBeCloseTo(HEIGHT / 2);
    for (const point of points) {
      const [x, y] = point.split(" ").map(Number);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(WIDTH);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(HEIGHT);
    }
  });

  it("has few ticks, in seconds after the command", () => {
    expect(timeline.ticks.map((tick) => tick.text)).toContain("0");
    expect(timeline.ticks.length).toBeLessThanOrEqual(8);
  });

  it("says in words what it shows", () => {
    expect(plainly(timeline.title)).toBe("Turning off, Dec 1, 2026, 3:00 AM: wrong when read after 0.1 s and 0.25 s");
    expect(timeline.label).toContain("from 20 to 142. Asked at -0.01s. Sensor reported before -0.02s");
    expect(timeline.axis).toBe("Seconds since the command");
  });
});

describe("a trial that was not filmed", () => {
  const settled = { ...(found.tickets[0] as Ticket), boundary: "settled" };
  const unfilmed = timelineOf({ ...found, film: null, tickets: [settled] }, english);

  it("has stages but no curve", () => {
    expect([unfilmed.curve, unfilmed.midpoint]).toEqual(["", null]);
    expect(unfilmed.marks).toHaveLength(6);
    expect(unfilmed.title).toContain("wrong when read after settled");
  });
});

describe("unusual trials", () => {
  it("of a lamp whose levels are equal are drawn all the same", () => {
    const flat = timelineOf(
      { ...found, film: { on: 20, off: 20, guard: 0, frames: found.film?.frames ?? [] } },
      english,
    );
    expect(flat.curve).not.toContain("NaN");
  });

  it("that take very long have few ticks", () => {
    const stages = found.stages.map((one) => (one.stage === "observable_effect" ? seen({ latest: 300 }) : one));
    const frames = [{ earliest: 500, latest: 501, level: 20 }];
    const long = timelineOf({ ...found, stages, film: { on: 1, off: 0, guard: 0, frames } }, english);
    expect(long.ticks[0]?.text).toBe("0");
    expect(long.ticks.length).toBeLessThanOrEqual(8);
  });

  it("without any frame have no curve", () => {
    expect(timelineOf({ ...found, film: { on: 1, off: 0, guard: 0, frames: [] } }, english).curve).toBe("");
  });
});

describe("a stage in words", () => {
  it.each([
    [seen({ earliest: 0.1, latest: 0.1 }), "Seen to happen at 0.1s"],
    [seen({ earliest: 0.1, latest: 0.2 }), "Seen to happen between 0.1s and 0.2s"],
    [seen({ latest: 0.2 }), "Seen to happen before 0.2s"],
    [seen({ unavailable: "did_not_happen" }), "Seen to happen: did not happen"],
    [
      seen({ unavailable: "witness_silent", reason: "no_sample" }),
      "Seen to happen: the camera could not tell (no picture came)",
    ],
    [seen({ unavailable: "lost_in_space" }), "Seen to happen: ?"],
    [seen({}), "Seen to happen: ?"],
  ])("%#", (given, words) => {
    expect(stageWords(given, english)).toBe(words);
  });
});

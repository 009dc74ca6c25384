import { describe, expect, it } from "vitest";
import { WireError } from "../../src/wire/json";
import { readSnapshotEvent, subject } from "../../src/wire/snapshot";
import { golden, VERSION } from "../fakes/golden";

describe("the golden snapshot", () => {
  const event = readSnapshotEvent(golden.snapshot, VERSION);
  const whole = event.type === "snapshot" ? event.whole : null;

  it("is read whole", () => {
    expect(whole?.subjects.get("desk")).toEqual({
      entityId: "light.desk",
      disposition: "escalate",
      explanation: "seen_to_fail",
      carriedOver: false,
      headline: {
        property: "observable_effect_after_write",
        boundary: "1",
        direction: "off",
        source: "reported_claim",
        basis: "one_look",
        k: 3,
        n: 20,
        abstained: 1,
        interval: [0.032, 0.379],
        upperLimit: 0.376,
      },
      trials: 41,
      abstentions: new Map([["below_resolution", 1]]),
      lastFalseClearance: "2026-12-01T03:00:00+00:00",
      cleanAuditsToClear: 131,
      witness: "qualified",
      expectedClear: "2027-01-05T00:00:00+00:00",
      suspect: "feedback",
      before: { k: 1, n: 12, upperLimit: 0.41 },
      predicted: null,
      sensors: { disposition: "sensor.desk_disposition", risk: "sensor.desk_false_clearance_risk" },
    });
    expect(whole?.session).toEqual({
      phase: "running",
      session: "s-2",
      done: 7,
      total: 40,
      secondsLeft: 132.5,
      last: { session: "s-1", valid: false, reasons: ["incomplete"], endedAt: "2026-12-01T02:00:00+00:00" },
    });
    expect(whole?.ledger).toEqual({ state: "sound", entries: 57, head: "5f0c" });
    expect([whole?.witness, whole?.hidden]).toEqual(["connected", 0]);
    expect(whole?.clearance).toEqual({ tolerance: 0.02, error: 0.1, together: 0 });
  });

  it.each([
    ["another schema, even a newer one", { schema: 2 }, { schema: 2, version: VERSION }],
    ["an integration that tells no schema", { schema: undefined }, { schema: null, version: VERSION }],
    ["another version of the integration", { version: "0.4.1" }, { schema: 1, version: "0.4.1" }],
    ["an integration that tells no version", { version: undefined }, { schema: 1, version: null }],
  ])("is not interpreted from %s", (_, changes, told) => {
    const broken = { ...golden.snapshot, ...changes, subjects: "whatever this may mean one day" };
    expect(readSnapshotEvent(broken, VERSION)).toEqual({ type: "mismatch", ...told });
  });

  it.each([
    ["a disposition that this card does not know", { disposition: "probably" }],
    ["a headline without an interval of two ends", { headline: { ...desk().headline, interval: [0.1] } }],
    ["an interval of three ends", { headline: { ...desk().headline, interval: [0.1, 0.2, 0.3] } }],
  ])("refuses %s", (_, changes) => {
    const subjects = { desk: { ...desk(), ...changes } };
    expect(() => readSnapshotEvent({ ...golden.snapshot, subjects }, VERSION)).toThrow(WireError);
  });

  it("reads a device without sensors and without a headline", () => {
    const subjects = { desk: { ...desk(), headline: null, sensors: {} } };
    const read = readSnapshotEvent({ ...golden.snapshot, subjects }, VERSION);
    const subject = read.type === "snapshot" ? read.whole.subjects.get("desk") : null;
    expect(subject?.headline).toBeNull();
    expect(subject?.sensors).toEqual({ disposition: null, risk: null });
  });
});

function desk() {
  return golden.snapshot.subjects.desk;
}

it("reads a prediction of a device of which nothing was measured", () => {
  const unmeasured = { ...desk(), headline: null, predicted: { risk: 0.083, level: 2, direction: "off" } };
  expect(subject(unmeasured, "subject").predicted).toEqual({ risk: 0.083, level: 2 });
});

describe("what follows", () => {
  it("reads only the parts that changed", () => {
    expect(readSnapshotEvent(golden.change, VERSION)).toEqual({
      type: "change",
      change: {
        removed: ["desk"],
        session: { phase: "idle", session: null, done: 0, total: 0, secondsLeft: null, last: null },
        ledger: { state: "damaged", entries: 58, head: null },
        witness: "unreachable",
        clearance: { tolerance: 0.05, error: 0.05, together: 0 },
      },
    });
  });

  it("reads the end", () => {
    expect(readSnapshotEvent({ type: "unloaded" }, VERSION)).toEqual({ type: "unloaded" });
  });
});

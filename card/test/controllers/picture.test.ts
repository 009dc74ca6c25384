import { describe, expect, it } from "vitest";
import { afterEvent, NOTHING } from "../../src/controllers/picture";
import { readSnapshotEvent } from "../../src/wire/snapshot";
import { golden, goldenPicture, goldenSubject, VERSION } from "../fakes/golden";

describe("the picture of the audit", () => {
  it("is ready after the first event", () => {
    expect(goldenPicture).toMatchObject({ status: "ready", stale: false, told: null });
  });

  it("loses a device that is gone and takes over what else changed", () => {
    const after = afterEvent(goldenPicture, readSnapshotEvent(golden.change, VERSION));
    expect(after.subjects.size).toBe(0);
    expect([after.ledger.state, after.witness, after.session.phase]).toEqual(["damaged", "unreachable", "idle"]);
  });

  it("keeps the very same objects for what did not change", () => {
    const other = { ...goldenSubject, entityId: "light.other" };
    const after = afterEvent(goldenPicture, { type: "change", change: { subjects: new Map([["other", other]]) } });
    expect([...after.subjects.keys()]).toEqual(["desk", "other"]);
    expect(after.subjects.get("desk")).toBe(goldenSubject);
    const later = afterEvent(after, { type: "change", change: { witness: "connecting" } });
    expect(later.subjects).toBe(after.subjects);
  });

  it("shows nothing of another version, and keeps nothing of before", () => {
    const after = afterEvent(goldenPicture, { type: "mismatch", schema: 2, version: "9.9.9" });
    expect(after).toEqual({ ...NOTHING, status: "mismatch", told: "9.9.9" });
  });

  it("shows nothing once the audit is unloaded", () => {
    expect(afterEvent(goldenPicture, { type: "unloaded" })).toEqual({ ...NOTHING, status: "absent" });
  });
});

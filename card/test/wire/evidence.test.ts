import { describe, expect, it } from "vitest";
import { readCellsEvent, readEvidence } from "../../src/wire/evidence";
import { WireError } from "../../src/wire/json";
import { golden } from "../fakes/golden";

describe("the golden cells", () => {
  it("are read", () => {
    expect(readCellsEvent(golden.cells)).toEqual({
      type: "cells",
      cells: [
        {
          key: "observable_effect_after_write/1/off/single_light/physical/reported_claim/desk",
          property: "observable_effect_after_write",
          boundary: "1",
          direction: "off",
          path: "single_light",
          source: "reported_claim",
          disposition: "abstain",
          twoSided: true,
          failures: 0,
          decided: 1,
          reasons: new Map(),
          unchecked: 0,
          interval: null,
          upperLimit: 0.99,
          cleanAuditsToClear: 73,
        },
      ],
    });
  });

  it("end", () => {
    expect(readCellsEvent({ type: "unloaded" })).toEqual({ type: "unloaded" });
  });

  it("are refused where an interval has one end", () => {
    const cells = [{ ...golden.cells.cells[0], interval: [0.1] }];
    expect(() => readCellsEvent({ type: "change", cells })).toThrow(WireError);
  });
});

describe("the golden evidence", () => {
  const evidence = readEvidence(golden.evidence);
  const [found] = evidence.falseClearances ?? [];

  it("shows a false clearance with its stages", () => {
    expect(found).toMatchObject({ trial: "t-1", direction: "off", path: "single_light" });
    expect(found?.tickets.map((one) => [one.boundary, one.status, one.failures, one.decided])).toEqual([
      ["0.1", "reproduced", 4, 9],
      ["0.25", "not_reproduced", 1, 9],
    ]);
    expect(found?.stages.map((seen) => [seen.stage, seen.earliest, seen.latest, seen.unavailable])).toEqual([
      ["request", -0.01, -0.01, null],
      ["source_report", null, -0.02, null],
      ["agent_read", null, null, "not_watched"],
      ["dispatch", 0, 0, null],
      ["software_feedback", 0.05, 0.05, null],
      ["observable_effect", 0.36, 0.38, null],
    ]);
  });

  it("shows what the camera saw", () => {
    expect(found?.film).toMatchObject({ on: 142, off: 20, guard: 2 });
    expect(found?.film?.frames[0]).toEqual({ earliest: -0.1, latest: -0.08, level: 142 });
  });

  it("shows the last session with its hashes and its undecided and unchecked trials", () => {
    expect(evidence.session).toMatchObject({ session: "s-1", valid: true });
    expect(evidence.session?.hashes.get("manifest")).toBe("aa01");
    expect(evidence.session?.cells[0]).toMatchObject({
      unchecked: 5,
      reasons: new Map([["no_sample", 1]]),
      interval: [0, 0.168],
      upperLimit: null,
    });
  });
});

describe("the golden evidence of longer ago", () => {
  const evidence = readEvidence(golden.evidence);

  it("keeps the ticket of a trial whose traces were removed", () => {
    expect(evidence.falseClearances?.[1]).toMatchObject({ trial: null, digest: null, stages: [], film: null });
  });

  it("shows what the last session made expect, and what came", () => {
    expect(evidence.reliability).toEqual([
      {
        cell: "observable_effect_after_write/0.25/off/single_light/physical/reported_claim/desk",
        property: "observable_effect_after_write",
        boundary: "0.25",
        direction: "off",
        expected: 0.9545,
        failures: 7,
        decided: 8,
        interval: [0.4735, 0.9968],
      },
    ]);
  });

  it("tells an unreadable ledger from one without false clearances", () => {
    expect(readEvidence({ false_clearances: null, session: null, reliability: [] }).falseClearances).toBeNull();
    expect(readEvidence({ false_clearances: [], session: null, reliability: [] }).falseClearances).toEqual([]);
  });

  it("refuses a frame without a level", () => {
    const [first] = golden.evidence.false_clearances;
    const broken = { ...first, channel: { ...first?.channel, samples: [[0, 1]] } };
    expect(() => readEvidence({ false_clearances: [broken], session: null, reliability: [] })).toThrow("is no frame");
  });
});

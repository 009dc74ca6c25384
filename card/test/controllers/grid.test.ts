import { describe, expect, it } from "vitest";
import { boundaryWords, directionWords, gridsOf } from "../../src/controllers/grid";
import type { Cell } from "../../src/wire/evidence";
import { english, speechIn } from "../fakes/home";

function cell(changes: Partial<Cell> = {}): Cell {
  return {
    key: JSON.stringify(changes),
    property: "observable_effect_after_write",
    boundary: "1",
    direction: "off",
    path: "single_light",
    source: "reported_claim",
    disposition: "abstain",
    twoSided: true,
    failures: 0,
    decided: 0,
    reasons: new Map(),
    unchecked: 0,
    interval: null,
    upperLimit: null,
    cleanAuditsToClear: null,
    ...changes,
  };
}

const label = (changes: Partial<Cell>) => gridsOf([cell(changes)], english)[0]?.lines[0]?.squares[0]?.label;
const square = (changes: Partial<Cell>) => gridsOf([cell(changes)], english)[0]?.lines[0]?.squares[0];

describe("tables", () => {
  const grids = gridsOf(
    [
      cell({ direction: "on" }),
      cell({ boundary: "settled" }),
      cell({ boundary: "0.05" }),
      cell({ boundary: "3" }),
      cell({ property: "reported_completion", boundary: "return", source: "twin" }),
      cell({ path: "multi_target" }),
      cell({ path: "secret_path" }),
    ],
    english,
  );

  it("are one for each direction and path, off first", () => {
    expect(grids.map((grid) => grid.caption)).toEqual([
      "Turning off, several devices: wrong checks of those decided",
      "Turning off, secret path: wrong checks of those decided",
      "Turning off, one device: wrong checks of those decided",
      "Turning on, one device: wrong checks of those decided",
    ]);
  });

  it("have the boundaries across, from the return to the settled one", () => {
    expect(grids[2]?.columns).toEqual(["at once", "0.05 s", "3 s", "settled"]);
  });

  it("have what was compared down, and leave out what does not exist", () => {
    const lines = grids[2]?.lines.map((line) => [line.title, line.source, line.squares.map((one) => one !== null)]);
    expect(lines).toEqual([
      ["What could be seen a moment later", "The state that Home Assistant shows", [false, true, true, true]],
      ["The state reported as the command returned", "A virtual copy of the device", [true, false, false, false]],
    ]);
  });
});

describe("a square", () => {
  it("without a decided check is hatched and has no figures", () => {
    expect(square({})).toMatchObject({ figures: null, hatched: true });
    expect(label({})).toBe("What could be seen a moment later, 1 s: Abstain: not enough evidence. not decided");
  });

  it("that abstains is hatched, whatever its figures", () => {
    expect(square({ decided: 5 })).toMatchObject({ figures: "0/5", hatched: true });
  });

  it.each(["clear", "escalate"] as const)("that says %s is not hatched", (disposition) => {
    expect(square({ decided: 20, disposition })).toMatchObject({ figures: "0/20", hatched: false, disposition });
  });

  it("says where the truth may lie, as far as anything is known", () => {
    const figures = { decided: 20, failures: 3, disposition: "escalate" as const };
    expect(label({ ...figures, interval: [0.032, 0.379] })).toContain(
      "3 of 20 checks wrong. truly between 3.2% and 38%",
    );
    expect(label({ ...figures, upperLimit: 0.4 })).toContain("3 of 20 checks wrong. truly at most 40%");
    expect(label(figures)).toMatch(/3 of 20 checks wrong$/);
  });

  it("says why checks were left undecided, and how many were never cleared", () => {
    const reasons = new Map([
      ["below_resolution", 4],
      ["no_sample", 1],
    ]);
    expect(label({ reasons, unchecked: 2 })).toContain(
      "5 undecided: too close to call for this camera and no picture came. 2 never cleared",
    );
  });

  it("says that its camera can only convict", () => {
    expect(label({ twoSided: false })).toContain("The camera can only see failure here, never rule it out");
  });

  it("says how many more checks are needed, unless it is cleared", () => {
    expect(label({ cleanAuditsToClear: 12 })).toContain("12 more clean checks needed");
    expect(label({ cleanAuditsToClear: 12, disposition: "clear", decided: 80 })).not.toContain("needed");
    expect(label({ cleanAuditsToClear: 0 })).not.toContain("needed");
  });
});

describe("words", () => {
  it("for boundaries and directions follow the language", () => {
    const german = speechIn("de");
    expect(["return", "0.25", "settled"].map((one) => boundaryWords(one, german))).toEqual([
      "sofort",
      "0,25 s",
      "in Ruhe",
    ]);
    expect([directionWords("on", german), directionWords("off", german)]).toEqual(["Einschalten", "Ausschalten"]);
  });
});

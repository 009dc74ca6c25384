import { describe, expect, it } from "vitest";
import { reliabilityMarks, SIDE } from "../../src/controllers/reliability";
import type { Reliability } from "../../src/wire/evidence";
import { goldenEvidence } from "../fakes/golden";
import { english, plainly } from "../fakes/home";

const [point] = goldenEvidence.reliability as [Reliability];

describe("a point of the reliability plot", () => {
  it("lies where expectation and observation meet, with its exact bar", () => {
    const [mark] = reliabilityMarks([point], english);
    expect(mark?.x).toBeCloseTo(0.9545 * SIDE);
    expect(mark?.y).toBeCloseTo(SIDE / 8);
    expect([mark?.top, mark?.bottom]).toEqual([SIDE - 0.9968 * SIDE, SIDE - 0.4735 * SIDE]);
  });

  it("says that the expectation held", () => {
    const [mark] = reliabilityMarks([point], english);
    expect(mark?.held).toBe(true);
    expect(plainly(mark?.label ?? "")).toBe(
      "Turning off, What could be seen a moment later, 0.25 s: 95% foreseen, 7 of 8 seen (47% to 100%): as foreseen",
    );
  });

  it.each([0.1, 0.999])("says that an expectation of %s did not hold", (expected) => {
    const [mark] = reliabilityMarks([{ ...point, expected }], english);
    expect(mark?.held).toBe(false);
    expect(mark?.label).toContain("not as foreseen");
  });
});

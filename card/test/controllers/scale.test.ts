import { describe, expect, it } from "vitest";
import { barOf, position, range, UNKNOWN } from "../../src/controllers/scale";
import type { Headline } from "../../src/wire/snapshot";
import { goldenSubject } from "../fakes/golden";

const headline = (changes: Partial<Headline>): Headline => ({
  ...(goldenSubject.headline as Headline),
  interval: null,
  upperLimit: null,
  ...changes,
});

describe("the scale", () => {
  it("gives small shares room and keeps to the bar", () => {
    expect([position(0), position(0.25), position(1)]).toEqual([0, 0.5, 1]);
    expect([position(-1), position(2)]).toEqual([0, 1]);
    expect(position(0.05)).toBeCloseTo(0.2236, 4);
  });
});

describe("what is not known", () => {
  it("is everything without a check that was decided", () => {
    expect(barOf(null)).toBe(UNKNOWN);
    expect(barOf(headline({ k: 0, n: 0 }))).toBe(UNKNOWN);
    expect(UNKNOWN).toEqual({ seen: 0, open: 1, point: null });
    expect([range(null), range(headline({ n: 0 }))]).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it("is much after 0 of 5 and little after 0 of 500", () => {
    const five = barOf(headline({ k: 0, n: 5, interval: [0, 0.522], upperLimit: 0.451 }));
    const many = barOf(headline({ k: 0, n: 500, interval: [0, 0.0074], upperLimit: 0.006 }));
    expect([five.seen, many.seen, five.point, many.point]).toEqual([0, 0, 0, 0]);
    expect(five.open).toBeCloseTo(0.7225, 3);
    expect(many.open).toBeCloseTo(0.086, 3);
  });

  it("is everything beyond what was seen where there is no limit", () => {
    expect(barOf(headline({ k: 1, n: 4 }))).toEqual({ seen: 0, open: 1, point: 0.5 });
  });
});

describe("the range", () => {
  it("is the exact interval", () => {
    expect(range(headline({ interval: [0.032, 0.379] }))).toEqual([0.032, 0.379]);
  });

  it("is widened by a limit that counts the undecided checks as failures", () => {
    expect(range(headline({ interval: [0.032, 0.379], upperLimit: 0.6 }))).toEqual([0.032, 0.6]);
  });

  it("begins at nothing where there is only an upper limit", () => {
    expect(range(headline({ upperLimit: 0.2 }))).toEqual([0, 0.2]);
  });
});

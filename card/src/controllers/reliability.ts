/** The reliability plot: the risk that the last session made expect, against what all other trials showed. */

import type { Reliability } from "../wire/evidence";
import { boundaryWords, directionWords } from "./grid";
import type { Speech } from "./speech";

export const SIDE = 160;

export interface ReliabilityMark {
  readonly x: number;
  readonly y: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether what was expected lies inside the exact interval. */
  readonly held: boolean;
  readonly label: string;
}

const at = (share: number) => Math.min(1, Math.max(0, share)) * SIDE;

export function reliabilityMarks(points: readonly Reliability[], speech: Speech): readonly ReliabilityMark[] {
  return points.map((point) => {
    const [low, high] = point.interval;
    const held = low <= point.expected && point.expected <= high;
    const values = {
      property: speech.word("property", point.property),
      direction: directionWords(point.direction, speech),
      boundary: boundaryWords(point.boundary, speech),
      expected: speech.percent(point.expected),
      k: speech.number(point.failures),
      n: speech.number(point.decided),
      low: speech.percent(low),
      high: speech.percent(high),
    };
    return {
      x: at(point.expected),
      y: SIDE - at(point.failures / point.decided),
      top: SIDE - at(high),
      bottom: SIDE - at(low),
      held,
      label: speech.say(held ? "reliability_held" : "reliability_broken", values),
    };
  });
}

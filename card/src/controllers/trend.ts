/** The share of wrong checks over some days, as Home Assistant's own statistics remember it. */

import type { Home } from "../home";

export const TREND_WIDTH = 80;
export const TREND_HEIGHT = 20;
const DAY = 86_400_000;

export interface Point {
  /** 0 (first day) to 1 (now). */
  readonly at: number;
  /** 0 to 1. */
  readonly share: number;
}

type Statistics = Record<string, readonly { start: number; mean?: number | null }[]>;

/** Ask once for the trends of risk sensors, by sensor; a sensor of which nothing is remembered is missing. */
export async function trendsOf(
  home: Pick<Home, "callWS">,
  sensors: readonly string[],
  days: number,
  now: number,
): Promise<ReadonlyMap<string, readonly Point[]>> {
  if (sensors.length === 0) return new Map();
  try {
    const found = await home.callWS<Statistics>({
      type: "recorder/statistics_during_period",
      start_time: new Date(now - days * DAY).toISOString(),
      statistic_ids: sensors,
      period: days > 3 ? "day" : "hour",
      types: ["mean"],
    });
    const at = (start: number) => Math.min(1, Math.max(0, 1 - (now - start) / (days * DAY)));
    return new Map(
      Object.entries(found).map(([sensor, rows]) => [
        sensor,
        rows.flatMap(({ start, mean }) => (typeof mean === "number" ? [{ at: at(start), share: mean / 100 }] : [])),
      ]),
    );
  } catch {
    return new Map(); // a home without a recorder has no trends
  }
}

/** The trend as an SVG path over the square root scale of the bar; empty where there is no line to draw. */
export function trendPath(points: readonly Point[]): string {
  if (points.length < 2) return "";
  return points
    .map(({ at, share }, index) => {
      const y = TREND_HEIGHT - 1 - Math.sqrt(Math.min(1, Math.max(0, share))) * (TREND_HEIGHT - 2);
      return `${index === 0 ? "M" : "L"}${(at * TREND_WIDTH).toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}

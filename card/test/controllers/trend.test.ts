import { describe, expect, it } from "vitest";
import { TREND_HEIGHT, TREND_WIDTH, trendPath, trendsOf } from "../../src/controllers/trend";
import { fakeHome } from "../fakes/home";

const DAY = 86_400_000;
const NOW = 100 * DAY;

function remembering(found: unknown) {
  const sent: Record<string, unknown>[] = [];
  const home = fakeHome({
    callWS: async (message) => {
      sent.push(message);
      if (found instanceof Error) throw found;
      return found as never;
    },
  });
  return { home, sent };
}

describe("trends", () => {
  it("are asked for once, for all sensors", async () => {
    const { home, sent } = remembering({});
    await trendsOf(home, ["sensor.a", "sensor.b"], 7, NOW);
    expect(sent).toEqual([
      {
        type: "recorder/statistics_during_period",
        start_time: new Date(NOW - 7 * DAY).toISOString(),
        statistic_ids: ["sensor.a", "sensor.b"],
        period: "day",
        types: ["mean"],
      },
    ]);
  });

  it("of few days are asked for by the hour", async () => {
    const { home, sent } = remembering({});
    await trendsOf(home, ["sensor.a"], 2, NOW);
    expect(sent[0]?.["period"]).toBe("hour");
  });

  it("are not asked for where there is no sensor", async () => {
    const { home, sent } = remembering({});
    expect(await trendsOf(home, [], 7, NOW)).toEqual(new Map());
    expect(sent).toEqual([]);
  });

  it("leave out times at which the risk was unknown, and keep to the days asked for", async () => {
    const rows = [
      { start: NOW - 8 * DAY, mean: 10 },
      { start: NOW - 3.5 * DAY, mean: 20 },
      { start: NOW - DAY, mean: null },
      { start: NOW - DAY },
    ];
    const { home } = remembering({ "sensor.a": rows });
    expect(await trendsOf(home, ["sensor.a"], 7, NOW)).toEqual(
      new Map([
        [
          "sensor.a",
          [
            { at: 0, share: 0.1 },
            { at: 0.5, share: 0.2 },
          ],
        ],
      ]),
    );
  });

  it("are none in a home without a recorder", async () => {
    const { home } = remembering(new Error("unknown_command"));
    expect(await trendsOf(home, ["sensor.a"], 7, NOW)).toEqual(new Map());
  });
});

describe("the line", () => {
  it("goes from the first day to now, and from no risk below to full risk above", () => {
    expect(
      trendPath([
        { at: 0, share: 0 },
        { at: 1, share: 1 },
      ]),
    ).toBe(`M0.0 ${TREND_HEIGHT - 1}.0L${TREND_WIDTH}.0 1.0`);
  });

  it("needs two points", () => {
    expect(trendPath([{ at: 0, share: 0 }])).toBe("");
  });
});

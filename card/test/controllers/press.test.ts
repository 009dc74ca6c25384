import { beforeEach, describe, expect, it } from "vitest";
import { HOLD, Press, requestFor } from "../../src/controllers/press";
import { FakeTime } from "../fakes/home";

let time: FakeTime;
let press: Press;
let done: string[];
const hold = () => void done.push("hold");
const tap = () => void done.push("tap");

beforeEach(() => {
  time = new FakeTime();
  press = new Press(time.later);
  done = [];
});

describe("a finger", () => {
  it("that leaves soon taps", () => {
    press.down(hold);
    time.pass(HOLD - 1);
    press.click(tap);
    time.pass(HOLD);
    expect(done).toEqual(["tap"]);
  });

  it("that stays holds, and does not tap when it leaves", () => {
    press.down(hold);
    time.pass(HOLD);
    press.click(tap);
    expect(done).toEqual(["hold"]);
  });

  it("that slides away does nothing", () => {
    press.down(hold);
    press.up();
    time.pass(HOLD);
    expect(done).toEqual([]);
  });

  it("can tap after it held", () => {
    press.down(hold);
    time.pass(HOLD);
    press.click(tap);
    press.down(hold);
    press.click(tap);
    expect(done).toEqual(["hold", "tap"]);
  });
});

describe("a key", () => {
  it("taps", () => {
    press.click(tap);
    expect(done).toEqual(["tap"]);
  });
});

describe("what is asked of Home Assistant", () => {
  const info = { action: "more-info" };

  it("is what is configured, for the device of the row", () => {
    expect(requestFor("tap", { tap_action: info }, "light.desk")).toEqual({
      config: { tap_action: info, entity: "light.desk" },
      action: "tap",
    });
    expect(requestFor("hold", { hold_action: info }, "light.desk")?.action).toBe("hold");
  });

  it("is nothing where nothing is configured", () => {
    expect(requestFor("tap", { hold_action: info }, "light.desk")).toBeNull();
    expect(requestFor("hold", { tap_action: info }, "light.desk")).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { checkConfig, checkDeviceConfig, deviceForm, DOMAINS, listForm } from "../../src/controllers/config";

const english = () => "en";

describe("options", () => {
  it.each([
    ["title", 5, "“title” must be a text."],
    ["entities", "light.desk", "“entities” must be a list of entity ids."],
    ["entities", [1], "“entities” must be a list of entity ids."],
    ["sort", "random", "“sort” must be “worst” or “name”."],
    ["hide_session", "yes", "“hide_session” must be true or false."],
    ["trend_days", 0, "“trend_days” must be a whole number from 1 to 90."],
    ["trend_days", 91, "“trend_days” must be a whole number from 1 to 90."],
    ["trend_days", 1.5, "“trend_days” must be a whole number from 1 to 90."],
    ["tap_action", "more-info", "“tap_action” must be an action."],
    ["tap_action", null, null],
    ["hold_action", {}, "“hold_action” must be an action."],
  ])("%s: %j", (option, value, message) => {
    const check = () => checkConfig({ type: "custom:simverity-card", [option]: value }, "en");
    if (message === null) expect(check).not.toThrow();
    else expect(check).toThrow(message);
  });

  it("that are right, absent or somebody else's are taken", () => {
    const config = {
      type: "custom:simverity-card",
      title: "Mine",
      entities: ["light.desk"],
      sort: "name",
      hide_trend: false,
      hide_legend: undefined,
      trend_days: 30,
      tap_action: { action: "none" },
      grid_options: { columns: 6 },
      visibility: [],
    };
    expect(() => checkConfig(config, "en")).not.toThrow();
    expect(() => checkConfig(null, "en")).not.toThrow();
  });

  it("are refused in the user's language", () => {
    expect(() => checkConfig({ title: 5 }, "de")).toThrow("„title“ muss ein Text sein.");
  });

  it.each([{ type: "x" }, { entity: "" }, null])("of the device card need a device: %j", (config) => {
    expect(() => checkDeviceConfig(config, "en")).toThrow("Choose a device: the card needs “entity”.");
  });

  it("of the device card are checked too", () => {
    expect(() => checkDeviceConfig({ entity: "light.desk", trend_days: "many" }, "en")).toThrow("trend_days");
    expect(() => checkDeviceConfig({ entity: "light.desk" }, "en")).not.toThrow();
  });
});

describe.each([
  ["list", listForm(english)],
  ["device", deviceForm(english)],
])("the form of the %s card", (_, form) => {
  it("has a label for every option", () => {
    for (const field of form.schema) expect(form.computeLabel(field), field.name).not.toBe(field.name);
  });

  it("offers every option that is checked, and refuses what the card refuses", () => {
    expect(() => form.assertConfig({ entity: "light.desk", trend_days: "many" })).toThrow("trend_days");
    expect(() => form.assertConfig({ entity: "light.desk" })).not.toThrow();
  });

  it("shows a field that it does not know by its name", () => {
    expect(form.computeLabel({ name: "other" })).toBe("other");
  });
});

describe("the forms together", () => {
  it("cover every option of the cards", () => {
    const names = [...listForm(english).schema, ...deviceForm(english).schema].map((field) => field.name);
    expect(new Set(names)).toEqual(
      new Set([
        "title",
        "entities",
        "entity",
        "sort",
        "hide_session",
        "hide_legend",
        "hide_trend",
        "trend_days",
        "tap_action",
        "hold_action",
      ]),
    );
    expect(DOMAINS).toContain("light");
  });
});

import { describe, expect, it } from "vitest";
import { auditedEntity, featureFits, subjectShownBy, suggestionFor } from "../../src/controllers/suggestions";
import { goldenPicture } from "../fakes/golden";

const entry = (entity_id: string, platform: string, device_id: string | null) => ({ entity_id, platform, device_id });
const home = {
  entities: {
    "light.other": entry("light.other", "mqtt", "d-2"),
    "light.free": entry("light.free", "mqtt", null),
    "sensor.desk_power": entry("sensor.desk_power", "mqtt", "d-1"),
    "light.desk": entry("light.desk", "mqtt", "d-1"),
    "sensor.desk_disposition": entry("sensor.desk_disposition", "simverity", "d-1"),
    "sensor.gone": undefined,
  },
};

describe("an audited device", () => {
  it("is one on which our sensors sit", () => {
    expect(suggestionFor(home, "light.desk")).toEqual({
      config: { type: "custom:simverity-device-card", entity: "light.desk" },
    });
    expect(auditedEntity(home)).toBe("light.desk");
  });

  it.each(["light.other", "light.free", "sensor.desk_power", "light.unknown", "sensor.desk_disposition"])(
    "is not %s",
    (entity) => {
      expect(suggestionFor(home, entity)).toBeNull();
    },
  );

  it("may not exist", () => {
    expect(auditedEntity({ entities: {} })).toBeNull();
  });
});

describe("the tile feature", () => {
  it.each([
    ["light.desk", true],
    ["sensor.desk_disposition", true],
    ["sensor.desk_power", false],
    ["nonsense", false],
    [undefined, false],
  ])("fits %s: %s", (entity, fits) => {
    expect(featureFits(home, entity)).toBe(fits);
  });

  it.each([
    ["light.desk", "desk"],
    ["sensor.desk_disposition", "desk"],
    ["sensor.desk_false_clearance_risk", "desk"],
    ["light.other", null],
  ])("of %s speaks of %s", (entity, subject) => {
    expect(subjectShownBy(goldenPicture, entity)).toBe(subject);
  });
});

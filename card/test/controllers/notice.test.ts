import { describe, expect, it } from "vitest";
import { blocking, warnings } from "../../src/controllers/notice";
import { NOTHING, type Picture } from "../../src/controllers/picture";
import { goldenPicture } from "../fakes/golden";
import { english } from "../fakes/home";

const block = (picture: Picture, shown = 0) => blocking(picture, shown, "0.3.0", english);
const none = { ...goldenPicture, subjects: new Map() };

describe("what is said instead of rows", () => {
  it.each([
    ["loading", { ...NOTHING }, "busy", "Loading…"],
    ["absent", { ...NOTHING, status: "absent" as const }, "info", "SimVerity is not set up"],
    ["forbidden", { ...NOTHING, status: "forbidden" as const }, "warning", "You may not see this"],
    ["empty", none, "info", "No device is audited yet"],
    ["all hidden", { ...none, hidden: 2 }, "info", "You may not see any of the audited devices"],
    ["none of those listed", goldenPicture, "info", "None of the devices listed"],
  ])("%s", (_, picture, tone, text) => {
    expect(block(picture)?.tone).toBe(tone);
    expect(block(picture)?.text).toContain(text);
  });

  it("another version offers to reload and shows no verdict", () => {
    expect(block({ ...NOTHING, status: "mismatch", told: "0.4.1" })).toEqual({
      tone: "warning",
      text: "The dashboard and SimVerity are of different versions, so nothing is shown. Reload the page.",
      detail: "Card 0.3.0, SimVerity 0.4.1.",
      reload: true,
    });
    expect(block({ ...NOTHING, status: "mismatch" })?.detail).toBe("Card 0.3.0, SimVerity ?.");
  });

  it("nothing, where there are rows", () => {
    expect(block(goldenPicture, 1)).toBeNull();
  });
});

describe("what is said above the rows", () => {
  it("is nothing when all is well, or still being checked", () => {
    expect(warnings(goldenPicture, english)).toEqual([]);
    expect(warnings({ ...goldenPicture, ledger: { ...goldenPicture.ledger, state: "verifying" } }, english)).toEqual(
      [],
    );
  });

  it("is that the connection is lost", () => {
    expect(warnings({ ...goldenPicture, stale: true }, english)).toEqual([
      { tone: "warning", text: "Connection lost: this is what was known before." },
    ]);
  });

  it("is that the evidence cannot be used", () => {
    const ledger = { ...goldenPicture.ledger, state: "damaged" };
    expect(warnings({ ...goldenPicture, ledger }, english)).toEqual([
      { tone: "error", text: "Evidence record: Damaged. Nothing is cleared until that is repaired." },
    ]);
  });

  it.each(["unreachable", "unauthorized", "unsupported"])("is that the witness is %s", (witness) => {
    expect(warnings({ ...goldenPicture, witness }, english)).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { afterEvent, type Picture } from "../../src/controllers/picture";
import { nameOf, rowOf, Rows, spoken, together } from "../../src/controllers/rows";
import type { Home } from "../../src/home";
import type { Disposition, Subject } from "../../src/wire/snapshot";
import { goldenPicture, goldenSubject } from "../fakes/golden";
import { english, fakeHome, plainly } from "../fakes/home";

const named = (entityId: string, name?: string, state = "on") => ({
  entity_id: entityId,
  state,
  attributes: name === undefined ? {} : { friendly_name: name },
});
const home = fakeHome({ states: { "light.desk": named("light.desk", "Desk lamp") } });

const CLEARANCE = goldenPicture.clearance;
const PROMISE =
  "Cleared. If it truly failed 2% of the time or more, we would wrongly say so 10% of the time at most, however often you look";
const BARE: Subject = { ...goldenSubject, expectedClear: null, suspect: null, before: null };

function pictureOf(devices: readonly [string, Disposition][]): Picture {
  const subjects = new Map(
    devices.map(([name, disposition]) => [name, { ...goldenSubject, entityId: `light.${name}`, disposition }]),
  );
  return { ...goldenPicture, subjects };
}

describe("a row", () => {
  const row = rowOf("desk", goldenSubject, home.states["light.desk"], CLEARANCE, english);

  it("says what to think of the device, in words", () => {
    expect(row).toMatchObject({
      name: "Desk lamp",
      verdict: "Escalate: do not trust",
      sentence: "It was reported as done and was not",
      share: "3 of 20 checks wrong",
      range: "truly between 3.2% and 38%, by one look",
      witnessText: "Camera: Has proved itself",
    });
  });

  it("notes how far it is and when it last failed", () => {
    expect(row.notes.map(plainly)).toEqual([
      "131 more clean checks until cleared",
      "Expected by Jan 5, 2027",
      "Last wrong Dec 1, 2026, 3:00 AM",
      "Its feedback: what is shown is ahead of it, or never comes",
      "Before the last change: 1 of 12 checks wrong",
    ]);
    expect(row.limit).toBe(0.02);
  });

  it("shows a prediction as one, with its level", () => {
    const view: Subject = { ...BARE, headline: null, predicted: { risk: 0.083, level: 2 }, lastFalseClearance: null };
    const row = rowOf("desk", { ...view, cleanAuditsToClear: null }, home.states["light.desk"], CLEARANCE, english);
    expect(row.notes).toEqual(["Predicted 8.3% wrong, not measured here (backoff level 2)"]);
    expect([row.share, row.bar.point]).toEqual(["no check decided yet", null]);
  });

  it("names no day while there is no pace", () => {
    const view: Subject = { ...BARE, disposition: "abstain", cleanAuditsToClear: 5, lastFalseClearance: null };
    const { notes } = rowOf("desk", view, home.states["light.desk"], CLEARANCE, english);
    expect(notes).toEqual(["5 more clean checks until cleared"]);
  });

  it("says what a clearance promises, in the numbers of this home", () => {
    const view: Subject = { ...BARE, disposition: "clear", explanation: "cleared" };
    expect(rowOf("desk", view, home.states["light.desk"], CLEARANCE, english).sentence).toBe(PROMISE);
  });

  it("notes a refusal from before a change, and nothing else that is not so", () => {
    const view: Subject = {
      ...BARE,
      carriedOver: true,
      lastFalseClearance: null,
      cleanAuditsToClear: null,
    };
    expect(rowOf("desk", view, home.states["light.desk"], CLEARANCE, english).notes).toEqual(["From before a change"]);
  });

  it.each([
    ["clear", 5],
    ["abstain", 0],
  ] as const)("asks for no more checks when %s with %i to go", (disposition, cleanAuditsToClear) => {
    const view = { ...BARE, disposition, cleanAuditsToClear, lastFalseClearance: null };
    expect(rowOf("desk", view, home.states["light.desk"], CLEARANCE, english).notes).toEqual([]);
  });

  it("is called by its entity id while it has no name, and is not available then", () => {
    const row = rowOf("desk", goldenSubject, undefined, CLEARANCE, english);
    expect([row.name, row.notes[0]]).toEqual(["light.desk", "Not available right now"]);
    expect(nameOf("light.x", named("light.x"))).toBe("light.x");
    expect(nameOf("light.x", named("light.x", ""))).toBe("light.x");
  });
});

describe("figures", () => {
  const headline = goldenSubject.headline;
  if (headline === null) throw new Error("the golden headline is gone");

  it.each([
    ["nothing", null, "no check decided yet", "could be anything"],
    ["nothing decided", { ...headline, n: 0, k: 0 }, "no check decided yet", "could be anything"],
    [
      "no limit at all",
      { ...headline, k: 0, n: 1, interval: null, upperLimit: null },
      "0 of 1 checks wrong",
      "could be anything",
    ],
    [
      "a standing limit",
      { ...headline, k: 0, n: 500, interval: null, upperLimit: 0.0074, basis: "standing" as const },
      "0 of 500 checks wrong",
      "truly at most 0.7%",
    ],
  ])("from %s", (_, given, share, range) => {
    expect(spoken(given, english)).toEqual({ share, range });
  });
});

describe("rows", () => {
  it("come worst first, then by name", () => {
    const picture = pictureOf([
      ["b", "clear"],
      ["c", "escalate"],
      ["d", "abstain"],
      ["a", "escalate"],
    ]);
    const names = (sort: "worst" | "name") => new Rows().all(picture, { sort }, home).map((row) => row.name);
    expect(names("worst")).toEqual(["light.a", "light.c", "light.d", "light.b"]);
    expect(names("name")).toEqual(["light.a", "light.b", "light.c", "light.d"]);
  });

  it("are those that are listed, or all", () => {
    const picture = pictureOf([
      ["a", "clear"],
      ["b", "clear"],
    ]);
    const shown = (entities: string[]) => new Rows().all(picture, { entities }, home).map((row) => row.entityId);
    expect(shown(["light.b", "light.gone"])).toEqual(["light.b"]);
    expect(shown([])).toEqual(["light.a", "light.b"]);
  });

  it("stay the very same while nothing in them changed", () => {
    const rows = new Rows();
    const [before] = rows.all(goldenPicture, {}, home);
    const other = { ...goldenSubject, entityId: "light.other" };
    const changed = afterEvent(goldenPicture, { type: "change", change: { subjects: new Map([["other", other]]) } });
    const after = rows.all(changed, {}, { ...home, states: { ...home.states } });
    expect(after.find((row) => row.subject === "desk")).toBe(before);
  });

  it.each<[string, Partial<Home>]>([
    ["name", { states: { "light.desk": named("light.desk", "New name") } }],
    ["availability", { states: { "light.desk": named("light.desk", "Desk lamp", "unavailable") } }],
    ["language", { language: "de" }],
  ])("are made anew after a change of %s", (_, change) => {
    const rows = new Rows();
    const [before] = rows.all(goldenPicture, {}, home);
    const [after] = rows.all(goldenPicture, {}, { ...home, ...change });
    expect(after).not.toBe(before);
  });
});

describe("a new state of the home", () => {
  const rows = new Rows();
  const touched = (change: Partial<Home>) => rows.touched(goldenPicture, home, { ...home, ...change });

  it.each<[string, Partial<Home>]>([
    ["of other devices", { states: { ...home.states, "light.x": named("light.x") } }],
    ["in which only a state changed", { states: { "light.desk": named("light.desk", "Desk lamp", "off") } }],
    ["that is the same", {}],
  ])("%s changes nothing", (_, change) => {
    expect(touched(change)).toBe(false);
  });

  it.each<[string, Partial<Home>]>([
    ["with another language", { language: "fr" }],
    ["of another user", { user: { is_admin: false } }],
    ["over another connection", { connection: fakeHome().connection }],
    ["with another name", { states: { "light.desk": named("light.desk", "New name") } }],
    ["in which a device is gone", { states: {} }],
  ])("%s matters", (_, change) => {
    expect(touched(change)).toBe(true);
  });
});

describe("all devices", () => {
  it("are counted together, the hidden ones too", () => {
    const picture = { ...goldenPicture, hidden: 2, clearance: { ...CLEARANCE, together: 1 } };
    expect(together(picture, english)).toBe("1 of 3 devices are clear, said of all at once");
  });

  it("are shown anew when what a clearance promises changes", () => {
    const rows = new Rows();
    const [before] = rows.all(goldenPicture, {}, home);
    expect(rows.all({ ...goldenPicture, clearance: { ...CLEARANCE, together: 5 } }, {}, home)[0]).toBe(before);
    const [after] = rows.all({ ...goldenPicture, clearance: { ...CLEARANCE, tolerance: 0.1 } }, {}, home);
    expect(after).not.toBe(before);
    expect(after?.limit).toBe(0.1);
  });
});

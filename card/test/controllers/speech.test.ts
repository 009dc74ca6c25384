import { describe, expect, it } from "vitest";
import { filled, LANGUAGES, speaksAlike, speechFor, textsIn } from "../../src/controllers/speech";
import { en } from "../../src/strings/en";
import { english, fakeHome, localizer, plainly, speechIn } from "../fakes/home";

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

it("never says minus zero", () => {
  expect([-0.004, 0.004, -0.006].map((time) => english.seconds(time))).toEqual(["0s", "0s", "-0.01s"]);
});

describe("languages", () => {
  it.each(Object.entries(LANGUAGES))("%s says everything, with the same values in it", (_, texts) => {
    for (const [key, text] of Object.entries(en)) {
      expect(placeholders(texts[key as keyof typeof en]), key).toEqual(placeholders(text));
      expect(texts[key as keyof typeof en].trim(), key).not.toBe("");
    }
  });

  it("fall back from a region to the language, and to English", () => {
    expect(textsIn("de-AT")).toBe(LANGUAGES["de"]);
    expect(textsIn("nl")).toBe(LANGUAGES["en"]);
    expect(textsIn("")).toBe(LANGUAGES["en"]);
  });

  it("leave a value that is not given visible", () => {
    expect(filled("{a} of {b}", { a: 1 })).toBe("1 of {b}");
  });
});

describe("words of the integration", () => {
  it("are its own", () => {
    expect(english.word("disposition", "clear")).toBe("Clear");
    expect(speechIn("de").word("disposition", "escalate")).toBe("Warnung: nicht vertrauen");
  });

  it.each(["disposition", "explanation", "witness", "property", "source", "invalidity", "ledger"] as const)(
    "exist for %s",
    (section) => {
      const sample = {
        disposition: "abstain",
        explanation: "seen_to_fail",
        witness: "qualified",
        property: "settled_postcondition",
        source: "twin",
        invalidity: "incomplete",
        ledger: "damaged",
      }[section];
      expect(english.word(section, sample)).not.toBe(sample.replaceAll("_", " "));
    },
  );

  it("that are not known yet are readable", () => {
    expect(english.word("explanation", "something_new")).toBe("something new");
    expect(english.reason("below_resolution")).toBe("too close to call for this camera");
    expect(english.reason("cosmic_ray")).toBe("cosmic ray");
    expect([english.known("path_single_light"), english.known("path_of_least")]).toEqual(["one device", undefined]);
  });
});

describe("numbers", () => {
  it.each([
    ["language", "1,234.5"],
    ["comma_decimal", "1,234.5"],
    ["decimal_comma", "1.234,5"],
    ["space_comma", "1 234,5"],
    ["quote_decimal", "1'234.5"],
    ["none", "1234.5"],
    [undefined, "1,234.5"],
  ])("follow the user's format %s", (format, expected) => {
    const speech = speechIn("en", format === undefined ? {} : { number_format: format });
    expect(plainly(speech.number(1234.5, 1))).toBe(expected);
  });

  it("follow the system where the user wants that", () => {
    const system = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(1234.5);
    expect(speechIn("de", { number_format: "system" }).number(1234.5, 1)).toBe(system);
  });

  it("are remembered with their format", () => {
    expect([english.number(1), english.number(2)]).toEqual(["1", "2"]);
  });

  it("have a decimal in small percentages only", () => {
    expect([0, 0.0074, 0.5].map((share) => english.percent(share))).toEqual(["0%", "0.7%", "50%"]);
    expect(plainly(speechIn("de").percent(0.038))).toBe("3,8 %");
  });

  it("take the form that their count wants", () => {
    expect(english.count("more_audits", 1)).toBe("1 more clean check until cleared");
    expect(english.count("more_audits", 74)).toBe("74 more clean checks until cleared");
    expect(speechIn("de").count("cell_more", 1)).toBe("noch 1 fehlerfreie Beobachtung nötig");
  });
});

describe("times", () => {
  it("are in the zone of the home and in the user's format", () => {
    const iso = "2026-12-01T15:00:00+00:00";
    expect(plainly(english.date(iso))).toBe("Dec 1, 2026, 3:00 PM");
    expect(speechIn("en", { time_format: "24" }).date(iso)).toBe("Dec 1, 2026, 15:00");
    expect(plainly(speechIn("de", { time_format: "12" }).date(iso))).toContain("3:00 PM");
  });

  it("follow the browser where the user wants that", () => {
    const iso = "2026-12-01T15:00:00+00:00";
    const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
    expect(speechIn("de", { time_format: "system", time_zone: "local" }).date(iso)).toBe(local.format(new Date(iso)));
  });

  it("that are none are shown as they came", () => {
    expect(english.date("yesterday")).toBe("yesterday");
  });

  it("last as long as one would say", () => {
    expect([2, 41, 89, 95, 431].map((seconds) => english.duration(seconds))).toEqual([
      "5 sec",
      "45 sec",
      "90 sec",
      "2 min",
      "7 min",
    ]);
    expect(english.seconds(0.256)).toBe("0.26s");
  });
});

describe("lists and order", () => {
  it("are those of the language", () => {
    expect(speechIn("de").list(["a", "b", "c"])).toBe("a, b und c");
    expect(["lamp 10", "Lamp 9", "äpfel"].sort((one, other) => speechIn("de").compare(one, other))).toEqual([
      "äpfel",
      "Lamp 9",
      "lamp 10",
    ]);
  });
});

describe("a home", () => {
  it("is spoken to in its language", () => {
    expect(speechFor(fakeHome({ language: "de", localize: localizer("de") })).say("close")).toBe("Schließen");
  });

  it("is spoken to anew when language, formats or translations changed, and only then", () => {
    const home = fakeHome();
    expect(speaksAlike(home, { ...home, states: {} })).toBe(true);
    expect(speaksAlike(home, { ...home, language: "de" })).toBe(false);
    expect(speaksAlike(home, { ...home, locale: { language: "en", number_format: "none" } })).toBe(false);
    expect(speaksAlike(home, { ...home, localize: localizer("de") })).toBe(false);
  });
});

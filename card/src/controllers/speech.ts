/** Words, numbers and times in the user's language and formats. */

import type { Home, Localize, Locale } from "../home";
import { de } from "../strings/de";
import { en, type TextKey, type Texts } from "../strings/en";
import { fr } from "../strings/fr";

export const LANGUAGES: Readonly<Record<string, Texts>> = { en, de, fr };
export type Values = Readonly<Record<string, string | number>>;

const ENTITY = "component.simverity.entity.sensor";
/** Where the integration keeps the words for the values that it sends. */
const SECTIONS = {
  disposition: `${ENTITY}.disposition.state`,
  suspect: `${ENTITY}.disposition.state_attributes.suspect.state`,
  explanation: `${ENTITY}.disposition.state_attributes.meaning.state`,
  witness: `${ENTITY}.disposition.state_attributes.witness.state`,
  property: `${ENTITY}.false_clearance_risk.state_attributes.property.state`,
  source: `${ENTITY}.false_clearance_risk.state_attributes.source.state`,
  invalidity: `${ENTITY}.session_validity.state_attributes.reasons.state`,
  ledger: `${ENTITY}.ledger.state`,
} as const;
export type Section = keyof typeof SECTIONS;

const GROUPINGS: Readonly<Record<string, readonly string[]>> = {
  comma_decimal: ["en-US", "en"],
  decimal_comma: ["de", "es", "it"],
  space_comma: ["fr", "sv", "cs"],
  quote_decimal: ["de-CH"],
};

/** Return the card's texts in a language, in English where there is no translation. */
export function textsIn(language: string): Texts {
  return LANGUAGES[language] ?? LANGUAGES[language.replace(/-.*$/, "")] ?? en;
}

/** Put values into a text; lists in the words of the language are the caller's. */
export function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Seconds below which a time is said as none, so that it is never minus zero. */
const SHORTEST = 0.005;

export class Speech {
  private readonly texts: Texts;
  private readonly plurals: Intl.PluralRules;
  private readonly formats = new Map<string, Intl.NumberFormat>();
  private readonly times: Intl.DateTimeFormat;
  private readonly days: Intl.DateTimeFormat;
  private readonly sequence: Intl.ListFormat;
  private readonly collator: Intl.Collator;

  constructor(
    readonly language: string,
    private readonly locale: Locale,
    private readonly localize: Localize,
    timeZone: string,
  ) {
    this.texts = textsIn(language);
    this.plurals = new Intl.PluralRules(language);
    this.sequence = new Intl.ListFormat(language, { type: "conjunction" });
    this.collator = new Intl.Collator(language, { numeric: true });
    const twelve = { "12": true, "24": false }[locale.time_format ?? ""];
    const zone = locale.time_zone === "server" ? { timeZone } : {};
    this.days = new Intl.DateTimeFormat(language, { dateStyle: "medium", ...zone });
    this.times = new Intl.DateTimeFormat(locale.time_format === "system" ? undefined : language, {
      dateStyle: "medium",
      timeStyle: "short",
      ...(twelve === undefined ? {} : { hour12: twelve }),
      ...zone,
    });
  }

  say(key: TextKey, values: Values = {}): string {
    return filled(this.texts[key], values);
  }

  /** Say a text whose key was put together from a value of the wire; undefined where there is none. */
  known(key: string): string | undefined {
    return key in this.texts ? this.texts[key as TextKey] : undefined;
  }

  /** Say a text that has a form for one and a form for other numbers. */
  count(stem: "more_audits" | "cell_more", n: number): string {
    const form = this.plurals.select(n) === "one" ? "one" : "other";
    return this.say(`${stem}_${form}`, { n: this.number(n) });
  }

  /** Say a value of the integration in its own words. */
  word(section: Section, value: string): string {
    return this.localize(`${SECTIONS[section]}.${value}`) || value.replaceAll("_", " ");
  }

  /** Say why something was left undecided. */
  reason(reason: string): string {
    return this.known(`reason_${reason}`) ?? reason.replaceAll("_", " ");
  }

  number(value: number, digits = 0): string {
    return this.format(`n${digits}`, { maximumFractionDigits: digits }).format(value);
  }

  /** Say a proportion in per cent, with a decimal where it is small. */
  percent(proportion: number): string {
    const digits = proportion > 0 && proportion < 0.1 ? 1 : 0;
    return this.format(`p${digits}`, { style: "percent", maximumFractionDigits: digits }).format(proportion);
  }

  /** Say a time of up to some seconds. */
  seconds(value: number): string {
    const options = { style: "unit", unit: "second", unitDisplay: "narrow", maximumFractionDigits: 2 } as const;
    return this.format("s", options).format(Math.abs(value) < SHORTEST ? 0 : value);
  }

  /** Say how long something will take: seconds below a minute and a half, minutes above. */
  duration(seconds: number): string {
    const short = seconds < 90;
    const options = { style: "unit", unitDisplay: "short", maximumFractionDigits: 0 } as const;
    const format = short
      ? this.format("ds", { ...options, unit: "second" })
      : this.format("dm", { ...options, unit: "minute" });
    return format.format(short ? Math.max(5, Math.ceil(seconds / 5) * 5) : Math.round(seconds / 60));
  }

  date(iso: string): string {
    const time = new Date(iso);
    return Number.isNaN(time.getTime()) ? iso : this.times.format(time);
  }

  /** Say a day, without its time. */
  day(iso: string): string {
    return this.days.format(new Date(iso));
  }

  list(parts: readonly string[]): string {
    return this.sequence.format(parts);
  }

  compare(one: string, other: string): number {
    return this.collator.compare(one, other);
  }

  private format(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const found = this.formats.get(name);
    if (found) return found;
    const kind = this.locale.number_format ?? "language";
    const locales =
      kind === "system" ? undefined : [...(GROUPINGS[kind] ?? (kind === "none" ? ["en-US"] : [this.language]))];
    const made = new Intl.NumberFormat(locales, { ...options, ...(kind === "none" ? { useGrouping: false } : {}) });
    this.formats.set(name, made);
    return made;
  }
}

/** Return how to speak to the user of this home. */
export function speechFor(home: Home): Speech {
  return new Speech(home.language, home.locale, home.localize, home.config.time_zone);
}

/** Whether two homes speak alike, so that nothing has to be said anew. */
export function speaksAlike(one: Home, other: Home): boolean {
  return one.language === other.language && one.locale === other.locale && one.localize === other.localize;
}

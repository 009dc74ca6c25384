/** One row per audited device, made anew only where something in it changed. */

import type { EntityState, Home } from "../home";
import type { Clearance, Disposition, Headline, Subject, WitnessState } from "../wire/snapshot";
import type { ListConfig } from "./config";
import type { Picture } from "./picture";
import { type Bar, barOf, range } from "./scale";
import { speaksAlike, type Speech, speechFor } from "./speech";

export interface Row {
  readonly subject: string;
  readonly entityId: string;
  readonly name: string;
  readonly disposition: Disposition;
  readonly verdict: string;
  readonly sentence: string;
  /** `0 of 5 wrong` */
  readonly share: string;
  /** `truly at most 52 %` */
  readonly range: string;
  readonly bar: Bar;
  /** The share of wrong checks that the home tolerates. */
  readonly limit: number;
  readonly witness: WitnessState;
  readonly witnessText: string;
  readonly notes: readonly string[];
  readonly dispositionSensor: string | null;
  readonly riskSensor: string | null;
}

const ORDER: readonly Disposition[] = ["escalate", "abstain", "clear"];

/** Say how many of how many, and where the truth may lie. */
export function spoken(headline: Headline | null, speech: Speech): { share: string; range: string } {
  if (headline === null || headline.n === 0) return { share: speech.say("share_none"), range: speech.say("anything") };
  const [low, high] = range(headline);
  const share = speech.say("share", { k: speech.number(headline.k), n: speech.number(headline.n) });
  const limits = { low: speech.percent(low), high: speech.percent(high) };
  if (high >= 1 && low === 0) return { share, range: speech.say("anything") };
  const said = speech.say(low > 0 ? "range" : "at_most", limits);
  return { share, range: headline.basis === "one_look" ? speech.say("one_look", { range: said }) : said };
}

export function nameOf(entityId: string, state: EntityState | undefined): string {
  const name = state?.attributes["friendly_name"];
  return typeof name === "string" && name ? name : entityId;
}

function usable(state: EntityState | undefined): boolean {
  return state !== undefined && state.state !== "unavailable";
}

/** Say what a clearance promises. */
function promise({ tolerance, error }: Clearance, speech: Speech): string {
  return speech.say("promise", { tolerance: speech.percent(tolerance), error: speech.percent(error) });
}

function notesOn(subject: Subject, speech: Speech): string[] {
  const notes: string[] = [];
  if (subject.carriedOver) notes.push(speech.say("carried_over"));
  if (subject.cleanAuditsToClear !== null && subject.disposition !== "clear" && subject.cleanAuditsToClear > 0) {
    notes.push(speech.count("more_audits", subject.cleanAuditsToClear));
    if (subject.expectedClear !== null) {
      notes.push(speech.say("expected_clear", { when: speech.day(subject.expectedClear) }));
    }
  }
  if (subject.lastFalseClearance !== null) {
    notes.push(speech.say("last_failed", { when: speech.date(subject.lastFalseClearance) }));
  }
  if (subject.suspect !== null && subject.disposition !== "clear") notes.push(speech.word("suspect", subject.suspect));
  if (subject.predicted !== null) {
    const { risk, level } = subject.predicted;
    notes.push(speech.say("predicted", { risk: speech.percent(risk), level: speech.number(level) }));
  }
  if (subject.before !== null) {
    const { k, n } = subject.before;
    notes.push(speech.say("before_change", { k: speech.number(k), n: speech.number(n) }));
  }
  return notes;
}

export function rowOf(
  id: string,
  subject: Subject,
  state: EntityState | undefined,
  clearance: Clearance,
  speech: Speech,
): Row {
  const name = nameOf(subject.entityId, state);
  const said = spoken(subject.headline, speech);
  return {
    subject: id,
    entityId: subject.entityId,
    name,
    disposition: subject.disposition,
    verdict: speech.word("disposition", subject.disposition),
    sentence:
      subject.explanation === "cleared" ? promise(clearance, speech) : speech.word("explanation", subject.explanation),
    ...said,
    bar: barOf(subject.headline),
    limit: clearance.tolerance,
    witness: subject.witness,
    witnessText: speech.say("witness", { state: speech.word("witness", subject.witness) }),
    notes: [...(usable(state) ? [] : [speech.say("unavailable")]), ...notesOn(subject, speech)],
    dispositionSensor: subject.sensors.disposition,
    riskSensor: subject.sensors.risk,
  };
}

interface Kept {
  readonly view: Subject;
  readonly name: string;
  readonly available: boolean;
  readonly tolerance: number;
  readonly error: number;
  readonly row: Row;
}

/** Makes rows and remembers them: an unchanged device gets the very same row again. */
export class Rows {
  private home: Home | null = null;
  private kept = new Map<string, Kept>();
  private speaker: Speech | null = null;

  speech(home: Home): Speech {
    if (this.speaker === null || this.home === null || !speaksAlike(this.home, home)) {
      this.speaker = speechFor(home);
      this.kept.clear();
    }
    this.home = home;
    return this.speaker;
  }

  /** The row of one audited device. */
  row(id: string, view: Subject, clearance: Clearance, home: Home): Row {
    const speech = this.speech(home);
    const state = home.states[view.entityId];
    const found = this.kept.get(id);
    const { tolerance, error } = clearance;
    const seen = { view, name: nameOf(view.entityId, state), available: usable(state), tolerance, error };
    if (found && Object.entries(seen).every(([key, value]) => found[key as keyof typeof seen] === value)) {
      return found.row;
    }
    const row = rowOf(id, view, state, clearance, speech);
    this.kept.set(id, { ...seen, row });
    return row;
  }

  /** The rows that a card shows, in its order. */
  all(picture: Picture, config: Pick<ListConfig, "entities" | "sort">, home: Home): Row[] {
    const wanted = config.entities?.length ? new Set(config.entities) : null;
    const rows: Row[] = [];
    for (const [id, view] of picture.subjects) {
      if (wanted === null || wanted.has(view.entityId)) rows.push(this.row(id, view, picture.clearance, home));
    }
    const speech = this.speech(home);
    const worst = config.sort !== "name";
    return rows.sort(
      (one, other) =>
        (worst ? ORDER.indexOf(one.disposition) - ORDER.indexOf(other.disposition) : 0) ||
        speech.compare(one.name, other.name),
    );
  }

  /** Whether a new state of the home could change what a card shows of these devices. */
  touched(picture: Picture, before: Home, home: Home): boolean {
    if (!speaksAlike(before, home) || before.user !== home.user || before.connection !== home.connection) return true;
    if (before.states === home.states) return false;
    for (const { entityId } of picture.subjects.values()) {
      const [old, now] = [before.states[entityId], home.states[entityId]];
      if (old !== now && (nameOf(entityId, old) !== nameOf(entityId, now) || usable(old) !== usable(now))) return true;
    }
    return false;
  }
}

/** Say of how many of the audited devices it may be said at once that they are clear. */
export function together(picture: Picture, speech: Speech): string {
  const all = picture.subjects.size + picture.hidden;
  return speech.say("together", { clear: speech.number(picture.clearance.together), all: speech.number(all) });
}

/** The messages of `simverity/snapshot/subscribe`. Proportions stay proportions (0 to 1). */

import { fields, flag, type Json, list, nullable, number, type Reader, record, text, WireError, word } from "./json";

/** The version of the messages that this card understands. */
export const SCHEMA = 1;
export const SNAPSHOT_COMMAND = "simverity/snapshot/subscribe";

export const DISPOSITIONS = ["clear", "abstain", "escalate"] as const;
export type Disposition = (typeof DISPOSITIONS)[number];
export const WITNESS_STATES = ["none", "unqualified", "qualified", "expired", "offline"] as const;
export type WitnessState = (typeof WITNESS_STATES)[number];
export const PHASES = ["idle", "qualifying", "strobing", "running", "finishing"] as const;
export type Phase = (typeof PHASES)[number];
export const DIRECTIONS = ["on", "off"] as const;
export type Direction = (typeof DIRECTIONS)[number];
export type Interval = readonly [number, number];

/** The cell that speaks for a device: `k` of `n` cleared trials were seen to fail, `abstained` more did not decide. */
export interface Headline {
  readonly property: string;
  /** Seconds after the command, or `settled` or `return`. */
  readonly boundary: string;
  readonly direction: Direction | null;
  readonly source: string;
  readonly basis: "one_look" | "standing";
  readonly k: number;
  readonly n: number;
  readonly abstained: number;
  /** The two-sided 95 % interval; null where the evidence gives none. */
  readonly interval: Interval | null;
  /** The one-sided (one look) or always-valid (standing) limit. */
  readonly upperLimit: number | null;
}

export interface Before {
  readonly k: number;
  readonly n: number;
  readonly upperLimit: number;
}

/** A risk that was not measured here; `level` of the profile's ladder counts from 1, the finest. */
export interface Predicted {
  readonly risk: number;
  readonly level: number;
}

export interface Subject {
  readonly entityId: string;
  readonly disposition: Disposition;
  readonly explanation: string;
  readonly carriedOver: boolean;
  readonly headline: Headline | null;
  readonly trials: number;
  readonly abstentions: ReadonlyMap<string, number>;
  readonly lastFalseClearance: string | null;
  readonly cleanAuditsToClear: number | null;
  readonly witness: WitnessState;
  /** When clearing is expected at the pace of the last checks; null while there is none. */
  readonly expectedClear: string | null;
  /** The side that the evidence speaks against, a key of the integration's words. */
  readonly suspect: string | null;
  /** What was shown before something changed that the figures depend on. */
  readonly before: Before | null;
  readonly predicted: Predicted | null;
  /** The entity ids of its sensors, null where there is none. */
  readonly sensors: { readonly disposition: string | null; readonly risk: string | null };
}

export interface LastSession {
  readonly session: string;
  readonly valid: boolean;
  readonly reasons: readonly string[];
  readonly endedAt: string;
}

export interface Session {
  readonly phase: Phase;
  readonly session: string | null;
  readonly done: number;
  readonly total: number;
  readonly secondsLeft: number | null;
  readonly last: LastSession | null;
}

/** What a clearance promises: a device that fails `tolerance` of the time is called clear with `error` at most. */
export interface Clearance {
  readonly tolerance: number;
  readonly error: number;
  /** Of how many devices that may be said at once. */
  readonly together: number;
}

export interface Ledger {
  readonly state: string;
  readonly entries: number;
  readonly head: string | null;
}

/** What changed; a part that is absent did not. */
export interface Change {
  readonly subjects?: ReadonlyMap<string, Subject>;
  readonly removed?: readonly string[];
  readonly hidden?: number;
  readonly session?: Session;
  readonly ledger?: Ledger;
  readonly witness?: string;
  readonly clearance?: Clearance;
}

export type SnapshotEvent =
  | { readonly type: "snapshot"; readonly whole: Required<Omit<Change, "removed">> }
  | { readonly type: "change"; readonly change: Change }
  | { readonly type: "mismatch"; readonly version: string | null; readonly schema: number | null }
  | { readonly type: "unloaded" };

const interval: Reader<Interval> = (value, path) => {
  const [low, high, ...more] = list(number)(value, path);
  if (low === undefined || high === undefined || more.length) throw new WireError(`${path} is no interval`);
  return [low, high];
};

const headline: Reader<Headline> = (value, path) => {
  const field = fields(value, path);
  return {
    property: field("property", text),
    boundary: field("boundary", text),
    direction: field("direction", nullable(word(...DIRECTIONS))),
    source: field("source", text),
    basis: field("basis", word("one_look", "standing")),
    k: field("k", number),
    n: field("n", number),
    abstained: field("abstained", number),
    interval: field("interval", nullable(interval)),
    upperLimit: field("upper_limit", nullable(number)),
  };
};

const predicted: Reader<Predicted> = (value, path) => {
  const field = fields(value, path);
  return { risk: field("risk", number), level: field("level", number) };
};

const before: Reader<Before> = (value, path) => {
  const field = fields(value, path);
  return { k: field("k", number), n: field("n", number), upperLimit: field("upper_limit", number) };
};

export const subject: Reader<Subject> = (value, path) => {
  const field = fields(value, path);
  const sensors = field("sensors", record(nullable(text)));
  return {
    entityId: field("entity_id", text),
    disposition: field("disposition", word(...DISPOSITIONS)),
    explanation: field("explanation", text),
    carriedOver: field("carried_over", flag),
    headline: field("headline", nullable(headline)),
    trials: field("trials", number),
    abstentions: field("abstentions", record(number)),
    lastFalseClearance: field("last_false_clearance", nullable(text)),
    cleanAuditsToClear: field("clean_audits_to_clear", nullable(number)),
    witness: field("witness", word(...WITNESS_STATES)),
    expectedClear: field("expected_clear", nullable(text)),
    suspect: field("suspect", nullable(text)),
    before: field("before", nullable(before)),
    predicted: field("predicted", nullable(predicted)),
    sensors: {
      disposition: sensors.get("disposition") ?? null,
      risk: sensors.get("false_clearance_risk") ?? null,
    },
  };
};

const lastSession: Reader<LastSession> = (value, path) => {
  const field = fields(value, path);
  return {
    session: field("session_id", text),
    valid: field("valid", flag),
    reasons: field("reasons", list(text)),
    endedAt: field("ended_at", text),
  };
};

const session: Reader<Session> = (value, path) => {
  const field = fields(value, path);
  return {
    phase: field("phase", word(...PHASES)),
    session: field("session_id", nullable(text)),
    done: field("done", number),
    total: field("total", number),
    secondsLeft: field("seconds_left", nullable(number)),
    last: field("last", nullable(lastSession)),
  };
};

const ledger: Reader<Ledger> = (value, path) => {
  const field = fields(value, path);
  return { state: field("state", text), entries: field("entries", number), head: field("head", nullable(text)) };
};

const clearance: Reader<Clearance> = (value, path) => {
  const field = fields(value, path);
  return {
    tolerance: field("tolerance", number),
    error: field("error", number),
    together: field("together", number),
  };
};

const PARTS = {
  subjects: record(subject),
  removed: list(text),
  hidden: number,
  session,
  ledger,
  witness: text,
  clearance,
} satisfies { [K in keyof Change]-?: Reader<NonNullable<Change[K]>> };

function change(value: Record<string, Json>): Change {
  const found = Object.entries(PARTS).filter(([name]) => value[name] !== undefined);
  return Object.fromEntries(found.map(([name, read]) => [name, read(value[name], name)]));
}

/**
 * Reads one event. A first event of another schema or version than the card's is not interpreted at all.
 *
 * @param version the version of this card
 * @throws WireError if the event is not what its type promises
 */
export function readSnapshotEvent(value: Json, version: string): SnapshotEvent {
  const field = fields(value, "event");
  const type = field("type", word("snapshot", "change", "unloaded"));
  if (type === "unloaded") return { type };
  const parts = value as Record<string, Json>;
  if (type === "change") return { type, change: change(parts) };
  const told = { schema: field("schema", nullable(number)), version: field("version", nullable(text)) };
  if (told.schema !== SCHEMA || told.version !== version) return { type: "mismatch", ...told };
  const whole = {
    subjects: field("subjects", PARTS.subjects),
    hidden: field("hidden", number),
    session: field("session", session),
    ledger: field("ledger", ledger),
    witness: field("witness", text),
    clearance: field("clearance", clearance),
  };
  return { type, whole };
}

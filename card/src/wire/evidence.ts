/** The messages of `simverity/cells/subscribe` and `simverity/evidence`. */

import { fields, flag, type Json, list, nullable, number, type Reader, record, text, WireError, word } from "./json";
import { type Direction, DIRECTIONS, type Disposition, DISPOSITIONS, type Interval } from "./snapshot";

export const CELLS_COMMAND = "simverity/cells/subscribe";
export const EVIDENCE_COMMAND = "simverity/evidence";

export const STAGES = [
  "request",
  "source_report",
  "agent_read",
  "dispatch",
  "software_feedback",
  "observable_effect",
] as const;
export type Stage = (typeof STAGES)[number];

/** One cell: `failures` of `decided` cleared trials failed; the rest of the cleared ones is undecided, by reason. */
export interface Cell {
  readonly key: string;
  readonly property: string;
  readonly boundary: string;
  readonly direction: Direction;
  readonly path: string;
  readonly source: string;
  readonly disposition: Disposition;
  /** Whether the witness may clear here too, not only convict. */
  readonly twoSided: boolean;
  readonly failures: number;
  readonly decided: number;
  readonly reasons: ReadonlyMap<string, number>;
  /** Trials whose clearance was refused or undecided: they say nothing about the risk. */
  readonly unchecked: number;
  readonly interval: Interval | null;
  readonly upperLimit: number | null;
  readonly cleanAuditsToClear: number | null;
}

export interface StageSeen {
  readonly stage: Stage;
  /** Seconds after the command; null where there is no lower bound. */
  readonly earliest: number | null;
  readonly latest: number | null;
  /** Why there is no time. */
  readonly unavailable: string | null;
  readonly reason: string | null;
}

/** One frame: the interval in which it was captured, seconds after the command, and its brightness (0 to 255). */
export interface Frame {
  readonly earliest: number;
  readonly latest: number;
  readonly level: number;
}

export interface Film {
  readonly on: number;
  readonly off: number;
  readonly guard: number;
  readonly frames: readonly Frame[];
}

export const TICKET_STATUSES = ["open", "reproduced", "fixed", "not_reproduced", "inconclusive"] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** All false clearances of one cell. */
export interface Ticket {
  readonly cell: string;
  readonly property: string;
  readonly boundary: string;
  readonly failures: number;
  readonly decided: number;
  readonly status: TicketStatus;
}

/** The trial in which some cells failed last; its traces may have been removed. */
export interface FalseClearance {
  readonly trial: string | null;
  readonly at: string;
  readonly direction: Direction;
  readonly path: string;
  readonly digest: string | null;
  readonly tickets: readonly Ticket[];
  readonly stages: readonly StageSeen[];
  readonly film: Film | null;
}

/** What the last session made expect of a cell, and how the other trials came out: `failures` of `decided`. */
export interface Reliability {
  readonly cell: string;
  readonly property: string;
  readonly boundary: string;
  readonly direction: Direction;
  readonly expected: number;
  readonly failures: number;
  readonly decided: number;
  readonly interval: Interval;
}

export interface SessionExhibit {
  readonly session: string;
  readonly declaredAt: string;
  readonly valid: boolean;
  readonly hashes: ReadonlyMap<string, string>;
  readonly cells: readonly Cell[];
}

export interface Evidence {
  /** Null where the ledger cannot be read: that is not the same as none. */
  readonly falseClearances: readonly FalseClearance[] | null;
  readonly session: SessionExhibit | null;
  readonly reliability: readonly Reliability[];
}

export type CellsEvent =
  { readonly type: "cells" | "change"; readonly cells: readonly Cell[] } | { readonly type: "unloaded" };

const pair: Reader<Interval> = (value, path) => {
  const [low, high] = list(number)(value, path);
  if (low === undefined || high === undefined) throw new WireError(`${path} is no interval`);
  return [low, high];
};

const cell: Reader<Cell> = (value, path) => {
  const field = fields(value, path);
  return {
    key: field("cell", text),
    property: field("property", text),
    boundary: field("boundary", text),
    direction: field("direction", word(...DIRECTIONS)),
    path: field("path", text),
    source: field("source", text),
    disposition: field("disposition", word(...DISPOSITIONS)),
    twoSided: field("two_sided", flag),
    failures: field("failures", number),
    decided: field("decided", number),
    reasons: field("reasons", record(number)),
    unchecked: field("blocked", number) + field("source_abstained", number),
    interval: field("interval", nullable(pair)),
    upperLimit: field("upper_limit", nullable(number)),
    cleanAuditsToClear: field("clean_audits_to_clear", nullable(number)),
  };
};

const stage: Reader<StageSeen> = (value, path) => {
  const field = fields(value, path);
  return {
    stage: field("stage", word(...STAGES)),
    earliest: field("earliest", nullable(number)),
    latest: field("latest", nullable(number)),
    unavailable: field("unavailable", nullable(text)),
    reason: field("reason", nullable(text)),
  };
};

const frame: Reader<Frame> = (value, path) => {
  const [earliest, latest, level] = list(number)(value, path);
  if (earliest === undefined || latest === undefined || level === undefined) throw new WireError(`${path} is no frame`);
  return { earliest, latest, level };
};

const film: Reader<Film> = (value, path) => {
  const field = fields(value, path);
  return {
    on: field("on", number),
    off: field("off", number),
    guard: field("guard", number),
    frames: field("samples", list(frame)),
  };
};

const ticket: Reader<Ticket> = (value, path) => {
  const field = fields(value, path);
  return {
    cell: field("cell", text),
    property: field("property", text),
    boundary: field("boundary", text),
    failures: field("failures", number),
    decided: field("decided", number),
    status: field("status", word(...TICKET_STATUSES)),
  };
};

const reliability: Reader<Reliability> = (value, path) => {
  const field = fields(value, path);
  return {
    cell: field("cell", text),
    property: field("property", text),
    boundary: field("boundary", text),
    direction: field("direction", word(...DIRECTIONS)),
    expected: field("expected", number),
    failures: field("failures", number),
    decided: field("decided", number),
    interval: field("interval", pair),
  };
};

const falseClearance: Reader<FalseClearance> = (value, path) => {
  const field = fields(value, path);
  return {
    trial: field("trial", nullable(text)),
    at: field("at", text),
    direction: field("direction", word(...DIRECTIONS)),
    path: field("path", text),
    digest: field("digest", nullable(text)),
    tickets: field("cells", list(ticket)),
    stages: field("stages", list(stage)),
    film: field("channel", nullable(film)),
  };
};

const sessionExhibit: Reader<SessionExhibit> = (value, path) => {
  const field = fields(value, path);
  return {
    session: field("session", text),
    declaredAt: field("declared_at", text),
    valid: field("valid", flag),
    hashes: field("hashes", record(text)),
    cells: field("cells", list(cell)),
  };
};

/** @throws WireError if the event is not what its type promises */
export function readCellsEvent(value: Json): CellsEvent {
  const field = fields(value, "event");
  const type = field("type", word("cells", "change", "unloaded"));
  return type === "unloaded" ? { type } : { type, cells: field("cells", list(cell)) };
}

/** @throws WireError if the answer is not what the command promises */
export function readEvidence(value: Json): Evidence {
  const field = fields(value, "evidence");
  return {
    falseClearances: field("false_clearances", nullable(list(falseClearance))),
    session: field("session", nullable(sessionExhibit)),
    reliability: field("reliability", list(reliability)),
  };
}

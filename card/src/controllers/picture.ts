/** What the card knows of the audit, and how an event changes it. */

import type { Clearance, Ledger, Session, SnapshotEvent, Subject } from "../wire/snapshot";

/**
 * - `loading` nothing has come yet
 * - `absent` SimVerity is not set up, or not yet
 * - `forbidden` this user may not ask
 * - `mismatch` card and SimVerity are of different versions: nothing is shown
 * - `ready` the rest of the picture is true
 */
export type Status = "loading" | "absent" | "forbidden" | "mismatch" | "ready";

export interface Picture {
  readonly status: Status;
  /** The connection is gone; what is shown was true when it went. */
  readonly stale: boolean;
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly hidden: number;
  readonly session: Session;
  readonly ledger: Ledger;
  readonly witness: string;
  readonly clearance: Clearance;
  /** The version that SimVerity told, where it is not this card's. */
  readonly told: string | null;
}

const IDLE: Session = { phase: "idle", session: null, done: 0, total: 0, secondsLeft: null, last: null };

export const NOTHING: Picture = {
  status: "loading",
  stale: false,
  subjects: new Map(),
  hidden: 0,
  session: IDLE,
  ledger: { state: "verifying", entries: 0, head: null },
  witness: "not_configured",
  clearance: { tolerance: 0.05, error: 0.05, together: 0 },
  told: null,
};

/** Return the picture after an event. What did not change stays the very same object. */
export function afterEvent(before: Picture, event: SnapshotEvent): Picture {
  switch (event.type) {
    case "snapshot":
      return { ...NOTHING, ...event.whole, status: "ready" };
    case "mismatch":
      return { ...NOTHING, status: "mismatch", told: event.version };
    case "unloaded":
      return { ...NOTHING, status: "absent" };
    case "change": {
      const { subjects: changed, removed, ...parts } = event.change;
      if (!changed && !removed) return { ...before, ...parts };
      const subjects = new Map([...before.subjects, ...(changed ?? [])]);
      for (const subject of removed ?? []) subjects.delete(subject);
      return { ...before, ...parts, subjects };
    }
  }
}

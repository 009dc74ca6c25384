/** What a card says instead of its rows, and above them. */

import type { Picture } from "./picture";
import type { Speech } from "./speech";

export type Tone = "busy" | "info" | "warning" | "error";

export interface Notice {
  readonly tone: Tone;
  readonly text: string;
  readonly detail?: string;
  /** Offers to load the page anew. */
  readonly reload?: boolean;
}

/** Return why nothing can be shown, null where something can. */
export function blocking(picture: Picture, shown: number, version: string, speech: Speech): Notice | null {
  switch (picture.status) {
    case "loading":
      return { tone: "busy", text: speech.say("loading") };
    case "absent":
      return { tone: "info", text: speech.say("absent") };
    case "forbidden":
      return { tone: "warning", text: speech.say("forbidden") };
    case "mismatch": {
      const detail = speech.say("mismatch_versions", { card: version, told: picture.told ?? "?" });
      return { tone: "warning", text: speech.say("mismatch"), detail, reload: true };
    }
    case "ready":
      if (shown > 0) return null;
      if (picture.subjects.size > 0) return { tone: "info", text: speech.say("nothing_listed") };
      return { tone: "info", text: speech.say(picture.hidden > 0 ? "all_hidden" : "empty") };
  }
}

/** Return what must be known before the rows are believed. */
export function warnings(picture: Picture, speech: Speech): readonly Notice[] {
  const found: Notice[] = [];
  if (picture.stale) found.push({ tone: "warning", text: speech.say("stale") });
  if (picture.ledger.state !== "sound" && picture.ledger.state !== "verifying") {
    const state = speech.word("ledger", picture.ledger.state);
    found.push({ tone: "error", text: speech.say("ledger_bad", { state }) });
  }
  if (["unreachable", "unauthorized", "unsupported"].includes(picture.witness)) {
    found.push({ tone: "warning", text: speech.say("witness_gone") });
  }
  return found;
}

/** A session: what it does, how far it is, how long it will take, and how the last one ended. */

import type { Session } from "../wire/snapshot";
import type { Speech } from "./speech";

export interface Progress {
  readonly running: boolean;
  readonly title: string;
  /** 0 to 1; null while nobody can say. */
  readonly part: number | null;
  readonly figures: string;
  readonly left: string;
  readonly last: string;
}

export function progressOf(session: Session, speech: Speech): Progress {
  const running = session.phase !== "idle";
  const counted = running && session.total > 0;
  return {
    running,
    title: speech.say(`phase_${session.phase}`),
    part: counted ? session.done / session.total : null,
    figures: counted
      ? speech.say("progress", { done: speech.number(session.done), total: speech.number(session.total) })
      : "",
    left:
      running && session.secondsLeft !== null ? speech.say("left", { time: speech.duration(session.secondsLeft) }) : "",
    last: lastWords(session, speech),
  };
}

function lastWords({ last }: Session, speech: Speech): string {
  if (last === null) return "";
  const when = speech.date(last.endedAt);
  if (last.valid) return speech.say("last_valid", { when });
  return speech.say("last_invalid", {
    when,
    reasons: speech.list(last.reasons.map((reason) => speech.word("invalidity", reason))),
  });
}

/** One trial on one time axis: the brightness that the camera saw, and the six stages. */

import type { FalseClearance, Film, StageSeen } from "../wire/evidence";
import { boundaryWords, directionWords } from "./grid";
import type { Speech } from "./speech";

export const WIDTH = 320;
export const HEIGHT = 96;

export interface Mark {
  readonly stage: string;
  readonly label: string;
  /** Where it lies on the axis, null where it is unavailable. */
  readonly from: number | null;
  readonly to: number | null;
}

export interface Tick {
  readonly x: number;
  readonly text: string;
}

export interface Timeline {
  readonly title: string;
  readonly label: string;
  /** The frames as an SVG path, empty without a film. */
  readonly curve: string;
  readonly midpoint: number | null;
  readonly marks: readonly Mark[];
  readonly ticks: readonly Tick[];
  /** What the axis measures. */
  readonly axis: string;
}

const BEFORE = 0.1;
const STEPS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const TICKS = 7;

/** The last second that matters: a little after the last stage, or after the brightness has come to rest. */
function endOf({ stages, film, tickets }: FalseClearance): number {
  const times = stages.map((seen) => seen.latest ?? 0);
  times.push(...tickets.map((ticket) => Number(ticket.boundary)).filter(Number.isFinite));
  const last = film?.frames.at(-1)?.latest ?? 0;
  return Math.max(0.3, Math.min(Math.max(...times) * 1.4 + 0.1, Math.max(last, ...times)));
}

function startOf({ stages }: FalseClearance): number {
  return Math.max(-2, Math.min(-BEFORE, ...stages.map((seen) => (seen.latest ?? 0) - 0.05)));
}

function curveOf(
  film: Film,
  x: (at: number) => number,
  y: (level: number) => number,
  from: number,
  to: number,
): string {
  const shown = film.frames.filter((frame) => frame.latest >= from && frame.earliest <= to);
  return shown
    .map((frame, index) => {
      const at = (frame.earliest + frame.latest) / 2;
      return `${index === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(frame.level).toFixed(1)}`;
    })
    .join("");
}

function ticksOf(from: number, to: number, x: (at: number) => number, speech: Speech): Tick[] {
  const step = STEPS.find((one) => (to - from) / one <= TICKS) ?? Math.ceil((to - from) / TICKS);
  const ticks: Tick[] = [];
  const first = Math.ceil(from / step) + 0; // so that it is never minus zero
  for (let index = first; index * step <= to; index += 1) {
    ticks.push({ x: x(index * step), text: speech.number(index * step, 2) });
  }
  return ticks;
}

/** Say when a stage was, or why nobody knows. */
export function stageWords(seen: StageSeen, speech: Speech): string {
  const stage = speech.say(`stage_${seen.stage}`);
  if (seen.latest === null) {
    const why = speech.known(`absent_${seen.unavailable ?? ""}`) ?? "?";
    return seen.reason === null ? `${stage}: ${why}` : `${stage}: ${why} (${speech.reason(seen.reason)})`;
  }
  const high = speech.seconds(seen.latest);
  if (seen.earliest === null) return speech.say("stage_before", { stage, high });
  const low = speech.seconds(seen.earliest);
  return low === high
    ? speech.say("stage_at", { stage, when: high })
    : speech.say("stage_between", { stage, low, high });
}

function titleOf(found: FalseClearance, speech: Speech): string {
  const boundaries = speech.list(
    [...new Set(found.tickets.map((ticket) => ticket.boundary))].map((one) => boundaryWords(one, speech)),
  );
  const direction = directionWords(found.direction, speech);
  return speech.say("false_clearance", { direction, when: speech.date(found.at), boundaries });
}

export function timelineOf(found: FalseClearance, speech: Speech): Timeline {
  const [from, to] = [startOf(found), endOf(found)];
  const x = (at: number) => ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * WIDTH;
  const film = found.film;
  const [low, high] = film ? [Math.min(film.on, film.off), Math.max(film.on, film.off)] : [0, 1];
  const margin = (high - low) * 0.15 || 1;
  const y = (level: number) =>
    HEIGHT -
    ((Math.min(high + margin, Math.max(low - margin, level)) - low + margin) / (high - low + 2 * margin)) * HEIGHT;
  const marks = found.stages.map((seen) => ({
    stage: seen.stage,
    label: stageWords(seen, speech),
    from: seen.latest === null ? null : x(seen.earliest ?? from),
    to: seen.latest === null ? null : x(seen.latest),
  }));
  const stages = marks.map((mark) => mark.label).join(". ");
  return {
    title: titleOf(found, speech),
    label: speech.say("plot_label", { low: speech.number(low), high: speech.number(high), stages }),
    curve: film ? curveOf(film, x, y, from, to) : "",
    midpoint: film ? y((film.on + film.off) / 2) : null,
    marks,
    ticks: ticksOf(from, to, x, speech),
    axis: speech.say("plot_time"),
  };
}

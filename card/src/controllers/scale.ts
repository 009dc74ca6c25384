/** The risk bar: where a share lies, what was seen, what is not known, what is ruled out. */

import type { Headline } from "../wire/snapshot";

export interface Bar {
  /** Up to here the evidence shows that checks are wrong. */
  readonly seen: number;
  /** From `seen` up to here nothing is known; what lies beyond is ruled out. */
  readonly open: number;
  /** The observed share, null where nothing was decided. */
  readonly point: number | null;
}

export const UNKNOWN: Bar = { seen: 0, open: 1, point: null };

/** Where a share lies on the bar (0 to 1). Small shares matter most, so the scale is that of the square root. */
export function position(share: number): number {
  return Math.sqrt(Math.min(1, Math.max(0, share)));
}

/** The shares between which the truth lies, as far as the evidence says. */
export function range(headline: Headline | null): readonly [number, number] {
  if (headline === null || headline.n === 0) return [0, 1];
  const [low, high] = headline.interval ?? [0, headline.upperLimit ?? 1];
  return [low, Math.max(high, headline.upperLimit ?? 0)];
}

export function barOf(headline: Headline | null): Bar {
  if (headline === null || headline.n === 0) return UNKNOWN;
  const [low, high] = range(headline);
  return { seen: position(low), open: position(high), point: position(headline.k / headline.n) };
}

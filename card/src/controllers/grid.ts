/** Cells as tables: one per direction and path, what was compared down, the boundary across. */

import type { Cell } from "../wire/evidence";
import type { Direction, Disposition } from "../wire/snapshot";
import type { Speech } from "./speech";

export interface Square {
  readonly key: string;
  /** Null where nothing was decided: it is hatched. */
  readonly figures: string | null;
  readonly disposition: Disposition;
  /** Undecided: hatched, whatever else it shows. */
  readonly hatched: boolean;
  /** The whole of it in words. */
  readonly label: string;
}

export interface Line {
  readonly property: string;
  readonly title: string;
  /** Who said done. */
  readonly source: string;
  /** One for each column; null where the property has no such cell. */
  readonly squares: readonly (Square | null)[];
}

export interface Grid {
  readonly direction: Direction;
  readonly caption: string;
  readonly columns: readonly string[];
  readonly lines: readonly Line[];
}

/** The instant of the return first, the settled boundary last. */
function rank(boundary: string): number {
  if (boundary === "return") return -1;
  return boundary === "settled" ? Infinity : Number(boundary);
}

export function boundaryWords(boundary: string, speech: Speech): string {
  if (boundary === "return") return speech.say("at_return");
  if (boundary === "settled") return speech.say("at_settled");
  return speech.say("at_seconds", { seconds: speech.number(Number(boundary), 2) });
}

export function directionWords(direction: Direction, speech: Speech): string {
  return speech.say(direction === "on" ? "turn_on" : "turn_off");
}

function pathWords(path: string, speech: Speech): string {
  return speech.known(`path_${path}`) ?? path.replaceAll("_", " ");
}

function detailsOf(cell: Cell, speech: Speech): string[] {
  const parts = [speech.word("disposition", cell.disposition)];
  if (cell.decided === 0) parts.push(speech.say("cell_none"));
  else {
    parts.push(speech.say("cell_share", { k: speech.number(cell.failures), n: speech.number(cell.decided) }));
    const [low, high] = cell.interval ?? [0, cell.upperLimit ?? 1];
    const key = low > 0 ? "range" : "at_most";
    if (high < 1) parts.push(speech.say(key, { low: speech.percent(low), high: speech.percent(high) }));
  }
  if (!cell.twoSided) parts.push(speech.say("cell_one_sided"));
  const undecided = [...cell.reasons.values()].reduce((sum, count) => sum + count, 0);
  if (undecided > 0) {
    const reasons = speech.list([...cell.reasons.keys()].map((reason) => speech.reason(reason)));
    parts.push(speech.say("cell_undecided", { n: speech.number(undecided), reasons }));
  }
  if (cell.unchecked > 0) parts.push(speech.say("cell_unchecked", { n: speech.number(cell.unchecked) }));
  if (cell.disposition !== "clear" && cell.cleanAuditsToClear) {
    parts.push(speech.count("cell_more", cell.cleanAuditsToClear));
  }
  return parts;
}

function squareOf(cell: Cell, title: string, speech: Speech): Square {
  const content = detailsOf(cell, speech).join(". ");
  return {
    key: cell.key,
    figures: cell.decided === 0 ? null : `${speech.number(cell.failures)}/${speech.number(cell.decided)}`,
    disposition: cell.disposition,
    hatched: cell.disposition === "abstain" || cell.decided === 0,
    label: speech.say("cell_label", { property: title, boundary: boundaryWords(cell.boundary, speech), content }),
  };
}

function groupedBy<T>(cells: readonly T[], key: (cell: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const cell of cells) {
    const group = groups.get(key(cell));
    if (group) group.push(cell);
    else groups.set(key(cell), [cell]);
  }
  return groups;
}

function linesOf(cells: readonly Cell[], boundaries: readonly string[], speech: Speech): Line[] {
  return [...groupedBy(cells, (cell) => `${cell.property} ${cell.source}`).values()].map((group) => {
    const { property, source } = group[0] as Cell;
    const title = speech.word("property", property);
    const at = new Map(group.map((cell) => [cell.boundary, squareOf(cell, title, speech)]));
    return {
      property,
      title,
      source: speech.word("source", source),
      squares: boundaries.map((boundary) => at.get(boundary) ?? null),
    };
  });
}

/** Turning off first: that is where lamps linger. */
export function gridsOf(cells: readonly Cell[], speech: Speech): Grid[] {
  return [...groupedBy(cells, (cell) => `${cell.direction} ${cell.path}`).entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, group]) => {
      const { direction, path } = group[0] as Cell;
      const boundaries = [...new Set(group.map((cell) => cell.boundary))].sort((one, other) => rank(one) - rank(other));
      return {
        direction,
        caption: speech.say("grid_caption", {
          direction: directionWords(direction, speech),
          path: pathWords(path, speech),
        }),
        columns: boundaries.map((boundary) => boundaryWords(boundary, speech)),
        lines: linesOf(group, boundaries, speech),
      };
    });
}

import { css, html, nothing, type TemplateResult } from "lit";
import type { Row } from "../controllers/rows";
import { position } from "../controllers/scale";

const at = (share: number) => `${(share * 100).toFixed(2)}%`;

/**
 * What was seen to be wrong, what is not known (hatched), what is ruled out; a line marks the limit.
 *
 * @param label the same in words; null where those words stand beside it
 */
export function riskBar(row: Row, label: string | null): TemplateResult {
  const { seen, open, point } = row.bar;
  return html`<div
    class="bar ${row.disposition}"
    role=${label === null ? nothing : "img"}
    aria-label=${label ?? nothing}
    aria-hidden=${label === null ? "true" : nothing}
  >
    <div class="ruled-out" style="inset-inline-start:${at(open)}"></div>
    <div class="unknown" style="inset-inline-start:${at(seen)};inline-size:${at(open - seen)}"></div>
    <div class="seen" style="inline-size:${at(seen)}"></div>
    <div class="limit" style="inset-inline-start:${at(position(row.limit))}"></div>
    ${point === null ? "" : html`<div class="point" style="inset-inline-start:${at(point)}"></div>`}
  </div>`;
}

export const barStyles = css`
  .bar {
    position: relative;
    height: 12px;
    border-radius: 6px;
    background: var(--surface);
    box-shadow: inset 0 0 0 1px var(--line);
  }
  .bar > div {
    position: absolute;
    inset-block: 0;
  }
  .ruled-out {
    inset-inline-end: 0;
    border-start-end-radius: 6px;
    border-end-end-radius: 6px;
    background: color-mix(in srgb, var(--quiet) 10%, transparent);
  }
  .clear > .ruled-out {
    background: color-mix(in srgb, var(--good) 45%, transparent);
  }
  .unknown {
    background: var(--hatch);
    border-radius: 6px;
  }
  .seen {
    inset-inline-start: 0;
    background: var(--bad);
    border-start-start-radius: 6px;
    border-end-start-radius: 6px;
  }
  .bar > .limit {
    inset-block: -3px;
    width: 0;
    border-inline-start: 2px dotted var(--text);
  }
  .bar > .point {
    inset-block: -2px;
    width: 6px;
    margin-inline-start: -3px;
    border-radius: 3px;
    background: var(--text);
    box-shadow: 0 0 0 1px var(--surface);
  }
  @media (forced-colors: active) {
    .seen,
    .bar > .point {
      background: CanvasText;
      forced-color-adjust: none;
    }
    .unknown {
      background: repeating-linear-gradient(-45deg, CanvasText 0 1px, Canvas 1px 5px);
      forced-color-adjust: none;
    }
  }
`;

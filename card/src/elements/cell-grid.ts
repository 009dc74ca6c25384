import { css, html, type TemplateResult } from "lit";
import type { Grid, Square } from "../controllers/grid";
import { DISPOSITION_ICONS, icon } from "./icons";

function square(one: Square | null): TemplateResult {
  if (one === null) return html`<td></td>`;
  return html`<td class="square ${one.disposition} ${one.hatched ? "hatched" : ""}" title=${one.label}>
    <span aria-hidden="true">${icon(DISPOSITION_ICONS[one.disposition])}${one.figures ?? "–"}</span>
    <span class="spoken">${one.label}</span>
  </td>`;
}

/** One table; hatched where the evidence says nothing. */
export function cellGrid(grid: Grid, firstColumn: string): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${grid.caption}>
    <table>
      <caption>
        ${grid.caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${firstColumn}</th>
          ${grid.columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${grid.lines.map(
          (line) =>
            html`<tr>
              <th scope="row">${line.title}<small>${line.source}</small></th>
              ${line.squares.map(square)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export const gridStyles = css`
  .scroll {
    overflow-x: auto;
    margin-block: 8px 16px;
  }
  table {
    border-collapse: separate;
    border-spacing: 3px;
    font-size: var(--ha-font-size-s, 12px);
    width: 100%;
  }
  caption {
    text-align: start;
    color: var(--quiet);
    padding-bottom: 4px;
  }
  th {
    font-weight: 500;
    padding: 2px 4px;
    text-align: center;
    white-space: nowrap;
  }
  th:first-child {
    text-align: start;
    white-space: normal;
    min-width: 120px;
    position: sticky;
    inset-inline-start: 0;
    background: var(--surface);
    z-index: 1;
  }
  th small {
    display: block;
    font-weight: 400;
    color: var(--quiet);
  }
  .square {
    text-align: center;
    min-width: 46px;
    height: 34px;
    border-radius: 6px;
    border: 1px solid color-mix(in srgb, var(--tone) 60%, transparent);
    background: color-mix(in srgb, var(--tone) 16%, transparent);
    font-variant-numeric: tabular-nums;
  }
  .square.hatched {
    background: var(--hatch);
    border-color: var(--line);
  }
  .square > span:first-child {
    display: inline-flex;
    align-items: center;
    gap: 2px;
    padding: 0 4px;
    border-radius: 4px;
  }
  .square.hatched > span:first-child {
    background: var(--surface);
  }
  .square svg.icon {
    width: 14px;
    height: 14px;
    fill: var(--tone);
  }
  .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  td {
    position: relative;
  }
  @media (forced-colors: active) {
    .square.hatched {
      background: repeating-linear-gradient(-45deg, CanvasText 0 1px, Canvas 1px 5px);
      forced-color-adjust: none;
    }
  }
`;

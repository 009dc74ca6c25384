import { css, html, type TemplateResult } from "lit";
import { TREND_HEIGHT, TREND_WIDTH } from "../controllers/trend";

export interface Trend {
  readonly path: string;
  readonly text: string;
}

/** The share of wrong checks over some days. */
export function trendLine(trend: Trend): TemplateResult {
  return html`<span class="trend"
    >${trend.text}
    <svg viewBox="0 0 ${TREND_WIDTH} ${TREND_HEIGHT}" aria-hidden="true"><path d=${trend.path}></path></svg
  ></span>`;
}

export const trendStyles = css`
  .trend {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .trend svg {
    width: 80px;
    height: 20px;
    direction: ltr;
  }
  .trend path {
    fill: none;
    stroke: var(--text);
    stroke-width: 1.5;
  }
`;

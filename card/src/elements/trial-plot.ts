import { css, html, svg, type TemplateResult } from "lit";
import { HEIGHT, type Mark, type Timeline, WIDTH } from "../controllers/timeline";

const LANE = 12;

function lane(mark: Mark, index: number): TemplateResult {
  if (mark.from === null || mark.to === null) return svg``;
  const top = HEIGHT + 6 + index * LANE;
  const width = Math.max(3, mark.to - mark.from);
  return svg`<line class="guide ${mark.stage}" x1=${mark.to} x2=${mark.to} y1="0" y2=${top}></line>
    <rect class="mark ${mark.stage}" x=${Math.min(mark.from, WIDTH - width)} y=${top} width=${width} height="8" rx="3"></rect>`;
}

/** Brightness above, the six stages below, both over the seconds since the command. */
export function trialPlot(timeline: Timeline): TemplateResult {
  const bottom = HEIGHT + 8 + timeline.marks.length * LANE;
  return html`<figure>
    <figcaption>${timeline.title}</figcaption>
    <svg class="plot" viewBox="-12 -4 ${WIDTH + 24} ${bottom + 36}" role="img" aria-label=${timeline.label}>
      ${
        timeline.midpoint === null
          ? ""
          : svg`<line class="midpoint" x1="0" x2=${WIDTH} y1=${timeline.midpoint} y2=${timeline.midpoint}></line>`
      }
      <path class="curve" d=${timeline.curve}></path>
      ${timeline.marks.map(lane)}
      ${timeline.ticks.map(
        (tick) =>
          svg`<line class="axis" x1=${tick.x} x2=${tick.x} y1=${bottom} y2=${bottom + 4}></line>
            <text x=${tick.x} y=${bottom + 16}>${tick.text}</text>`,
      )}
      <line class="axis" x1="0" x2=${WIDTH} y1=${bottom} y2=${bottom}></line>
      <text x=${WIDTH / 2} y=${bottom + 28}>${timeline.axis}</text>
    </svg>
    <ol class="stages">
      ${timeline.marks.map(
        (mark) =>
          html`<li class=${mark.from === null ? "missing" : ""}><i class="swatch ${mark.stage}"></i>${mark.label}</li>`,
      )}
    </ol>
  </figure>`;
}

export const plotStyles = css`
  figure {
    margin: 8px 0 20px;
  }
  figcaption {
    font-weight: 500;
    margin-bottom: 4px;
  }
  svg.plot {
    display: block;
    width: 100%;
    max-width: 560px;
    direction: ltr;
  }
  .plot text {
    font-size: 9px;
    fill: var(--quiet);
    text-anchor: middle;
  }
  .plot line.axis {
    stroke: var(--quiet);
    stroke-width: 1;
  }
  .plot .midpoint {
    stroke: var(--quiet);
    stroke-dasharray: 4 3;
    stroke-width: 1;
  }
  .plot .curve {
    fill: none;
    stroke: var(--text);
    stroke-width: 1.6;
    stroke-linejoin: round;
  }
  .plot .guide {
    stroke: var(--stage);
    stroke-width: 1;
    stroke-dasharray: 2 2;
  }
  .plot .mark {
    fill: var(--stage);
  }
  .swatch {
    display: inline-block;
    width: 10px;
    height: 10px;
    border-radius: 3px;
    margin-inline-end: 6px;
    background: var(--stage);
    flex: none;
  }
  .request,
  .source_report,
  .agent_read {
    --stage: var(--quiet);
  }
  .dispatch {
    --stage: var(--primary-color, #03a9f4);
  }
  .software_feedback {
    --stage: var(--good);
  }
  .observable_effect {
    --stage: var(--bad);
  }
  .stages {
    list-style: none;
    margin: 4px 0 0;
    padding: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    font-size: var(--ha-font-size-s, 12px);
  }
  .stages li {
    display: inline-flex;
    align-items: center;
  }
  .stages .missing {
    color: var(--quiet);
  }
  .stages .missing .swatch {
    background: none;
    border: 1px dashed var(--quiet);
    box-sizing: border-box;
  }
`;

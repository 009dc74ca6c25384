import { css, html, svg, type TemplateResult } from "lit";
import { type ReliabilityMark, SIDE } from "../controllers/reliability";
import type { Speech } from "../controllers/speech";

function point(mark: ReliabilityMark): TemplateResult {
  return svg`<g class=${mark.held ? "held" : "broken"}>
    <line x1=${mark.x} x2=${mark.x} y1=${mark.top} y2=${mark.bottom}></line>
    <circle cx=${mark.x} cy=${mark.y} r="3.5"></circle>
  </g>`;
}

/** What the last session made expect (across) against what all other checks showed (up), with exact bars. */
export function reliabilityPlot(marks: readonly ReliabilityMark[], speech: Speech): TemplateResult {
  if (marks.length === 0) return html`<p class="quiet">${speech.say("reliability_none")}</p>`;
  const points = marks.map((mark) => mark.label).join(". ");
  const ends = [
    [0, speech.percent(0)],
    [SIDE, speech.percent(1)],
  ] as const;
  return html`<figure>
    <svg
      class="reliability"
      viewBox="-44 -10 ${SIDE + 64} ${SIDE + 42}"
      role="img"
      aria-label=${speech.say("reliability_label", { points })}
    >
      <rect class="frame" x="0" y="0" width=${SIDE} height=${SIDE}></rect>
      <line class="diagonal" x1="0" y1=${SIDE} x2=${SIDE} y2="0"></line>
      ${marks.map(point)}
      ${ends.map(
        ([at, text]) =>
          svg`<text x=${at} y=${SIDE + 12}>${text}</text><text class="up" x="-6" y=${SIDE - at + 3}>${text}</text>`,
      )}
      <text x=${SIDE / 2} y=${SIDE + 26}>${speech.say("reliability_expected")}</text>
      <text class="up" x="-6" y=${SIDE / 2}>${speech.say("reliability_seen")}</text>
    </svg>
    <ul class="notes">
      ${marks.map((mark) => html`<li class="own-direction">${mark.label}</li>`)}
    </ul>
  </figure>`;
}

export const reliabilityStyles = css`
  figure {
    margin: 8px 0;
  }
  svg.reliability {
    display: block;
    width: 100%;
    max-width: 320px;
    direction: ltr;
  }
  .reliability .frame {
    fill: none;
    stroke: var(--line);
  }
  .reliability .diagonal {
    stroke: var(--quiet);
    stroke-dasharray: 4 3;
  }
  .reliability text {
    font-size: 9px;
    fill: var(--quiet);
    text-anchor: middle;
  }
  .reliability text.up {
    text-anchor: end;
  }
  .reliability line {
    stroke-width: 1.6;
  }
  .reliability .held {
    stroke: var(--text);
    fill: var(--text);
  }
  .reliability .broken {
    stroke: var(--bad);
    fill: var(--surface);
  }
`;

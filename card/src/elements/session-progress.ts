import { css, html, type TemplateResult } from "lit";
import type { Progress } from "../controllers/progress";

/** A running session: what it does, how far it is, and how long it will take. */
export function sessionProgress(progress: Progress, plea: string): TemplateResult {
  const percent = progress.part === null ? null : Math.round(progress.part * 100);
  return html`<div class="session">
    <div class="session-words" role="status">
      <strong>${progress.title}</strong>
      <span>${progress.figures}</span>
      <span>${progress.left}</span>
    </div>
    <div
      class="track ${percent === null ? "unsure" : ""}"
      role="progressbar"
      aria-label=${progress.title}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${percent ?? 0}
      aria-valuetext=${`${progress.figures} ${progress.left}`.trim() || progress.title}
    >
      <div style="inline-size:${percent ?? 100}%"></div>
    </div>
    <p>${plea}</p>
  </div>`;
}

export const progressStyles = css`
  .session {
    padding: 8px 16px;
    font-variant-numeric: tabular-nums;
  }
  .session p {
    margin: 4px 0 0;
    color: var(--quiet);
    font-size: var(--ha-font-size-s, 12px);
  }
  .session-words {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    margin-bottom: 6px;
  }
  .session-words > :last-child {
    margin-inline-start: auto;
  }
  .track {
    height: 8px;
    border-radius: 4px;
    overflow: hidden;
    background: color-mix(in srgb, var(--primary-color, #03a9f4) 20%, transparent);
  }
  .track > div {
    height: 100%;
    background: var(--primary-color, #03a9f4);
    transition: inline-size 0.3s;
  }
  .track.unsure > div {
    opacity: 0.5;
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  @keyframes breathe {
    to {
      opacity: 0.15;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .track > div {
      transition: none;
      animation: none !important;
    }
  }
  @media (forced-colors: active) {
    .track {
      border: 1px solid CanvasText;
    }
    .track > div {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;

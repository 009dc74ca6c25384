import { css } from "lit";

/** Colours, pill, hatching and buttons that all parts share; every colour is one of the theme's. */
export const shared = css`
  :host {
    --good: var(--success-color, #43a047);
    --bad: var(--error-color, #db4437);
    --open: var(--warning-color, #ffa600);
    --line: var(--divider-color, rgba(0, 0, 0, 0.12));
    --text: var(--primary-text-color, #212121);
    --quiet: var(--secondary-text-color, #5e5e5e);
    --surface: var(--ha-card-background, var(--card-background-color, #fff));
    --hatch: repeating-linear-gradient(
      -45deg,
      color-mix(in srgb, var(--quiet) 62%, transparent) 0 2px,
      color-mix(in srgb, var(--quiet) 14%, transparent) 2px 6px
    );
    color: var(--text);
    font-family: var(--ha-font-family-body, inherit);
  }
  .escalate {
    --tone: var(--bad);
  }
  .abstain {
    --tone: var(--open);
  }
  .clear {
    --tone: var(--good);
  }
  /* A text may be in another direction than the page: English words on an Arabic page, say. */
  .own-direction {
    unicode-bidi: plaintext;
    text-align: match-parent;
  }
  .pill {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding: 2px 8px 2px 4px;
    border-radius: 12px;
    border: 1px solid color-mix(in srgb, var(--tone) 60%, transparent);
    background: color-mix(in srgb, var(--tone) 14%, transparent);
    font-size: var(--ha-font-size-s, 12px);
    line-height: 1.4;
  }
  svg.icon {
    width: 20px;
    height: 20px;
    flex: none;
    fill: currentColor;
  }
  .pill svg.icon {
    width: 16px;
    height: 16px;
    fill: var(--tone);
  }
  button.action {
    font: inherit;
    font-weight: 500;
    min-height: 40px;
    padding: 0 16px;
    border-radius: 20px;
    border: 1px solid var(--primary-color, #03a9f4);
    color: var(--text);
    background: color-mix(in srgb, var(--primary-color, #03a9f4) 10%, transparent);
    cursor: pointer;
  }
  button.action:disabled {
    cursor: default;
    opacity: 0.6;
  }
  button:focus-visible,
  [tabindex]:focus-visible,
  summary:focus-visible {
    outline: 2px solid var(--primary-color, #03a9f4);
    outline-offset: 2px;
  }
  @media (prefers-contrast: more) {
    :host {
      --line: currentColor;
      --quiet: var(--text);
    }
  }
  @media (forced-colors: active) {
    .pill,
    .bar {
      border: 1px solid CanvasText;
    }
    svg.icon,
    .pill svg.icon {
      fill: CanvasText;
    }
  }
`;

import { css } from "lit";

export const dialogStyles = css`
  dialog {
    box-sizing: border-box;
    width: min(720px, 100vw);
    max-width: 100vw;
    max-height: min(90dvh, 1000px);
    padding: 0;
    border: none;
    border-radius: var(--ha-dialog-border-radius, 16px);
    color: var(--text);
    background: var(--surface);
    box-shadow: 0 8px 32px rgba(0, 0, 0, 0.4);
    overflow: hidden;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
  }
  dialog::backdrop {
    background: rgba(0, 0, 0, 0.5);
  }
  header {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 12px 12px 8px 20px;
    border-bottom: 1px solid var(--line);
  }
  h2 {
    flex: 1;
    margin: 0;
    font-size: var(--ha-font-size-xl, 20px);
    font-weight: 500;
    overflow-wrap: anywhere;
  }
  h3 {
    margin: 20px 0 4px;
    font-size: var(--ha-font-size-l, 16px);
    font-weight: 500;
  }
  .close {
    all: unset;
    width: 44px;
    height: 44px;
    display: grid;
    place-items: center;
    border-radius: 50%;
    cursor: pointer;
  }
  .close:focus-visible {
    outline: 2px solid var(--primary-color, #03a9f4);
  }
  .content {
    overflow-y: auto;
    padding: 12px 20px 24px;
    font-size: var(--ha-font-size-m, 14px);
  }
  .sentence {
    margin: 0 0 12px;
    line-height: 1.5;
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 12px;
    margin: 8px 0 0;
    font-variant-numeric: tabular-nums;
  }
  .figures span,
  .quiet,
  .notes {
    color: var(--quiet);
  }
  .quiet {
    margin: 4px 0;
  }
  .content .legend {
    padding: 8px 0 0;
  }
  .notes {
    list-style: none;
    margin: 8px 0 0;
    padding: 0;
    line-height: 1.6;
  }
  details {
    margin-top: 20px;
  }
  summary {
    cursor: pointer;
    min-height: 32px;
    font-weight: 500;
  }
  dl {
    margin: 4px 0 0;
  }
  dt {
    color: var(--quiet);
    margin-top: 8px;
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
    user-select: all;
  }
  @media (max-width: 600px) {
    dialog {
      width: 100vw;
      height: 100dvh;
      max-height: 100dvh;
      border-radius: 0;
    }
  }
`;

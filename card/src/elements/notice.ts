import { css, html, type TemplateResult } from "lit";
import type { Notice } from "../controllers/notice";

/** A sentence for the whole card. */
export function noticeBox(notice: Notice, reload: string): TemplateResult {
  return html`<div class="notice ${notice.tone}" role=${notice.tone === "busy" ? "status" : "note"}>
    <p>${notice.text}</p>
    ${notice.detail ? html`<p class="detail">${notice.detail}</p>` : ""}
    ${notice.reload ? html`<button class="action" @click=${() => location.reload()}>${reload}</button>` : ""}
  </div>`;
}

export const noticeStyles = css`
  .notice {
    margin: 12px 16px;
    padding: 12px 16px;
    border-radius: 8px;
    background: color-mix(in srgb, var(--tone, var(--quiet)) 10%, transparent);
    border-inline-start: 4px solid var(--tone, var(--quiet));
  }
  .notice p {
    margin: 0;
    line-height: 1.5;
  }
  .notice .detail {
    color: var(--quiet);
    font-size: var(--ha-font-size-s, 12px);
  }
  .notice button {
    margin-top: 12px;
  }
  .notice.busy {
    background: none;
    border: none;
    color: var(--quiet);
  }
  .notice.warning {
    --tone: var(--open);
  }
  .notice.error {
    --tone: var(--bad);
  }
`;

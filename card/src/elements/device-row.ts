import { css, html, LitElement, type TemplateResult } from "lit";
import { Press } from "../controllers/press";
import type { Row } from "../controllers/rows";
import { DISPOSITION_ICONS, icon, pill, witnessIcon } from "./icons";
import { later } from "./later";
import { barStyles, riskBar } from "./risk-bar";
import { shared } from "./styles";
import { type Trend, trendLine, trendStyles } from "./trend-line";

export type Gesture = "tap" | "hold";

/** One audited device; `simverity-gesture` tells of a tap or a hold. */
export class DeviceRow extends LitElement {
  static override properties = { row: { attribute: false }, trend: { attribute: false } };

  declare row: Row;
  declare trend: Trend | null;
  private readonly press = new Press(later);

  constructor() {
    super();
    this.trend = null;
  }

  override render(): TemplateResult {
    const row = this.row;
    return html`<button
      class="row ${row.disposition}"
      @pointerdown=${() => this.press.down(() => this.tell("hold"))}
      @pointerleave=${() => this.press.up()}
      @pointercancel=${() => this.press.up()}
      @click=${() => this.press.click(() => this.tell("tap"))}
      @contextmenu=${(event: Event) => event.preventDefault()}
    >
      <span class="badge">${icon(DISPOSITION_ICONS[row.disposition])}</span>
      <span class="head">
        <span class="name own-direction">${row.name}</span>
        ${pill(row.disposition, row.verdict)}
      </span>
      <span class="sentence own-direction">${row.sentence}</span>
      <span class="risk">${riskBar(row, null)}</span>
      <span class="figures"
        ><span class="share own-direction">${row.share}</span>
        <span class="range own-direction">${row.range}</span></span
      >
      <span class="notes">
        <span class="witness">${icon(witnessIcon(row.witness))}${row.witnessText}</span>
        ${row.notes.map((note) => html`<span class="own-direction">${note}</span>`)}
        ${this.trend ? trendLine(this.trend) : ""}
      </span>
    </button>`;
  }

  private tell(gesture: Gesture): void {
    const detail = { gesture, row: this.row };
    this.dispatchEvent(new CustomEvent("simverity-gesture", { detail, bubbles: true, composed: true }));
  }

  static override styles = [
    shared,
    barStyles,
    trendStyles,
    css`
      :host {
        display: block;
        content-visibility: auto;
        contain-intrinsic-size: auto 132px;
      }
      .row {
        all: unset;
        box-sizing: border-box;
        width: 100%;
        display: grid;
        grid-template-columns: 40px 1fr;
        column-gap: 12px;
        row-gap: 6px;
        padding: 12px 16px;
        cursor: pointer;
        -webkit-touch-callout: none;
        user-select: none;
      }
      .row > * {
        grid-column: 2;
        min-width: 0;
      }
      .row:hover {
        background: color-mix(in srgb, var(--text) 4%, transparent);
      }
      .row:focus-visible {
        outline: 2px solid var(--primary-color, #03a9f4);
        outline-offset: -2px;
        border-radius: var(--ha-card-border-radius, 12px);
      }
      .badge {
        grid-column: 1;
        grid-row: 1 / span 2;
        width: 40px;
        height: 40px;
        border-radius: 50%;
        display: grid;
        place-items: center;
        background: color-mix(in srgb, var(--tone) 20%, transparent);
        color: var(--tone);
      }
      .badge svg.icon {
        width: 24px;
        height: 24px;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 8px;
      }
      .name {
        font-size: var(--ha-font-size-l, 16px);
        font-weight: 500;
        overflow-wrap: anywhere;
      }
      .sentence,
      .range,
      .notes {
        color: var(--quiet);
        font-size: var(--ha-font-size-s, 12px);
        line-height: 1.4;
      }
      .figures {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 8px;
        font-size: var(--ha-font-size-m, 14px);
        font-variant-numeric: tabular-nums;
      }
      .share {
        font-weight: 500;
      }
      .range {
        align-self: center;
      }
      .notes {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 12px;
      }
      .witness {
        display: inline-flex;
        align-items: center;
        gap: 4px;
      }
      .witness svg.icon {
        width: 16px;
        height: 16px;
      }
    `,
  ];
}

export type RowEvent = CustomEvent<{ gesture: Gesture; row: Row }>;

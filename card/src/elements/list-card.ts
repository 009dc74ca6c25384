import { css, html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { checkConfig, listForm, type ListConfig } from "../controllers/config";
import { blocking, warnings } from "../controllers/notice";
import { requestFor } from "../controllers/press";
import type { Speech } from "../controllers/speech";
import type { Home } from "../home";
import type { RowEvent } from "./device-row";
import { Linked } from "./linked";
import { noticeBox, noticeStyles } from "./notice";
import { shared } from "./styles";

const pageLanguage = () => document.documentElement.lang || "en";

/** Every audited device, the worst first. */
export class ListCard extends Linked {
  static override properties = { ...Linked.properties, config: { state: true } };

  declare private config: ListConfig;

  static getConfigForm() {
    return listForm(pageLanguage);
  }

  static getStubConfig(): Partial<ListConfig> {
    return {};
  }

  setConfig(config: ListConfig): void {
    checkConfig(config, pageLanguage());
    this.config = config;
  }

  getCardSize(): number {
    return 2 + 3 * Math.min(this.picture.subjects.size, 6);
  }

  getGridOptions() {
    return { columns: 12, min_columns: 6, rows: "auto" };
  }

  override render(): TemplateResult {
    const [home, speech] = [this.hass, this.speech];
    if (!home || !speech || !this.config) return html``;
    return html`<ha-card>
      <h2 class="card-header">${this.config.title ?? speech.say("title")}</h2>
      ${this.body(home, speech)}
    </ha-card>`;
  }

  private body(home: Home, speech: Speech): TemplateResult {
    const rows = this.rows.all(this.picture, this.config, home);
    const block = blocking(this.picture, rows.length, __CARD_VERSION__, speech);
    if (block) return noticeBox(block, speech.say("reload"));
    return html`
      ${warnings(this.picture, speech).map((warning) => noticeBox(warning, ""))}
      <ul @simverity-gesture=${(event: RowEvent) => this.gesture(event)}>
        ${repeat(
          rows,
          (row) => row.subject,
          (row) => html`<li><simverity-device-row .row=${row}></simverity-device-row></li>`,
        )}
      </ul>
    `;
  }

  private gesture({ detail: { gesture, row } }: RowEvent): void {
    const request = requestFor(gesture, this.config, row.entityId);
    if (request) {
      this.dispatchEvent(new CustomEvent("hass-action", { detail: request, bubbles: true, composed: true }));
    }
  }

  static override styles = [
    shared,
    noticeStyles,
    css`
      ha-card {
        overflow: hidden;
        padding-bottom: 8px;
      }
      .card-header {
        margin: 0;
        padding: 16px 16px 4px;
        font-size: var(--ha-font-size-xl, 20px);
        font-weight: 400;
        line-height: 1.3;
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
      }
      li + li {
        border-top: 1px solid var(--line);
      }
    `,
  ];
}

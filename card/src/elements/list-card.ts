import { css, html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { checkConfig, listForm, type ListConfig, TREND_DAYS } from "../controllers/config";
import { blocking, warnings } from "../controllers/notice";
import { progressOf } from "../controllers/progress";
import { together } from "../controllers/rows";
import type { Speech } from "../controllers/speech";
import type { Home } from "../home";
import type { RowEvent } from "./device-row";
import { legend, legendStyles } from "./legend";
import { Linked } from "./linked";
import { noticeBox, noticeStyles } from "./notice";
import { progressStyles, sessionProgress } from "./session-progress";
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
    const days = this.config.trend_days ?? TREND_DAYS;
    const shows = (part: "session" | "trend" | "legend") => this.config[`hide_${part}`] !== true;
    if (shows("trend")) void this.askTrends(rows, days, speech);
    const progress = progressOf(this.picture.session, speech);
    return html`
      ${warnings(this.picture, speech).map((warning) => noticeBox(warning, ""))}
      ${shows("session") && progress.running ? sessionProgress(progress, speech.say("leave_alone")) : ""}
      <p class="together own-direction">${together(this.picture, speech)}</p>
      <ul class="rows" @simverity-gesture=${(event: RowEvent) => this.gesture(event, this.config)}>
        ${repeat(
          rows,
          (row) => row.subject,
          (row) =>
            html`<li>
              <simverity-device-row
                .row=${row}
                .trend=${shows("trend") ? this.trend(row) : null}
              ></simverity-device-row>
            </li>`,
        )}
      </ul>
      ${shows("legend") ? legend(this.picture.clearance.tolerance, speech) : ""} ${this.dialog(home, speech)}
    `;
  }

  static override styles = [
    shared,
    noticeStyles,
    progressStyles,
    legendStyles,
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
      .together {
        margin: 0;
        padding: 0 16px 4px;
        color: var(--quiet);
      }
      .rows {
        list-style: none;
        margin: 0;
        padding: 0;
      }
      .rows li + li {
        border-top: 1px solid var(--line);
      }
    `,
  ];
}

import { css, html, type TemplateResult } from "lit";
import { checkDeviceConfig, type DeviceConfig, deviceForm, TREND_DAYS } from "../controllers/config";
import { auditedEntity } from "../controllers/suggestions";
import { blocking, warnings } from "../controllers/notice";
import type { Speech } from "../controllers/speech";
import type { Home } from "../home";
import type { RowEvent } from "./device-row";
import { Linked } from "./linked";
import { noticeBox, noticeStyles } from "./notice";
import { shared } from "./styles";

const pageLanguage = () => document.documentElement.lang || "en";

/** One audited device. */
export class DeviceCard extends Linked {
  static override properties = { ...Linked.properties, config: { state: true } };

  declare private config: DeviceConfig;

  static getConfigForm() {
    return deviceForm(pageLanguage);
  }

  static getStubConfig(home: Home, unused: readonly string[], all: readonly string[]): Partial<DeviceConfig> {
    return { entity: auditedEntity(home) ?? unused[0] ?? all[0] ?? "light.example" };
  }

  setConfig(config: DeviceConfig): void {
    checkDeviceConfig(config, pageLanguage());
    this.config = config;
  }

  getCardSize(): number {
    return 3;
  }

  getGridOptions() {
    return { columns: 12, min_columns: 6, rows: "auto" };
  }

  override render(): TemplateResult {
    const [home, speech] = [this.hass, this.speech];
    if (!home || !speech || !this.config) return html``;
    return html`<ha-card>${this.body(home, speech)}</ha-card>`;
  }

  private body(home: Home, speech: Speech): TemplateResult {
    const [row] = this.rows.all(this.picture, { entities: [this.config.entity] }, home);
    if (!row) {
      const block = blocking(this.picture, 0, __CARD_VERSION__, speech);
      const unlisted = this.picture.status === "ready" && this.picture.hidden === 0;
      const text = speech.say("not_audited");
      return noticeBox(unlisted || !block ? { tone: "info", text } : block, speech.say("reload"));
    }
    const days = this.config.trend_days ?? TREND_DAYS;
    const shown = this.config.hide_trend !== true;
    if (shown) void this.askTrends([row], days, speech);
    return html`
      ${warnings(this.picture, speech).map((warning) => noticeBox(warning, ""))}
      <simverity-device-row
        .row=${row}
        .trend=${shown ? this.trend(row) : null}
        @simverity-gesture=${(event: RowEvent) => this.gesture(event, this.config)}
      ></simverity-device-row>
      ${this.dialog(home, speech)}
    `;
  }

  static override styles = [
    shared,
    noticeStyles,
    css`
      ha-card {
        overflow: hidden;
        height: 100%;
      }
    `,
  ];
}

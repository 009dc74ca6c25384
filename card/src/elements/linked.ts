import { html, LitElement, type TemplateResult } from "lit";
import type { Home } from "../home";
import { linkOver } from "../controllers/link";
import { NOTHING, type Picture } from "../controllers/picture";
import { type Actions, requestFor } from "../controllers/press";
import { type Row, Rows } from "../controllers/rows";
import type { Speech } from "../controllers/speech";
import { trendPath, trendsOf } from "../controllers/trend";
import type { RowEvent } from "./device-row";
import { later } from "./later";
import type { Trend } from "./trend-line";

const HOUR = 3_600_000;

/** An element that shows the audit: it follows the shared subscription while it is on a page. */
export abstract class Linked extends LitElement {
  static override properties = { picture: { state: true }, opened: { state: true }, trends: { state: true } };

  declare protected picture: Picture;
  /** The device whose details are open. */
  declare protected opened: string | null;
  /** By risk sensor; the very same as long as nobody has asked anew. */
  declare private trends: ReadonlyMap<string, Trend>;
  protected readonly rows = new Rows();
  private home: Home | null = null;
  private unlisten: (() => void) | null = null;
  private asked = "";

  constructor() {
    super();
    this.picture = NOTHING;
    this.opened = null;
    this.trends = new Map();
  }

  get hass(): Home | null {
    return this.home;
  }

  /** Home Assistant sets this at every state change of the home; most of them concern nothing shown here. */
  set hass(home: Home | null) {
    const before = this.home;
    this.home = home;
    if (home === null) return;
    if (before === null || before.connection !== home.connection) this.follow();
    if (before === null || this.rows.touched(this.picture, before, home)) this.requestUpdate();
    if (before === null || before.language !== home.language) void home.loadBackendTranslation("entity", "simverity");
  }

  protected get speech(): Speech | null {
    return this.home === null ? null : this.rows.speech(this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unlisten?.();
    this.unlisten = null;
  }

  /** Do what a gesture on a row is configured to do; without a configuration a tap opens the details. */
  protected gesture({ detail: { gesture, row } }: RowEvent, actions: Actions): void {
    const request = requestFor(gesture, actions, row.entityId);
    if (request) {
      this.dispatchEvent(new CustomEvent("hass-action", { detail: request, bubbles: true, composed: true }));
    } else if (gesture === "tap") {
      this.opened = row.subject;
    }
  }

  /** The open details, if any. */
  protected dialog(home: Home, speech: Speech): TemplateResult {
    const view = this.opened === null ? undefined : this.picture.subjects.get(this.opened);
    if (this.opened === null || view === undefined) return html``;
    return html`<simverity-details
      .hass=${home}
      .speech=${speech}
      .row=${this.rows.row(this.opened, view, this.picture.clearance, home)}
      .session=${this.picture.session}
      .ledger=${this.picture.ledger}
      @simverity-closed=${() => (this.opened = null)}
    ></simverity-details>`;
  }

  /** The trend of a row, null where nothing is remembered of it. */
  protected trend(row: Row): Trend | null {
    return this.trends.get(row.riskSensor ?? "") ?? null;
  }

  /** Ask for the trends of these rows, once an hour and whenever there are others. */
  protected async askTrends(rows: readonly Row[], days: number, speech: Speech): Promise<void> {
    const sensors = rows.flatMap((row) => row.riskSensor ?? []);
    const question = `${days} ${Math.floor(Date.now() / HOUR)} ${speech.language} ${sensors.join()}`;
    if (question === this.asked || this.home === null) return;
    this.asked = question;
    const found = await trendsOf(this.home, sensors, days, Date.now());
    const text = speech.say("trend", { days: speech.number(days) });
    const lines = [...found].map(([sensor, points]) => [sensor, { path: trendPath(points), text }] as const);
    this.trends = new Map(lines.filter(([, trend]) => trend.path !== ""));
  }

  private follow(): void {
    this.unlisten?.();
    this.unlisten = null;
    if (this.home === null || !this.isConnected) return;
    const link = linkOver(this.home.connection, __CARD_VERSION__, later);
    this.unlisten = link.listen((picture) => {
      this.picture = picture;
    });
  }
}

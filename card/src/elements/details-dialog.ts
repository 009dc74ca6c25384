import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { Details, type Shown } from "../controllers/details";
import { gridsOf } from "../controllers/grid";
import { reliabilityMarks } from "../controllers/reliability";
import type { Row } from "../controllers/rows";
import type { Speech } from "../controllers/speech";
import type { Home } from "../home";
import type { Cell } from "../wire/evidence";
import type { Ledger, Session } from "../wire/snapshot";
import { cellGrid, gridStyles } from "./cell-grid";
import { CLOSE, icon, pill } from "./icons";
import { legend, legendStyles } from "./legend";
import { dialogStyles } from "./details-styles";
import { reliabilityPlot, reliabilityStyles } from "./reliability-plot";
import { barStyles, riskBar } from "./risk-bar";
import { shared } from "./styles";

/** Everything that lies behind one row. It closes itself with `simverity-closed`. */
export class DetailsDialog extends LitElement {
  static override properties = {
    hass: { attribute: false },
    speech: { attribute: false },
    row: { attribute: false },
    session: { attribute: false },
    ledger: { attribute: false },
    shown: { state: true },
  };

  declare hass: Home;
  declare speech: Speech;
  declare row: Row;
  declare session: Session;
  declare ledger: Ledger;
  declare private shown: Shown | null;
  private details: Details | null = null;

  constructor() {
    super();
    this.shown = null;
  }

  protected override firstUpdated(_: PropertyValues): void {
    this.renderRoot.querySelector("dialog")?.showModal();
    this.details = new Details(this.hass, this.row.subject, (shown) => {
      this.shown = shown;
    });
    void this.details.open();
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("session");
    if (before && before.phase !== "idle" && this.session.phase === "idle") void this.details?.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.details?.close();
  }

  override render(): TemplateResult {
    const { row, speech } = this;
    return html`<dialog
      aria-labelledby="name"
      @close=${() => this.closed()}
      @click=${(event: Event) => this.aside(event)}
    >
      <header>
        <h2 id="name">${row.name}</h2>
        ${pill(row.disposition, row.verdict)}
        <button class="close" aria-label=${speech.say("close")} @click=${() => this.close()}>${icon(CLOSE)}</button>
      </header>
      <div class="content">
        ${this.verdict(row, speech)}
        <simverity-session-controls
          .hass=${this.hass}
          .speech=${speech}
          .row=${row}
          .session=${this.session}
        ></simverity-session-controls>
        ${this.evidence(speech)}
      </div>
    </dialog>`;
  }

  private verdict(row: Row, speech: Speech): TemplateResult {
    const label = speech.say("bar_label", { share: row.share, range: row.range });
    return html`<section>
      <p class="sentence own-direction">${row.sentence}</p>
      ${riskBar(row, label)}
      <p class="figures">
        <strong class="own-direction">${row.share}</strong> <span class="own-direction">${row.range}</span>
      </p>
      ${legend(row.limit, speech)}
      <ul class="notes">
        <li class="own-direction">${row.witnessText}</li>
        ${row.notes.map((note) => html`<li class="own-direction">${note}</li>`)}
      </ul>
    </section>`;
  }

  private evidence(speech: Speech): TemplateResult {
    const shown = this.shown;
    if (shown === null) return html`<p role="status">${speech.say("loading")}</p>`;
    if (shown.failed && shown.cells === null) return html`<p role="alert">${speech.say("unavailable")}</p>`;
    const { evidence } = shown;
    const cells = [...(shown.cells?.values() ?? [])];
    return html`
      ${this.clearances(shown, speech)}
      <section>
        <h3>${speech.say("evidence_standing")}</h3>
        ${this.grids(cells, speech)}
      </section>
      ${
        evidence?.session
          ? html`<section>
              <h3>${speech.say("evidence_session")}</h3>
              ${this.grids(evidence.session.cells, speech)}
            </section>`
          : ""
      }
      ${
        evidence
          ? html`<section>
              <h3>${speech.say("reliability")}</h3>
              ${reliabilityPlot(reliabilityMarks(evidence.reliability, speech), speech)}
            </section>`
          : ""
      }
      ${this.hashes(shown, speech)}
    `;
  }

  private grids(cells: readonly Cell[], speech: Speech): TemplateResult {
    if (cells.length === 0) return html`<p class="quiet">${speech.say("no_cells")}</p>`;
    return html`${gridsOf(cells, speech).map((grid) => cellGrid(grid, speech.say("column_property")))}`;
  }

  private clearances(shown: Shown, speech: Speech): TemplateResult {
    if (shown.evidence === null) return html``;
    const found = shown.evidence.falseClearances;
    return html`<section>
      <h3>${speech.say("false_clearances")}</h3>
      ${
        found === null
          ? html`<p class="quiet">${speech.say("unavailable")}</p>`
          : found.length === 0
            ? html`<p class="quiet">${speech.say("no_false_clearances")}</p>`
            : found.map(
                (one) =>
                  html`<simverity-ticket
                    .hass=${this.hass}
                    .speech=${speech}
                    .row=${this.row}
                    .session=${this.session}
                    .found=${one}
                  ></simverity-ticket>`,
              )
      }
    </section>`;
  }

  private hashes({ evidence }: Shown, speech: Speech): TemplateResult {
    const hashes = evidence?.session?.hashes ?? new Map<string, string>();
    const named = [...hashes].flatMap(([name, hash]) => {
      const title = speech.known(`hash_${name}`);
      return title ? [[title, hash] as const] : [];
    });
    if (this.ledger.head !== null) {
      named.unshift([speech.say("hash_ledger", { n: speech.number(this.ledger.entries) }), this.ledger.head]);
    }
    return html`<details>
      <summary>${speech.say("hashes")}</summary>
      <dl>
        ${named.map(
          ([title, hash]) =>
            html`<dt>${title}</dt>
              <dd><code>${hash}</code></dd>`,
        )}
      </dl>
    </details>`;
  }

  /** A click beside the dialog closes it. */
  private aside(event: Event): void {
    if (event.target === event.currentTarget) this.close();
  }

  private close(): void {
    this.renderRoot.querySelector("dialog")?.close();
  }

  private closed(): void {
    this.dispatchEvent(new CustomEvent("simverity-closed", { bubbles: true, composed: true }));
  }

  static override styles = [shared, barStyles, gridStyles, reliabilityStyles, legendStyles, dialogStyles];
}

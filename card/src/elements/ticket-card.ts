import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { ask, mayAct } from "../controllers/requests";
import type { Row } from "../controllers/rows";
import type { Speech } from "../controllers/speech";
import { canReplay, ticketLines } from "../controllers/tickets";
import { timelineOf } from "../controllers/timeline";
import type { Home } from "../home";
import type { FalseClearance } from "../wire/evidence";
import type { Session } from "../wire/snapshot";
import { shared } from "./styles";
import { plotStyles, trialPlot } from "./trial-plot";

/** One trial that was wrong: what was seen, what replays have shown since, and, for administrators, Replay. */
export class TicketCard extends LitElement {
  static override properties = {
    hass: { attribute: false },
    speech: { attribute: false },
    row: { attribute: false },
    session: { attribute: false },
    found: { attribute: false },
    considered: { state: true },
    said: { state: true },
  };

  declare hass: Home;
  declare speech: Speech;
  declare row: Row;
  declare session: Session;
  declare found: FalseClearance;
  declare private considered: boolean;
  /** How the request ended, and whether badly. */
  declare private said: { readonly text: string; readonly bad: boolean } | null;

  constructor() {
    super();
    this.considered = false;
    this.said = null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("session");
    if (before && before.phase !== "idle" && this.session.phase === "idle") this.said = null;
  }

  override render(): TemplateResult {
    const { found, speech } = this;
    return html`
      ${trialPlot(timelineOf(found, speech))}
      ${canReplay(found) ? "" : html`<p class="quiet">${speech.say("traces_removed")}</p>`}
      <ul>
        ${ticketLines(found, speech).map((line) => html`<li class="own-direction ${line.status}">${line.text}</li>`)}
      </ul>
      ${this.action()}
      ${this.said ? html`<p class="said ${this.said.bad ? "bad" : ""}" role="alert">${this.said.text}</p>` : ""}
    `;
  }

  private action(): TemplateResult | "" {
    const { speech } = this;
    if (!canReplay(this.found) || !mayAct(this.hass, this.row.entityId)) return "";
    if (!this.considered) {
      return html`<button class="action" ?disabled=${this.session.phase !== "idle"} @click=${() => this.consider()}>
        ${speech.say("replay")}
      </button>`;
    }
    return html`<div class="confirm" role="group" aria-labelledby="question">
      <p id="question">${speech.say("confirm_replay", { name: this.row.name })}</p>
      <button class="action start" @click=${() => this.start()}>${speech.say("start")}</button>
      <button class="action" @click=${() => (this.considered = false)}>${speech.say("cancel")}</button>
    </div>`;
  }

  private consider(): void {
    this.said = null;
    this.considered = true;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".start")?.focus());
  }

  private async start(): Promise<void> {
    this.considered = false;
    const data = { entity_id: this.row.entityId, direction: this.found.direction, at: this.found.at };
    const refusal = await ask(this.hass, "replay", data);
    this.said =
      refusal === null ? { text: this.speech.say("replay_started"), bad: false } : { text: refusal, bad: true };
  }

  static override styles = [
    shared,
    plotStyles,
    css`
      :host {
        display: block;
        margin-bottom: 24px;
      }
      figure {
        margin-bottom: 4px;
      }
      ul {
        margin: 4px 0 8px;
        padding-inline-start: 20px;
        line-height: 1.5;
      }
      .confirm {
        padding: 12px;
        border: 1px solid var(--line);
        border-radius: 8px;
      }
      .confirm button {
        margin-inline-end: 8px;
      }
      .confirm p {
        margin: 0 0 8px;
        line-height: 1.5;
      }
      .start {
        background: var(--primary-color, #03a9f4);
        color: var(--text-primary-color, #fff);
      }
      .said.bad {
        border-inline-start: 4px solid var(--bad);
        padding-inline-start: 8px;
      }
    `,
  ];
}

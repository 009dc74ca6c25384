import { css, html, LitElement, type TemplateResult } from "lit";
import { progressOf } from "../controllers/progress";
import { ask, mayAct, REPETITIONS, repetitionsFrom, type Work } from "../controllers/requests";
import type { Row } from "../controllers/rows";
import type { Speech } from "../controllers/speech";
import type { Home } from "../home";
import type { Session } from "../wire/snapshot";
import { progressStyles, sessionProgress } from "./session-progress";
import { shared } from "./styles";

/** Runs a session or a qualification of one device, for administrators; shows the progress to everybody. */
export class SessionControls extends LitElement {
  static override properties = {
    hass: { attribute: false },
    speech: { attribute: false },
    row: { attribute: false },
    session: { attribute: false },
    considered: { state: true },
    working: { state: true },
    said: { state: true },
    repetitions: { state: true },
  };

  declare hass: Home;
  declare speech: Speech;
  declare row: Row;
  declare session: Session;
  /** What waits for a confirmation. */
  declare private considered: Work | null;
  declare private working: boolean;
  /** How the last request ended, and whether badly. */
  declare private said: { readonly text: string; readonly bad: boolean } | null;
  declare private repetitions: number;

  constructor() {
    super();
    this.considered = null;
    this.working = false;
    this.said = null;
    this.repetitions = REPETITIONS.usual;
  }

  override render(): TemplateResult {
    const speech = this.speech;
    const progress = progressOf(this.session, speech);
    const may = mayAct(this.hass, this.row.entityId);
    return html`
      ${progress.running ? sessionProgress(progress, speech.say("leave_alone")) : ""}
      ${!progress.running && progress.last ? html`<p class="last">${progress.last}</p>` : ""}
      ${may ? (this.considered ? this.confirmation(this.considered) : this.buttons(progress.running)) : ""}
      ${this.said ? html`<p class="said ${this.said.bad ? "bad" : ""}" role="alert">${this.said.text}</p>` : ""}
    `;
  }

  private buttons(running: boolean): TemplateResult {
    const speech = this.speech;
    if (running) {
      return html`<div class="buttons">
        <button class="action" ?disabled=${this.working} @click=${() => this.request("cancel_session", {})}>
          ${speech.say("stop")}
        </button>
      </div>`;
    }
    const filmed = this.row.witness !== "none";
    return html`<div class="buttons">
      <button class="action" ?disabled=${this.working} @click=${() => this.consider("run_session")}>
        ${speech.say("run_session")}
      </button>
      ${
        filmed
          ? html`<button class="action" ?disabled=${this.working} @click=${() => this.consider("requalify")}>
              ${speech.say("requalify")}
            </button>`
          : ""
      }
      ${this.working ? html`<span role="status">${speech.say("working")}</span>` : ""}
    </div>`;
  }

  private confirmation(work: Work): TemplateResult {
    const speech = this.speech;
    const values = { name: this.row.name, n: speech.number(this.repetitions) };
    const session = work === "run_session";
    return html`<div class="confirm" role="group" aria-labelledby="question">
      <p id="question">${speech.say(session ? "confirm_session" : "confirm_requalify", values)}</p>
      ${
        session
          ? html`<label
              >${speech.say("repetitions")}
              <input
                type="number"
                min=${REPETITIONS.least}
                max=${REPETITIONS.most}
                .value=${String(this.repetitions)}
                @change=${(event: Event) => {
                  this.repetitions = repetitionsFrom((event.target as HTMLInputElement).value);
                }}
            /></label>`
          : ""
      }
      <div class="buttons">
        <button class="action start" @click=${() => this.start(work)}>${speech.say("start")}</button>
        <button class="action" @click=${() => (this.considered = null)}>${speech.say("cancel")}</button>
      </div>
    </div>`;
  }

  private consider(work: Work): void {
    this.said = null;
    this.considered = work;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".start")?.focus());
  }

  private start(work: Work): void {
    const data = { entity_id: this.row.entityId };
    void this.request(work, work === "run_session" ? { ...data, repetitions: this.repetitions } : data);
  }

  private async request(work: Work, data: Record<string, unknown>): Promise<void> {
    this.considered = null;
    this.said = null;
    this.working = true;
    const refusal = await ask(this.hass, work, data);
    this.working = false;
    if (refusal !== null) this.said = { text: refusal, bad: true };
    else if (work === "requalify") this.said = { text: this.speech.say("requalified"), bad: false };
  }

  static override styles = [
    shared,
    progressStyles,
    css`
      :host {
        display: block;
      }
      .session {
        padding: 0;
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        margin-top: 12px;
      }
      .confirm {
        margin-top: 12px;
        padding: 12px;
        border: 1px solid var(--line);
        border-radius: 8px;
      }
      .confirm p {
        margin: 0 0 8px;
        line-height: 1.5;
      }
      label {
        display: flex;
        align-items: center;
        gap: 8px;
      }
      input {
        font: inherit;
        color: var(--text);
        background: var(--surface);
        border: 1px solid var(--quiet);
        border-radius: 6px;
        padding: 6px 8px;
        width: 72px;
      }
      .start {
        background: var(--primary-color, #03a9f4);
        color: var(--text-primary-color, #fff);
      }
      .last,
      .said {
        margin: 12px 0 0;
        line-height: 1.5;
      }
      .last {
        color: var(--quiet);
      }
      .said.bad {
        border-inline-start: 4px solid var(--bad);
        padding-inline-start: 8px;
      }
    `,
  ];
}

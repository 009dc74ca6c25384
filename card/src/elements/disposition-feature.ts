import { css, html, type TemplateResult } from "lit";
import { subjectShownBy } from "../controllers/suggestions";
import { Linked } from "./linked";
import { pill } from "./icons";
import { barStyles, riskBar } from "./risk-bar";
import { shared } from "./styles";

export interface FeatureContext {
  readonly entity_id?: string;
}

/** A line inside a tile card: the disposition of the tile's entity, and how far it rests on evidence. */
export class DispositionFeature extends Linked {
  static override properties = { ...Linked.properties, context: { attribute: false } };

  declare context: FeatureContext | undefined;

  static getStubConfig() {
    return { type: "custom:simverity-disposition-feature" };
  }

  setConfig(_: unknown): void {
    // There is nothing to configure.
  }

  override render(): TemplateResult {
    const [home, speech] = [this.hass, this.speech];
    const entity = this.context?.entity_id;
    if (!home || !speech || !entity) return html``;
    const subject = subjectShownBy(this.picture, entity);
    const view = subject === null ? undefined : this.picture.subjects.get(subject);
    if (subject === null || !view) {
      const text = this.picture.status === "ready" ? "not_audited" : this.picture.status;
      return html`<p>${speech.say(text)}</p>`;
    }
    const row = this.rows.row(subject, view, this.picture.clearance, home);
    const label = speech.say("bar_label", { share: row.share, range: row.range });
    return html`<div class="feature">
      ${pill(row.disposition, row.verdict)}
      <div class="risk">${riskBar(row, label)}</div>
      <span class="share">${row.share}</span>
    </div>`;
  }

  static override styles = [
    shared,
    barStyles,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }
      .feature {
        display: grid;
        grid-template-columns: auto minmax(40px, 1fr) auto;
        align-items: center;
        gap: 8px;
        min-height: var(--feature-height, 42px);
        font-size: var(--ha-font-size-s, 12px);
      }
      .pill {
        min-width: 0;
        white-space: nowrap;
      }
      .pill span {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .share {
        white-space: nowrap;
      }
      @container (max-width: 340px) {
        .feature {
          grid-template-columns: minmax(0, 1fr);
          gap: 6px;
        }
        .pill {
          justify-self: start;
          max-width: 100%;
          box-sizing: border-box;
        }
        .share {
          display: none;
        }
      }
      p {
        margin: 0;
        color: var(--quiet);
        font-size: var(--ha-font-size-s, 12px);
      }
    `,
  ];
}

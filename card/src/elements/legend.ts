import { css, html, type TemplateResult } from "lit";
import type { Speech } from "../controllers/speech";

/** What the parts of a risk bar mean. */
export function legend(limit: number, speech: Speech): TemplateResult {
  return html`<ul class="legend" aria-hidden="true">
    <li><i class="seen"></i>${speech.say("legend_wrong")}</li>
    <li><i class="unknown"></i>${speech.say("legend_unknown")}</li>
    <li><i class="ruled"></i>${speech.say("legend_ruled_out")}</li>
    <li><i class="mark"></i>${speech.say("limit", { value: speech.percent(limit) })}</li>
  </ul>`;
}

export const legendStyles = css`
  .legend {
    list-style: none;
    margin: 0;
    padding: 8px 16px 4px;
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    color: var(--quiet);
    font-size: var(--ha-font-size-s, 12px);
  }
  .legend li {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    border: none;
  }
  .legend i {
    display: inline-block;
    width: 18px;
    height: 10px;
    border-radius: 3px;
    box-shadow: inset 0 0 0 1px var(--line);
  }
  .legend .seen {
    background: var(--bad);
  }
  .legend .unknown {
    background: var(--hatch);
  }
  .legend .ruled {
    background: color-mix(in srgb, var(--quiet) 10%, transparent);
  }
  .legend .mark {
    width: 0;
    height: 14px;
    border-radius: 0;
    border-inline-start: 2px dotted var(--text);
    box-shadow: none;
  }
  @media (forced-colors: active) {
    .legend i {
      border: 1px solid CanvasText;
      forced-color-adjust: none;
    }
    .legend .seen {
      background: CanvasText;
    }
    .legend .unknown {
      background: repeating-linear-gradient(-45deg, CanvasText 0 1px, Canvas 1px 5px);
    }
  }
`;

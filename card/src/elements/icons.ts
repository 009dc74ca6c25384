import {
  mdiAlertOctagon,
  mdiCameraOffOutline,
  mdiCameraOutline,
  mdiCheckDecagram,
  mdiClose,
  mdiHelpCircleOutline,
} from "@mdi/js";
import { svg, type TemplateResult, html } from "lit";
import type { Disposition, WitnessState } from "../wire/snapshot";

export const DISPOSITION_ICONS: Readonly<Record<Disposition, string>> = {
  clear: mdiCheckDecagram,
  abstain: mdiHelpCircleOutline,
  escalate: mdiAlertOctagon,
};

export const CLOSE = mdiClose;

export function witnessIcon(state: WitnessState): string {
  return state === "qualified" ? mdiCameraOutline : mdiCameraOffOutline;
}

/** An icon beside words that say the same. */
export function icon(path: string): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${path}></path>`}</svg>`;
}

export function pill(disposition: Disposition, verdict: string): TemplateResult {
  return html`<span class="pill ${disposition}">${icon(DISPOSITION_ICONS[disposition])}<span>${verdict}</span></span>`;
}

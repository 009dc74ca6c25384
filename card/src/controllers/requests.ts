/** What an administrator may ask for, and how a refusal is said. */

import type { Home, Refusal } from "../home";
import { domainOf } from "./config";

export const REPETITIONS = { least: 1, usual: 10, most: 100 } as const;
/** What a session may switch (const.py of the integration: SWITCHABLE_DOMAINS). */
const SWITCHABLE = ["light", "switch"];

export type Work = "run_session" | "requalify" | "cancel_session" | "replay";

export function mayAct(home: Home, entityId: string): boolean {
  return home.user?.is_admin === true && SWITCHABLE.includes(domainOf(entityId));
}

/** A whole number of repetitions that a session takes. */
export function repetitionsFrom(text: string): number {
  const given = Math.round(Number(text));
  if (!Number.isFinite(given)) return REPETITIONS.usual;
  return Math.min(REPETITIONS.most, Math.max(REPETITIONS.least, given));
}

async function sentence(home: Home, refusal: Refusal): Promise<string> {
  const { translation_domain: domain, translation_key: key } = refusal;
  if (domain && key) {
    const localize = await home.loadBackendTranslation("exceptions", domain);
    const said = localize(`component.${domain}.exceptions.${key}.message`, refusal.translation_placeholders);
    if (said) return said;
  }
  return refusal.message ?? refusal.code ?? "?";
}

/** Ask for something; return null once it is done or under way, or the sentence with which it was refused. */
export async function ask(home: Home, work: Work, data: Record<string, unknown>): Promise<string | null> {
  try {
    await home.callWS({ type: "call_service", domain: "simverity", service: work, service_data: data });
    return null;
  } catch (refusal) {
    return sentence(home, (refusal ?? {}) as Refusal);
  }
}

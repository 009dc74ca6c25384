/** The options of the cards: what they may be, and what the visual editor shows. */

import type { ActionConfig } from "../home";
import type { TextKey } from "../strings/en";
import { filled, textsIn } from "./speech";

export interface ListConfig {
  readonly type: string;
  readonly title?: string;
  /** Shown devices, by entity id; all audited ones where it is absent or empty. */
  readonly entities?: readonly string[];
  readonly sort?: "worst" | "name";
  readonly hide_session?: boolean;
  readonly hide_trend?: boolean;
  readonly hide_legend?: boolean;
  readonly trend_days?: number;
  readonly tap_action?: ActionConfig;
  readonly hold_action?: ActionConfig;
}

export interface DeviceConfig {
  readonly type: string;
  readonly entity: string;
  readonly hide_trend?: boolean;
  readonly trend_days?: number;
  readonly tap_action?: ActionConfig;
  readonly hold_action?: ActionConfig;
}

export const TREND_DAYS = 7;

type Check = { readonly kind: TextKey; readonly fits: (value: unknown) => boolean };

const isAction = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as { action?: unknown }).action === "string";
const isEntities = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");
const isDays = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 90;

const text: Check = { kind: "kind_text", fits: (value) => typeof value === "string" };
const flag: Check = { kind: "kind_flag", fits: (value) => typeof value === "boolean" };
const action: Check = { kind: "kind_action", fits: isAction };
const CHECKS: Readonly<Record<string, Check>> = {
  title: text,
  entity: text,
  entities: { kind: "kind_entities", fits: isEntities },
  sort: { kind: "kind_sort", fits: (value) => value === "worst" || value === "name" },
  hide_session: flag,
  hide_trend: flag,
  hide_legend: flag,
  trend_days: { kind: "kind_days", fits: isDays },
  tap_action: action,
  hold_action: action,
};

/**
 * Check the options of either card.
 *
 * @throws Error with a sentence that a person understands
 */
export function checkConfig(config: unknown, language: string): void {
  const texts = textsIn(language);
  const given = typeof config === "object" && config !== null ? config : {};
  for (const [option, value] of Object.entries(given)) {
    const check = CHECKS[option];
    if (check && value !== undefined && value !== null && !check.fits(value)) {
      throw new Error(filled(texts.config_not, { option, kind: texts[check.kind] }));
    }
  }
}

/** @throws Error where the device is missing, or an option is wrong */
export function checkDeviceConfig(config: unknown, language: string): void {
  checkConfig(config, language);
  if (!(config as { entity?: unknown } | null)?.entity) throw new Error(textsIn(language).config_no_entity);
}

const TREND_FIELDS = [
  { name: "hide_trend", selector: { boolean: {} } },
  { name: "trend_days", selector: { number: { min: 1, max: 90, mode: "box" } } },
];
const INTERACTIONS = [
  { name: "tap_action", selector: { ui_action: {} } },
  { name: "hold_action", selector: { ui_action: {} } },
];
export function domainOf(entityId: string): string {
  return entityId.replace(/\..*$/, "");
}

/** What the audit can observe (const.py of the integration: OBSERVABLE_DOMAINS). */
export const DOMAINS = ["light", "switch", "fan", "cover", "lock", "climate", "media_player", "input_boolean"];

function labelled(language: () => string) {
  return (schema: { name: string }): string => {
    const key = `editor_${schema.name}`;
    const texts = textsIn(language());
    return key in texts ? texts[key as TextKey] : schema.name;
  };
}

/** What `getConfigForm` of the list card answers; `language` is asked whenever a label is needed. */
export function listForm(language: () => string) {
  const texts = textsIn(language());
  const options = [
    { value: "worst", label: texts.sort_worst },
    { value: "name", label: texts.sort_name },
  ];
  return {
    schema: [
      { name: "title", selector: { text: {} } },
      { name: "entities", selector: { entity: { multiple: true, filter: { domain: DOMAINS } } } },
      { name: "sort", selector: { select: { mode: "dropdown", options } } },
      { name: "hide_session", selector: { boolean: {} } },
      { name: "hide_legend", selector: { boolean: {} } },
      ...TREND_FIELDS,
      ...INTERACTIONS,
    ],
    computeLabel: labelled(language),
    assertConfig: (config: unknown) => checkConfig(config, language()),
  };
}

/** What `getConfigForm` of the device card answers. */
export function deviceForm(language: () => string) {
  return {
    schema: [
      { name: "entity", required: true, selector: { entity: { filter: { domain: DOMAINS } } } },
      ...TREND_FIELDS,
      ...INTERACTIONS,
    ],
    computeLabel: labelled(language),
    assertConfig: (config: unknown) => checkDeviceConfig(config, language()),
  };
}

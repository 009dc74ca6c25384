import { textsIn } from "./controllers/speech";
import { featureFits, suggestionFor } from "./controllers/suggestions";
import { DetailsDialog } from "./elements/details-dialog";
import { DeviceCard } from "./elements/device-card";
import { DeviceRow } from "./elements/device-row";
import { DispositionFeature, type FeatureContext } from "./elements/disposition-feature";
import { ListCard } from "./elements/list-card";
import { SessionControls } from "./elements/session-controls";
import { TicketCard } from "./elements/ticket-card";
import type { Home } from "./home";

interface Registered {
  readonly type: string;
  readonly [key: string]: unknown;
}

declare global {
  interface Window {
    customCards?: Registered[];
    customCardFeatures?: Registered[];
  }
}

const DOCUMENTATION = "https://github.com/simverity/simverity-home-assistant";
const ELEMENTS: Readonly<Record<string, CustomElementConstructor>> = {
  "simverity-device-row": DeviceRow,
  "simverity-session-controls": SessionControls,
  "simverity-ticket": TicketCard,
  "simverity-details": DetailsDialog,
  "simverity-card": ListCard,
  "simverity-device-card": DeviceCard,
  "simverity-disposition-feature": DispositionFeature,
};

/** A page may load this file twice, under two addresses, after an update: the first stays. */
for (const [name, element] of Object.entries(ELEMENTS)) {
  if (!customElements.get(name)) customElements.define(name, element);
}

function register(list: Registered[], entry: Registered): void {
  if (!list.some((known) => known.type === entry.type)) list.push(entry);
}

const texts = textsIn(document.documentElement.lang || "en");
window.customCards ??= [];
window.customCardFeatures ??= [];
register(window.customCards, {
  type: "simverity-card",
  name: texts.card_name,
  description: texts.card_description,
  preview: true,
  documentationURL: DOCUMENTATION,
});
register(window.customCards, {
  type: "simverity-device-card",
  name: texts.device_card_name,
  description: texts.device_card_description,
  preview: true,
  documentationURL: DOCUMENTATION,
  getEntitySuggestion: suggestionFor,
});
register(window.customCardFeatures, {
  type: "simverity-disposition-feature",
  name: texts.feature_name,
  isSupported: (home: Home, context: FeatureContext) => featureFits(home, context.entity_id),
  configurable: false,
});

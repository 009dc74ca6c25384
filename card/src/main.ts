import { textsIn } from "./controllers/speech";
import { DeviceRow } from "./elements/device-row";
import { ListCard } from "./elements/list-card";

interface Registered {
  readonly type: string;
  readonly [key: string]: unknown;
}

declare global {
  interface Window {
    customCards?: Registered[];
  }
}

const ELEMENTS: Readonly<Record<string, CustomElementConstructor>> = {
  "simverity-device-row": DeviceRow,
  "simverity-card": ListCard,
};

/** A page may load this file twice: under two addresses, after an update. The first stays. */
for (const [name, element] of Object.entries(ELEMENTS)) {
  if (!customElements.get(name)) customElements.define(name, element);
}

const texts = textsIn(document.documentElement.lang || "en");
window.customCards ??= [];
if (!window.customCards.some((card) => card.type === "simverity-card")) {
  window.customCards.push({
    type: "simverity-card",
    name: texts.card_name,
    description: texts.card_description,
    preview: true,
  });
}

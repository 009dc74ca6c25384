/** Which of the home's entities are audited, as far as one can tell without asking. */

import type { Home } from "../home";
import { domainOf, DOMAINS } from "./config";
import type { Picture } from "./picture";

const OURS = "simverity";

/** Whether our sensors sit on the same device as an entity: that is how they show that it is audited. */
function isAudited(home: Pick<Home, "entities">, entityId: string): boolean {
  const device = home.entities[entityId]?.device_id;
  if (!device || !DOMAINS.includes(domainOf(entityId))) return false;
  return Object.values(home.entities).some((entry) => entry?.platform === OURS && entry.device_id === device);
}

/** Return some audited entity, null where none can be told. */
export function auditedEntity(home: Pick<Home, "entities">): string | null {
  return Object.keys(home.entities).find((entityId) => isAudited(home, entityId)) ?? null;
}

/** What Home Assistant offers as a card for an entity; null where it has nothing to do with the audit. */
export function suggestionFor(home: Pick<Home, "entities">, entityId: string): { config: object } | null {
  return isAudited(home, entityId) ? { config: { type: "custom:simverity-device-card", entity: entityId } } : null;
}

/** Whether the tile feature may say something about an entity: an audited one, or our own sensors. */
export function featureFits(home: Pick<Home, "entities">, entityId: string | undefined): boolean {
  if (!entityId) return false;
  return home.entities[entityId]?.platform === OURS || DOMAINS.includes(domainOf(entityId));
}

/** The subject of which an entity speaks: the audited entity itself, or one of our sensors about it. */
export function subjectShownBy(picture: Picture, entityId: string): string | null {
  for (const [subject, { entityId: own, sensors }] of picture.subjects) {
    if ([own, sensors.disposition, sensors.risk].includes(entityId)) return subject;
  }
  return null;
}

/** What is known of false clearances, in words, and whether they can be repeated. */

import type { FalseClearance, Ticket } from "../wire/evidence";
import { boundaryWords } from "./grid";
import type { Speech } from "./speech";

export interface TicketLine {
  readonly text: string;
  readonly status: Ticket["status"];
}

/** One line for each way in which the trial was wrong; of several boundaries of a property with one status, one. */
export function ticketLines({ tickets }: FalseClearance, speech: Speech): readonly TicketLine[] {
  const groups = new Map<string, Ticket[]>();
  for (const ticket of tickets) {
    const key = `${ticket.property}/${ticket.status}`;
    groups.set(key, [...(groups.get(key) ?? []), ticket]);
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [Ticket, ...Ticket[]];
    const property = speech.word("property", first.property);
    const boundaries = speech.list(
      [...new Set(group.map((one) => one.boundary))].map((one) => boundaryWords(one, speech)),
    );
    const status = speech.say(`ticket_${first.status}`);
    return { status: first.status, text: speech.say("ticket", { property, boundaries, status }) };
  });
}

/** A trial whose traces were removed cannot be repeated: nobody knows any more what it was. */
export function canReplay(found: FalseClearance): boolean {
  return found.trial !== null;
}

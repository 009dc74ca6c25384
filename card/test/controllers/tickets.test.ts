import { describe, expect, it } from "vitest";
import { canReplay, ticketLines } from "../../src/controllers/tickets";
import { TICKET_STATUSES, type FalseClearance, type Ticket } from "../../src/wire/evidence";
import { goldenEvidence } from "../fakes/golden";
import { english, plainly } from "../fakes/home";

const [found, removed] = goldenEvidence.falseClearances as [FalseClearance, FalseClearance];
const [ticket] = found.tickets as [Ticket];

describe("the tickets of a trial", () => {
  it("say what replays have shown", () => {
    expect(ticketLines(found, english).map((line) => plainly(line.text))).toEqual([
      "What could be seen a moment later, read after 0.1 s: happened again when replayed",
      "What could be seen a moment later, read after 0.25 s: not reproduced by a replay; that is no proof of a fix",
    ]);
  });

  it("of one property and one status are one line", () => {
    const tickets = ["0.05", "0.1"].map((boundary) => ({ ...ticket, boundary }));
    expect(ticketLines({ ...found, tickets }, english).map((line) => plainly(line.text))).toEqual([
      "What could be seen a moment later, read after 0.05 s and 0.1 s: happened again when replayed",
    ]);
  });

  it.each(TICKET_STATUSES)("have words for %s", (status) => {
    const [line] = ticketLines({ ...found, tickets: [{ ...ticket, status }] }, english);
    expect(line).toMatchObject({ status });
    expect(line?.text).not.toContain("undefined");
  });
});

it("a trial can be replayed while it is known what it was", () => {
  expect([canReplay(found), canReplay(removed)]).toEqual([true, false]);
});

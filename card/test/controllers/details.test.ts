import { beforeEach, describe, expect, it } from "vitest";
import { Details, type Shown } from "../../src/controllers/details";
import { golden } from "../fakes/golden";
import { FakeConnection, settle } from "../fakes/home";

let connection: FakeConnection;
let asked: unknown[];
let answer: () => Promise<unknown>;
let seen: Shown[];
let details: Details;

beforeEach(() => {
  connection = new FakeConnection();
  asked = [];
  answer = async () => golden.evidence;
  seen = [];
  const callWS = async <T>(message: unknown): Promise<T> => {
    asked.push(message);
    return (await answer()) as T;
  };
  details = new Details({ connection, callWS }, "desk", (shown) => seen.push(shown));
});

async function opened(): Promise<void> {
  await details.open();
  connection.last.send(golden.cells);
  await settle();
}

describe("details", () => {
  it("are subscribed to for their device, and shown as they come", async () => {
    await opened();
    expect(connection.last.message).toEqual({ type: "simverity/cells/subscribe", subject: "desk" });
    expect(asked).toEqual([{ type: "simverity/evidence", subject: "desk" }]);
    expect([...(details.shown.cells?.keys() ?? [])]).toEqual([golden.cells.cells[0]?.cell]);
    expect(details.shown.evidence?.falseClearances).toHaveLength(2);
    expect(seen.at(-1)).toBe(details.shown);
  });

  it("keep the cells that did not change, and ask for the evidence again", async () => {
    await opened();
    const [first] = golden.cells.cells;
    connection.last.send({ type: "change", cells: [{ ...first, cell: "another" }] });
    await settle();
    expect(details.shown.cells?.size).toBe(2);
    expect(asked).toHaveLength(2);
  });

  it("of a whole new answer replace the old ones", async () => {
    await opened();
    connection.last.send({ type: "cells", cells: [] });
    expect(details.shown.cells?.size).toBe(0);
  });
});

describe("details that cannot be had", () => {
  it("say so when they are refused", async () => {
    connection.refusal = { code: "not_found" };
    await details.open();
    expect(details.shown).toEqual({ cells: null, evidence: null, failed: true });
  });

  it("say so when they cannot be understood", async () => {
    await details.open();
    connection.last.send({ type: "cells", cells: "none" });
    expect(details.shown.failed).toBe(true);
  });

  it("say so when the evidence is refused, and keep the cells", async () => {
    answer = async () => Promise.reject(new Error("not_loaded"));
    await opened();
    expect(details.shown).toMatchObject({ failed: true, evidence: null });
    expect(details.shown.cells?.size).toBe(1);
  });

  it("say so when the audit is unloaded", async () => {
    await opened();
    connection.last.send({ type: "unloaded" });
    expect(details.shown.failed).toBe(true);
  });
});

describe("closing", () => {
  it("ends the subscription, and shows nothing any more", async () => {
    await opened();
    const before = seen.length;
    await details.close();
    connection.last.send(golden.cells);
    await settle();
    expect(connection.last.ended).toBe(true);
    expect(seen).toHaveLength(before);
  });

  it("before the subscription stands ends it when it does", async () => {
    const opening = details.open();
    await details.close();
    await opening;
    expect(connection.last.ended).toBe(true);
  });

  it("does not mind that the other side was faster", async () => {
    await opened();
    connection.ending = async () => Promise.reject(new Error("gone"));
    await expect(details.close()).resolves.toBeUndefined();
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { AuditLink, linkOver } from "../../src/controllers/link";
import type { Picture } from "../../src/controllers/picture";
import { FakeConnection, FakeTime, settle } from "../fakes/home";
import { golden, VERSION } from "../fakes/golden";

let connection: FakeConnection;
let time: FakeTime;
let link: AuditLink;
let seen: Picture[];

const listen = () => link.listen((picture) => seen.push(picture));
const statuses = () => seen.map((picture) => picture.status);

beforeEach(() => {
  connection = new FakeConnection();
  time = new FakeTime();
  link = new AuditLink(connection, VERSION, time.later);
  seen = [];
});

describe("opening", () => {
  it("shows the snapshot once it comes", async () => {
    listen();
    await settle();
    connection.last.send(golden.snapshot);
    expect(statuses()).toEqual(["loading", "ready"]);
    expect(link.picture.subjects.has("desk")).toBe(true);
  });

  it("is done once for several cards", async () => {
    listen();
    listen();
    await settle();
    expect(connection.subscriptions).toHaveLength(1);
  });

  it("is done once for each connection of a page", () => {
    expect(linkOver(connection, VERSION, time.later)).toBe(linkOver(connection, VERSION, time.later));
    expect(linkOver(new FakeConnection(), VERSION, time.later)).not.toBe(linkOver(connection, VERSION, time.later));
  });
});

describe("refusals", () => {
  it.each([
    [{ code: "not_loaded" }, "absent"],
    [{ code: "unknown_command" }, "absent"],
    [{ code: "unauthorized" }, "forbidden"],
    [null, "absent"],
    [undefined, "absent"],
  ])("%j means %s", async (refusal, status) => {
    connection.subscribeMessage = async () => Promise.reject(refusal);
    listen();
    await settle();
    expect(statuses().at(-1)).toBe(status);
  });

  it("are tried again: Home Assistant may only be starting", async () => {
    connection.refusal = { code: "unknown_command" };
    listen();
    await settle();
    connection.refusal = null;
    time.pass(3_000);
    await settle();
    connection.last.send(golden.snapshot);
    expect(statuses()).toEqual(["loading", "absent", "ready"]);
  });

  it.each(["not_loaded", "unauthorized"])("are tried again at once for a new card (%s)", async (code) => {
    connection.refusal = { code };
    listen();
    await settle();
    connection.refusal = null;
    listen();
    await settle();
    expect(connection.subscriptions).toHaveLength(1);
  });
});

describe("versions", () => {
  it("of another backend show nothing", async () => {
    listen();
    await settle();
    connection.last.send({ ...golden.snapshot, version: "0.4.1" });
    expect(link.picture).toMatchObject({ status: "mismatch", told: "0.4.1" });
    expect(link.picture.subjects.size).toBe(0);
  });

  it("that send what cannot be understood show nothing", async () => {
    listen();
    await settle();
    connection.last.send(golden.snapshot);
    connection.last.send({ type: "change", ledger: "fine" });
    expect(link.picture.status).toBe("mismatch");
    expect(link.picture.subjects.size).toBe(0);
  });

  it("do not hide errors of a card", async () => {
    link.listen((picture) => {
      if (picture.status === "ready") throw new RangeError("drawing failed");
    });
    await settle();
    expect(() => connection.last.send(golden.snapshot)).toThrow(RangeError);
  });
});

describe("interruptions", () => {
  it("show what was known, marked as such, and then the new snapshot", async () => {
    listen();
    await settle();
    connection.last.send(golden.snapshot);
    connection.emit("disconnected");
    expect(link.picture).toMatchObject({ status: "ready", stale: true });
    connection.emit("ready");
    await settle();
    connection.last.send(golden.snapshot);
    expect(link.picture.stale).toBe(false);
    expect(connection.subscriptions).toHaveLength(2);
  });

  it("make events of the old subscription void", async () => {
    listen();
    await settle();
    const old = connection.last;
    connection.emit("ready");
    await settle();
    old.send(golden.snapshot);
    expect(link.picture.status).toBe("loading");
  });

  it("end subscriptions that are answered too late", async () => {
    let open = (): void => undefined;
    connection.gate = new Promise((resolve) => (open = resolve));
    listen();
    connection.emit("ready");
    await settle();
    open();
    await settle();
    expect(connection.subscriptions.map((one) => one.ended)).toEqual([true, false]);
  });

  it("ignore refusals that come too late", async () => {
    let refuse = (_: unknown): void => undefined;
    connection.gate = new Promise((_, reject) => (refuse = reject));
    listen();
    await settle();
    connection.gate = Promise.resolve();
    connection.emit("ready");
    await settle();
    refuse({ code: "unauthorized" });
    await settle();
    expect(statuses()).not.toContain("forbidden");
  });

  it("by unloading are followed by a new attempt", async () => {
    listen();
    await settle();
    connection.ending = async () => Promise.reject(new Error("no such subscription"));
    connection.last.send({ type: "unloaded" });
    expect(link.picture.status).toBe("absent");
    time.pass(3_000);
    await settle();
    expect(connection.subscriptions).toHaveLength(2);
  });
});

describe("closing", () => {
  it("waits, so that a card that is only moved keeps its subscription", async () => {
    const leave = listen();
    await settle();
    leave();
    listen();
    time.pass(60_000);
    expect(connection.subscriptions.map((one) => one.ended)).toEqual([false]);
  });

  it("ends the subscription and forgets the picture", async () => {
    const leave = listen();
    await settle();
    connection.last.send(golden.snapshot);
    leave();
    time.pass(5_000);
    await settle();
    expect(connection.last.ended).toBe(true);
    expect(link.picture.status).toBe("loading");
    expect([...connection.listeners.values()].map((listeners) => listeners.size)).toEqual([0, 0]);
  });

  it("of one card leaves the others their subscription", async () => {
    const leave = listen();
    listen();
    await settle();
    leave();
    expect(time.pending).toBe(0);
  });

  it("is followed by a new subscription when a card comes back", async () => {
    const leave = listen();
    await settle();
    leave();
    time.pass(5_000);
    listen();
    await settle();
    expect(connection.subscriptions).toHaveLength(2);
  });
});

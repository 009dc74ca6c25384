/** The one subscription that all cards of a page share. */

import type { Connection, Unsubscribe } from "../home";
import { WireError } from "../wire/json";
import { readSnapshotEvent, SNAPSHOT_COMMAND } from "../wire/snapshot";
import { afterEvent, NOTHING, type Picture } from "./picture";

/** Does something later; the result cancels it. */
export type Later = (milliseconds: number, work: () => void) => () => void;
export type Listener = (picture: Picture) => void;

const RETRY = 3_000;
/** A card that is moved or replaced must not tear the subscription down. */
const LINGER = 5_000;

export class AuditLink {
  private readonly listeners = new Set<Listener>();
  private current: Picture = NOTHING;
  private cancel: () => void = () => undefined;
  private end: Unsubscribe | null = null;
  private open = false;
  /** Events and answers of an earlier attempt are ignored. */
  private attempt = 0;

  constructor(
    private readonly connection: Connection,
    private readonly version: string,
    private readonly later: Later,
  ) {}

  get picture(): Picture {
    return this.current;
  }

  /** Hear of every new picture until the result is called; the subscription is opened and closed as needed. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    this.cancel();
    if (!this.open) this.start();
    else if (this.current.status === "absent" || this.current.status === "forbidden") void this.subscribe();
    listener(this.current);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.schedule(LINGER, () => this.stop());
    };
  }

  private readonly onReady = (): void => void this.subscribe();
  private readonly onDisconnected = (): void => this.show({ ...this.current, stale: true });

  private start(): void {
    this.open = true;
    this.connection.addEventListener("ready", this.onReady);
    this.connection.addEventListener("disconnected", this.onDisconnected);
    void this.subscribe();
  }

  private stop(): void {
    this.open = false;
    this.connection.removeEventListener("ready", this.onReady);
    this.connection.removeEventListener("disconnected", this.onDisconnected);
    this.attempt += 1;
    void this.leave();
    this.current = NOTHING;
  }

  private async subscribe(): Promise<void> {
    this.attempt += 1;
    const attempt = this.attempt;
    await this.leave();
    try {
      const end = await this.connection.subscribeMessage(
        (event) => {
          if (attempt === this.attempt) this.take(event);
        },
        { type: SNAPSHOT_COMMAND },
        { resubscribe: false },
      );
      if (attempt === this.attempt) this.end = end;
      else await quietly(end);
    } catch (refusal) {
      if (attempt === this.attempt) this.refused(refusal);
    }
  }

  private take(event: unknown): void {
    try {
      const read = readSnapshotEvent(event, this.version);
      this.show(afterEvent(this.current, read));
      if (read.type === "unloaded") this.retry();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.show({ ...NOTHING, status: "mismatch" });
    }
  }

  /** While Home Assistant starts, it does not know the command yet: that passes. */
  private refused(refusal: unknown): void {
    const code = (refusal as { code?: unknown } | null)?.code;
    this.show({ ...NOTHING, status: code === "unauthorized" ? "forbidden" : "absent" });
    this.retry();
  }

  private retry(): void {
    this.schedule(RETRY, () => void this.subscribe());
  }

  private schedule(milliseconds: number, work: () => void): void {
    this.cancel();
    this.cancel = this.later(milliseconds, work);
  }

  private async leave(): Promise<void> {
    const end = this.end;
    this.end = null;
    if (end) await quietly(end);
  }

  private show(picture: Picture): void {
    this.current = picture;
    for (const listener of [...this.listeners]) listener(picture);
  }
}

/** End a subscription that the other side may have ended already. */
async function quietly(end: Unsubscribe): Promise<void> {
  try {
    await end();
  } catch {
    // It was gone: that is what was wanted.
  }
}

const links = new WeakMap<Connection, AuditLink>();

/** Return the link over a connection, made once. */
export function linkOver(connection: Connection, version: string, later: Later): AuditLink {
  const found = links.get(connection) ?? new AuditLink(connection, version, later);
  links.set(connection, found);
  return found;
}

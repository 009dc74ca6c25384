/** What lies behind one row: its cells as they change, and the evidence, asked for once and after every trial. */

import type { Home, Unsubscribe } from "../home";
import {
  CELLS_COMMAND,
  type Cell,
  type Evidence,
  EVIDENCE_COMMAND,
  readCellsEvent,
  readEvidence,
} from "../wire/evidence";

export interface Shown {
  /** By key; null until they came. */
  readonly cells: ReadonlyMap<string, Cell> | null;
  readonly evidence: Evidence | null;
  /** It could not be had. */
  readonly failed: boolean;
}

const NOTHING: Shown = { cells: null, evidence: null, failed: false };

export class Details {
  private current: Shown = NOTHING;
  private end: Unsubscribe | null = null;
  private closed = false;

  constructor(
    private readonly home: Pick<Home, "connection" | "callWS">,
    private readonly subject: string,
    private readonly changed: (shown: Shown) => void,
  ) {}

  get shown(): Shown {
    return this.current;
  }

  async open(): Promise<void> {
    const message = { type: CELLS_COMMAND, subject: this.subject };
    try {
      const end = await this.home.connection.subscribeMessage((event) => this.take(event), message, {
        resubscribe: false,
      });
      if (this.closed) await end();
      else this.end = end;
    } catch {
      this.show({ failed: true });
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const end = this.end;
    this.end = null;
    try {
      await end?.();
    } catch {
      // It was gone already.
    }
  }

  private take(event: unknown): void {
    try {
      const read = readCellsEvent(event);
      if (read.type === "unloaded") return this.show({ failed: true });
      const cells = new Map(read.type === "cells" ? [] : this.current.cells);
      for (const cell of read.cells) cells.set(cell.key, cell);
      this.show({ cells });
      void this.ask();
    } catch {
      this.show({ failed: true });
    }
  }

  /** Ask for the evidence: when cells change, and when a session has ended, which may have changed no cell. */
  async ask(): Promise<void> {
    try {
      const answer = await this.home.callWS<unknown>({ type: EVIDENCE_COMMAND, subject: this.subject });
      this.show({ evidence: readEvidence(answer) });
    } catch {
      this.show({ failed: true });
    }
  }

  private show(part: Partial<Shown>): void {
    this.current = { ...this.current, ...part };
    if (!this.closed) this.changed(this.current);
  }
}

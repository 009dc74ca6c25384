import type { Connection, Home, Localize, Unsubscribe } from "../../src/home";
import { Speech } from "../../src/controllers/speech";
import type { Later } from "../../src/controllers/link";
import deTexts from "../../../custom_components/simverity/translations/de.json" with { type: "json" };
import enTexts from "../../../custom_components/simverity/translations/en.json" with { type: "json" };

const TEXTS: Readonly<Record<string, unknown>> = { en: enTexts, de: deTexts };

/** Localizes as Home Assistant does, from the integration's own translations. */
export function localizer(language: string): Localize {
  return (key) => {
    const path = key.replace("component.simverity.", "").split(".");
    const found = path.reduce<unknown>((inner, part) => (inner as Record<string, unknown>)?.[part], TEXTS[language]);
    return typeof found === "string" ? found : "";
  };
}

export function speechIn(language: string, locale: Record<string, string> = {}): Speech {
  return new Speech(language, { language, time_zone: "server", ...locale }, localizer(language), "UTC");
}

export const english = speechIn("en");

export function fakeHome(changes: Partial<Home> = {}): Home {
  return {
    connection: new FakeConnection(),
    connected: true,
    language: "en",
    locale: { language: "en", time_zone: "server" },
    config: { time_zone: "UTC" },
    user: { is_admin: true },
    states: {},
    entities: {},
    localize: localizer("en"),
    loadBackendTranslation: async () => localizer("en"),
    callWS: async () => ({}) as never,
    ...changes,
  };
}

interface Subscription {
  readonly message: { type: string; [key: string]: unknown };
  readonly send: (event: unknown) => void;
  ended: boolean;
}

/** A connection on which a test answers each subscription: by accepting it, or with a refusal. */
export class FakeConnection implements Connection {
  readonly subscriptions: Subscription[] = [];
  readonly listeners = new Map<string, Set<() => void>>();
  refusal: unknown = null;
  ending: () => Promise<void> = async () => undefined;
  /** Set it to make subscriptions wait. */
  gate: Promise<void> = Promise.resolve();

  async subscribeMessage(
    send: (event: unknown) => void,
    message: { type: string; [key: string]: unknown },
  ): Promise<Unsubscribe> {
    await this.gate;
    if (this.refusal !== null) throw this.refusal;
    const subscription: Subscription = { message, send, ended: false };
    this.subscriptions.push(subscription);
    return async () => {
      subscription.ended = true;
      await this.ending();
    };
  }

  addEventListener(type: string, listener: () => void): void {
    this.listeners.set(type, new Set([...(this.listeners.get(type) ?? []), listener]));
  }

  removeEventListener(type: string, listener: () => void): void {
    this.listeners.get(type)?.delete(listener);
  }

  emit(type: string): void {
    for (const listener of this.listeners.get(type) ?? []) listener();
  }

  get last(): Subscription {
    const found = this.subscriptions.at(-1);
    if (!found) throw new Error("nobody has subscribed");
    return found;
  }
}

/** Time that passes when a test says so. */
export class FakeTime {
  private readonly waiting = new Set<{ due: number; work: () => void }>();
  private now = 0;

  readonly later: Later = (milliseconds, work) => {
    const timer = { due: this.now + milliseconds, work };
    this.waiting.add(timer);
    return () => void this.waiting.delete(timer);
  };

  pass(milliseconds: number): void {
    this.now += milliseconds;
    for (const timer of [...this.waiting]) {
      if (timer.due > this.now) continue;
      this.waiting.delete(timer);
      timer.work();
    }
  }

  get pending(): number {
    return this.waiting.size;
  }
}

/** Let promises that are ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

/** A text without what differs between versions of the Unicode data: kinds of spaces and of apostrophes. */
export function plainly(text: string): string {
  return text.replace(/\s/gu, " ").replaceAll("’", "'");
}

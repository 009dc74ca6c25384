/** What the card uses of Home Assistant's frontend; its own types are not published. */

export type Unsubscribe = () => Promise<void> | void;

export interface Connection {
  subscribeMessage(
    callback: (event: unknown) => void,
    message: { type: string; [key: string]: unknown },
    options?: { resubscribe?: boolean },
  ): Promise<Unsubscribe>;
  addEventListener(type: "ready" | "disconnected", listener: () => void): void;
  removeEventListener(type: "ready" | "disconnected", listener: () => void): void;
}

export interface EntityState {
  readonly entity_id: string;
  readonly state: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface EntityEntry {
  readonly entity_id: string;
  readonly platform?: string;
  readonly device_id?: string | null;
  readonly translation_key?: string;
}

export interface Locale {
  readonly language: string;
  readonly number_format?: string;
  readonly time_format?: string;
  readonly time_zone?: string;
}

export type Localize = (key: string, values?: Record<string, string>) => string;

export interface Home {
  readonly connection: Connection;
  readonly connected: boolean;
  readonly language: string;
  readonly locale: Locale;
  readonly config: { readonly time_zone: string };
  readonly user?: { readonly is_admin: boolean };
  readonly states: Readonly<Record<string, EntityState | undefined>>;
  readonly entities: Readonly<Record<string, EntityEntry | undefined>>;
  readonly localize: Localize;
  loadBackendTranslation(category: string, integration?: string): Promise<Localize>;
  callWS<T>(message: { type: string; [key: string]: unknown }): Promise<T>;
}

/** How Home Assistant refuses a request. */
export interface Refusal {
  readonly code?: string;
  readonly message?: string;
  readonly translation_key?: string;
  readonly translation_domain?: string;
  readonly translation_placeholders?: Record<string, string>;
}

export interface ActionConfig {
  readonly action: string;
  readonly [key: string]: unknown;
}

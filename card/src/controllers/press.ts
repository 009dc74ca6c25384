/** Tapping and holding: by default the details open; a configured action is Home Assistant's to do. */

import type { ActionConfig } from "../home";
import type { Later } from "./link";

export interface Actions {
  readonly tap_action?: ActionConfig;
  readonly hold_action?: ActionConfig;
}

/** What the frontend expects in the detail of its `hass-action` event. */
export interface ActionRequest {
  readonly config: Actions & { readonly entity: string };
  readonly action: "tap" | "hold";
}

export const HOLD = 500;

/** Return what to ask of the frontend, or null where the card's own details are meant. */
export function requestFor(gesture: "tap" | "hold", actions: Actions, entity: string): ActionRequest | null {
  const action = gesture === "tap" ? actions.tap_action : actions.hold_action;
  return action === undefined ? null : { config: { ...actions, entity }, action: gesture };
}

/** Tells a tap from a hold. A key press is a tap. */
export class Press {
  private cancel: (() => void) | null = null;
  private held = false;

  constructor(private readonly later: Later) {}

  /** The finger is down; `hold` happens if it stays. */
  down(hold: () => void): void {
    this.up();
    this.held = false;
    this.cancel = this.later(HOLD, () => {
      this.cancel = null;
      this.held = true;
      hold();
    });
  }

  /** The finger is up, or has left. */
  up(): void {
    this.cancel?.();
    this.cancel = null;
  }

  /** A click arrived: `tap` happens unless this was a hold. */
  click(tap: () => void): void {
    this.up();
    if (!this.held) tap();
    this.held = false;
  }
}

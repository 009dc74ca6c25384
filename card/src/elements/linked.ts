import { LitElement } from "lit";
import type { Home } from "../home";
import { linkOver } from "../controllers/link";
import { NOTHING, type Picture } from "../controllers/picture";
import { Rows } from "../controllers/rows";
import type { Speech } from "../controllers/speech";
import { later } from "./later";

/** An element that shows the audit: it follows the shared subscription while it is on a page. */
export abstract class Linked extends LitElement {
  static override properties = { picture: { state: true } };

  declare protected picture: Picture;
  protected readonly rows = new Rows();
  private home: Home | null = null;
  private unlisten: (() => void) | null = null;

  constructor() {
    super();
    this.picture = NOTHING;
  }

  get hass(): Home | null {
    return this.home;
  }

  /** Home Assistant sets this at every state change of the home; most of them concern nothing shown here. */
  set hass(home: Home | null) {
    const before = this.home;
    this.home = home;
    if (home === null) return;
    if (before === null || before.connection !== home.connection) this.follow();
    if (before === null || this.rows.touched(this.picture, before, home)) this.requestUpdate();
    if (before === null || before.language !== home.language) void home.loadBackendTranslation("entity", "simverity");
  }

  protected get speech(): Speech | null {
    return this.home === null ? null : this.rows.speech(this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unlisten?.();
    this.unlisten = null;
  }

  private follow(): void {
    this.unlisten?.();
    this.unlisten = null;
    if (this.home === null || !this.isConnected) return;
    const link = linkOver(this.home.connection, __CARD_VERSION__, later);
    this.unlisten = link.listen((picture) => {
      this.picture = picture;
    });
  }
}

/** The version in card/package.json, put in at build time. */
declare const __CARD_VERSION__: string;

import cells from "../../../contracts/card_cells.json" with { type: "json" };
import change from "../../../contracts/card_change.json" with { type: "json" };
import evidence from "../../../contracts/card_evidence.json" with { type: "json" };
import snapshot from "../../../contracts/card_snapshot.json" with { type: "json" };
import { readEvidence } from "../../src/wire/evidence";
import { readSnapshotEvent, type Subject } from "../../src/wire/snapshot";
import { afterEvent, NOTHING, type Picture } from "../../src/controllers/picture";

/** The golden messages that the integration's tests read too. */
export const golden = { cells, change, evidence, snapshot };
export const VERSION = snapshot.version;

export const goldenPicture: Picture = afterEvent(NOTHING, readSnapshotEvent(snapshot, VERSION));
export const goldenSubject = goldenPicture.subjects.get("desk") as Subject;
export const goldenEvidence = readEvidence(evidence);

// src/strings/de.ts
var e = {
	card_name: "SimVerity",
	card_description: "Wie weit einem grünen Häkchen zu trauen ist, für jedes geprüfte Gerät",
	device_card_name: "SimVerity-Gerät",
	device_card_description: "Wie weit einem grünen Häkchen eines Geräts zu trauen ist",
	feature_name: "SimVerity-Urteil",
	title: "Stimmt das grüne Häkchen?",
	close: "Schließen",
	back: "Zurück",
	reload: "Neu laden",
	loading: "Wird geladen …",
	absent: "SimVerity ist nicht eingerichtet oder startet gerade. Einrichten lässt es sich unter „Einstellungen“, „Geräte & Dienste“.",
	forbidden: "Du darfst das nicht sehen. Frag jemanden, der dieses Zuhause verwaltet.",
	mismatch: "Das Dashboard und SimVerity haben verschiedene Versionen, deshalb wird nichts angezeigt. Lade die Seite neu.",
	mismatch_versions: "Karte {card}, SimVerity {told}.",
	empty: "Noch wird kein Gerät geprüft. Füge in SimVerity Geräte hinzu, unter „Einstellungen“, „Geräte & Dienste“.",
	nothing_listed: "Keines der Geräte dieser Karte wird geprüft.",
	all_hidden: "Du darfst keines der geprüften Geräte sehen. Frag jemanden, der dieses Zuhause verwaltet.",
	stale: "Verbindung verloren: Das ist der Stand von vorher.",
	not_audited: "Dieses Gerät wird von SimVerity nicht geprüft.",
	ledger_bad: "Beweisbuch: {state}. Bis das behoben ist, wird nichts freigegeben.",
	witness_gone: "Die Zeugen-App ist nicht erreichbar.",
	unavailable: "Gerade nicht erreichbar",
	share: "{k} von {n} falsch",
	share_none: "noch nichts entschieden",
	range: "in Wahrheit zwischen {low} und {high}",
	at_most: "in Wahrheit höchstens {high}",
	anything: "alles ist möglich",
	bar_label: "Anteil falscher grüner Häkchen: {share}, {range}",
	more_audits_one: "Noch {n} fehlerfreie Beobachtung bis zur Freigabe",
	more_audits_other: "Noch {n} fehlerfreie Beobachtungen bis zur Freigabe",
	last_failed: "Zuletzt falsch {when}",
	carried_over: "Aus der Zeit vor einer Änderung",
	witness: "Kamera: {state}",
	trend: "Die letzten {days} Tage",
	trend_label: "Anteil falscher Häkchen in den letzten {days} Tagen, jetzt {now}",
	legend_wrong: "als falsch gesehen",
	legend_unknown: "unbekannt",
	legend_ruled_out: "ausgeschlossen",
	limit: "Grenze {value}",
	open_details: "{name}: {disposition}. {share}. Einzelheiten öffnen",
	details: "Einzelheiten",
	evidence_standing: "Alles bisher Beobachtete",
	evidence_session: "Die letzte Sitzung (ein einzelner Blick)",
	no_cells: "Noch ist nichts gezählt.",
	grid_caption: "{direction}, {path}: falsche unter den entschiedenen Häkchen",
	turn_on: "Einschalten",
	turn_off: "Ausschalten",
	path_single_light: "ein Gerät",
	path_multi_target: "mehrere Geräte",
	path_sensor_to_effect: "vom Sensor zur Wirkung",
	path_cross_device: "über Geräte hinweg",
	column_property: "Was verglichen wurde",
	at_return: "sofort",
	at_settled: "in Ruhe",
	at_seconds: "{seconds} s",
	cell_label: "{property}, {boundary}: {content}",
	cell_share: "{k} von {n} falsch",
	cell_none: "nicht entschieden",
	cell_one_sided: "Die Kamera kann hier nur Versagen sehen, es aber nie ausschließen",
	cell_undecided: "{n} unentschieden: {reasons}",
	cell_unchecked: "{n} nie freigegeben",
	cell_more_one: "noch {n} fehlerfreie Beobachtung nötig",
	cell_more_other: "noch {n} fehlerfreie Beobachtungen nötig",
	false_clearances: "Die letzten falschen Häkchen",
	no_false_clearances: "Keines wurde gesehen.",
	false_clearance: "{direction}, {when}: falsch, wenn abgelesen nach {boundaries}",
	plot_label: "Helligkeit, die die Kamera sah, über die Zeit seit dem Befehl, von {low} bis {high}. {stages}",
	plot_time: "Sekunden seit dem Befehl",
	plot_level: "Helligkeit",
	stage_request: "Verlangt",
	stage_source_report: "Sensor meldete",
	stage_agent_read: "Agent sah nach",
	stage_dispatch: "Befehl gesendet",
	stage_software_feedback: "Home Assistant meldete erledigt",
	stage_observable_effect: "Wirklich geschehen",
	stage_at: "{stage} nach {when}",
	stage_between: "{stage} zwischen {low} und {high}",
	stage_before: "{stage} vor {high}",
	absent_not_watched: "nicht beobachtet",
	absent_did_not_happen: "geschah nicht",
	absent_witness_silent: "die Kamera konnte es nicht sagen",
	hashes: "Fingerabdrücke der Beweise",
	hash_ledger: "Beweisbuch, Eintrag {n}",
	hash_manifest: "Plan der Sitzung",
	hash_monitors: "Regeln des Urteils",
	hash_trials: "Versuche der Sitzung",
	hash_coordinates: "Gerät, Software und Kamera",
	copy: "Kopieren",
	copied: "Kopiert",
	run_session: "Sitzung starten",
	requalify: "Kamera neu prüfen",
	stop: "Sitzung beenden",
	start: "Starten",
	cancel: "Abbrechen",
	confirm_session: "{name} wird je {n} Mal ein- und ausgeschaltet und dabei gefilmt. Sorge dafür, dass das ungefährlich ist, und lass es bis zum Ende in Ruhe.",
	confirm_requalify: "{name} wird einige Male ein- und ausgeschaltet, damit die Kamera sich bewähren kann.",
	repetitions: "Wie oft je Richtung",
	working: "Läuft …",
	requalified: "Die Kamera ist neu geprüft.",
	phase_idle: "Keine Sitzung läuft",
	phase_qualifying: "Die Kamera wird geprüft",
	phase_strobing: "Zum Abgleich wird geschaltet",
	phase_running: "Sitzung läuft",
	phase_finishing: "Wird abgeschlossen",
	progress: "{done} von {total}",
	left: "noch etwa {time}",
	leave_alone: "Bitte lass die Geräte in Ruhe.",
	last_valid: "Letzte Sitzung gültig, {when}",
	last_invalid: "Letzte Sitzung ungültig, {when}: {reasons}",
	editor_title: "Titel",
	editor_entities: "Geräte (alle, wenn leer)",
	editor_entity: "Gerät",
	editor_sort: "Reihenfolge",
	sort_worst: "Die schlechtesten zuerst",
	sort_name: "Nach Namen",
	editor_show_session: "Laufende Sitzung zeigen",
	editor_show_trend: "Verlauf zeigen",
	editor_show_legend: "Legende zeigen",
	editor_trend_days: "Tage des Verlaufs",
	editor_tap_action: "Beim Antippen (Einzelheiten, wenn leer)",
	editor_hold_action: "Beim Halten",
	config_no_entity: "Wähle ein Gerät: Die Karte braucht „entity“.",
	config_not: "„{option}“ muss {kind} sein.",
	kind_text: "ein Text",
	kind_entities: "eine Liste von Entitäts-IDs",
	kind_flag: "true oder false",
	kind_sort: "„worst“ oder „name“",
	kind_days: "eine ganze Zahl von 1 bis 90",
	kind_action: "eine Aktion",
	reason_no_witness: "keine Kamera",
	reason_unqualified: "die Kamera hat sich noch nicht bewährt",
	reason_qualification_expired: "die Kamera muss sich wieder bewähren",
	reason_witness_offline: "die Kamera war nicht erreichbar",
	reason_ambient_unsuitable: "das Licht im Raum ließ es nicht zu",
	reason_initial_state: "der Zustand vorher war nicht zu sehen",
	reason_return_not_observed: "das Ende des Befehls war nicht zu sehen",
	reason_clock_step: "die Uhr wurde gestellt",
	reason_not_applicable: "trifft nicht zu",
	reason_below_resolution: "zu knapp für diese Kamera",
	reason_not_one_way: "das Licht ging hin und her",
	reason_no_sample: "es kam kein Bild",
	reason_late_reply: "die Kamera antwortete zu spät",
	reason_reference_moved: "das Bild änderte sich anderswo",
	reason_arrival_gap: "die Bilder kamen zu spät",
	reason_stream_restarted: "die Kamera verband sich neu",
	reason_night_switch: "die Kamera wechselte zwischen Tag und Nacht",
	reason_outside_levels: "weder an noch aus",
	reason_unwitnessed_target: "eines der Geräte wird nicht gefilmt",
	reason_state_unknown: "der Zustand war unbekannt"
}, t = {
	card_name: "SimVerity",
	card_description: "How far a green check can be trusted, for every audited device",
	device_card_name: "SimVerity device",
	device_card_description: "How far a green check of one device can be trusted",
	feature_name: "SimVerity disposition",
	title: "Does a green check survive?",
	close: "Close",
	back: "Back",
	reload: "Reload",
	loading: "Loading…",
	absent: "SimVerity is not set up, or is just starting. It can be set up under Settings, Devices & services.",
	forbidden: "You may not see this. Ask an administrator of this home.",
	mismatch: "The dashboard and SimVerity are of different versions, so nothing is shown. Reload the page.",
	mismatch_versions: "Card {card}, SimVerity {told}.",
	empty: "No device is audited yet. Add devices to SimVerity under Settings, Devices & services.",
	nothing_listed: "None of the devices listed for this card is audited.",
	all_hidden: "You may not see any of the audited devices. Ask an administrator of this home.",
	stale: "Connection lost: this is what was known before.",
	not_audited: "This device is not audited by SimVerity.",
	ledger_bad: "Evidence record: {state}. Nothing is cleared until that is repaired.",
	witness_gone: "The witness app cannot be reached.",
	unavailable: "Not available right now",
	share: "{k} of {n} wrong",
	share_none: "no check decided yet",
	range: "truly between {low} and {high}",
	at_most: "truly at most {high}",
	anything: "could be anything",
	bar_label: "Share of wrong green checks: {share}, {range}",
	more_audits_one: "{n} more clean check until cleared",
	more_audits_other: "{n} more clean checks until cleared",
	last_failed: "Last wrong {when}",
	carried_over: "From before a change",
	witness: "Camera: {state}",
	trend: "The last {days} days",
	trend_label: "Share of wrong checks over the last {days} days, now {now}",
	legend_wrong: "seen wrong",
	legend_unknown: "not known",
	legend_ruled_out: "ruled out",
	limit: "limit {value}",
	open_details: "{name}: {disposition}. {share}. Open details",
	details: "Details",
	evidence_standing: "Everything observed so far",
	evidence_session: "The last session (one look)",
	no_cells: "No check has been counted yet.",
	grid_caption: "{direction}, {path}: wrong checks of those decided",
	turn_on: "Turning on",
	turn_off: "Turning off",
	path_single_light: "one device",
	path_multi_target: "several devices",
	path_sensor_to_effect: "from sensor to effect",
	path_cross_device: "across devices",
	column_property: "What was compared",
	at_return: "at once",
	at_settled: "settled",
	at_seconds: "{seconds} s",
	cell_label: "{property}, {boundary}: {content}",
	cell_share: "{k} of {n} wrong",
	cell_none: "not decided",
	cell_one_sided: "The camera can only see failure here, never rule it out",
	cell_undecided: "{n} undecided: {reasons}",
	cell_unchecked: "{n} never cleared",
	cell_more_one: "{n} more clean check needed",
	cell_more_other: "{n} more clean checks needed",
	false_clearances: "Last wrong green checks",
	no_false_clearances: "None was seen.",
	false_clearance: "{direction}, {when}: wrong when read after {boundaries}",
	plot_label: "Brightness that the camera saw over the time since the command, from {low} to {high}. {stages}",
	plot_time: "Seconds since the command",
	plot_level: "Brightness",
	stage_request: "Asked",
	stage_source_report: "Sensor reported",
	stage_agent_read: "Agent looked",
	stage_dispatch: "Command sent",
	stage_software_feedback: "Home Assistant said done",
	stage_observable_effect: "Seen to happen",
	stage_at: "{stage} at {when}",
	stage_between: "{stage} between {low} and {high}",
	stage_before: "{stage} before {high}",
	absent_not_watched: "not watched",
	absent_did_not_happen: "did not happen",
	absent_witness_silent: "the camera could not tell",
	hashes: "Fingerprints of the evidence",
	hash_ledger: "Evidence record, entry {n}",
	hash_manifest: "Plan of the session",
	hash_monitors: "Rules of judging",
	hash_trials: "Trials of the session",
	hash_coordinates: "Device, software and camera",
	copy: "Copy",
	copied: "Copied",
	run_session: "Run session",
	requalify: "Re-qualify camera",
	stop: "Stop session",
	start: "Start",
	cancel: "Cancel",
	confirm_session: "{name} is switched on and off {n} times each, and filmed. Make sure that this is safe, and leave it alone until the end.",
	confirm_requalify: "{name} is switched on and off several times so that the camera can prove itself.",
	repetitions: "Times each way",
	working: "Working…",
	requalified: "The camera has been tried again.",
	phase_idle: "No session runs",
	phase_qualifying: "Checking the camera",
	phase_strobing: "Switching to calibrate",
	phase_running: "Session running",
	phase_finishing: "Finishing",
	progress: "{done} of {total}",
	left: "about {time} left",
	leave_alone: "Please leave the devices alone.",
	last_valid: "Last session valid, {when}",
	last_invalid: "Last session not valid, {when}: {reasons}",
	editor_title: "Title",
	editor_entities: "Devices (all when empty)",
	editor_entity: "Device",
	editor_sort: "Order",
	sort_worst: "Worst first",
	sort_name: "By name",
	editor_show_session: "Show the running session",
	editor_show_trend: "Show the trend",
	editor_show_legend: "Show the legend",
	editor_trend_days: "Days of the trend",
	editor_tap_action: "When tapped (details when empty)",
	editor_hold_action: "When held",
	config_no_entity: "Choose a device: the card needs “entity”.",
	config_not: "“{option}” must be {kind}.",
	kind_text: "a text",
	kind_entities: "a list of entity ids",
	kind_flag: "true or false",
	kind_sort: "“worst” or “name”",
	kind_days: "a whole number from 1 to 90",
	kind_action: "an action",
	reason_no_witness: "no camera",
	reason_unqualified: "the camera has not proved itself",
	reason_qualification_expired: "the camera has to prove itself again",
	reason_witness_offline: "the camera was not reachable",
	reason_ambient_unsuitable: "the light in the room did not allow it",
	reason_initial_state: "the state before was not seen",
	reason_return_not_observed: "the end of the command was not seen",
	reason_clock_step: "the clock was set",
	reason_not_applicable: "does not apply",
	reason_below_resolution: "too close to call for this camera",
	reason_not_one_way: "the light went back and forth",
	reason_no_sample: "no picture came",
	reason_late_reply: "the camera answered too late",
	reason_reference_moved: "the picture changed elsewhere",
	reason_arrival_gap: "the pictures came too late",
	reason_stream_restarted: "the camera reconnected",
	reason_night_switch: "the camera changed between day and night",
	reason_outside_levels: "neither on nor off",
	reason_unwitnessed_target: "one of the devices is not filmed",
	reason_state_unknown: "the state was unknown"
}, n = {
	en: t,
	de: e,
	fr: {
		card_name: "SimVerity",
		card_description: "Jusqu’où se fier à une coche verte, pour chaque appareil audité",
		device_card_name: "Appareil SimVerity",
		device_card_description: "Jusqu’où se fier à la coche verte d’un appareil",
		feature_name: "Conclusion de SimVerity",
		title: "La coche verte dit-elle vrai ?",
		close: "Fermer",
		back: "Retour",
		reload: "Recharger",
		loading: "Chargement…",
		absent: "SimVerity n’est pas configuré, ou démarre. Il se configure sous Paramètres, Appareils et services.",
		forbidden: "Vous ne pouvez pas voir ceci. Demandez à un administrateur de ce foyer.",
		mismatch: "Le tableau de bord et SimVerity sont de versions différentes ; rien n’est donc affiché. Rechargez la page.",
		mismatch_versions: "Carte {card}, SimVerity {told}.",
		empty: "Aucun appareil n’est encore audité. Ajoutez des appareils à SimVerity sous Paramètres, Appareils et services.",
		nothing_listed: "Aucun des appareils de cette carte n’est audité.",
		all_hidden: "Vous ne pouvez voir aucun des appareils audités. Demandez à un administrateur de ce foyer.",
		stale: "Connexion perdue : voici ce qui était connu avant.",
		not_audited: "Cet appareil n’est pas audité par SimVerity.",
		ledger_bad: "Registre des preuves : {state}. Rien n’est validé avant réparation.",
		witness_gone: "L’application témoin est injoignable.",
		unavailable: "Indisponible pour l’instant",
		share: "{k} sur {n} à tort",
		share_none: "rien n’est encore tranché",
		range: "en réalité entre {low} et {high}",
		at_most: "en réalité au plus {high}",
		anything: "tout est possible",
		bar_label: "Part des coches vertes à tort : {share}, {range}",
		more_audits_one: "Encore {n} observation sans échec avant validation",
		more_audits_other: "Encore {n} observations sans échec avant validation",
		last_failed: "Dernière fois à tort : {when}",
		carried_over: "D’avant une modification",
		witness: "Caméra : {state}",
		trend: "Les {days} derniers jours",
		trend_label: "Part des coches à tort sur les {days} derniers jours, maintenant {now}",
		legend_wrong: "vu à tort",
		legend_unknown: "inconnu",
		legend_ruled_out: "exclu",
		limit: "limite {value}",
		open_details: "{name} : {disposition}. {share}. Ouvrir les détails",
		details: "Détails",
		evidence_standing: "Tout ce qui a été observé",
		evidence_session: "La dernière séance (un seul regard)",
		no_cells: "Rien n’est encore compté.",
		grid_caption: "{direction}, {path} : coches à tort parmi celles tranchées",
		turn_on: "Allumage",
		turn_off: "Extinction",
		path_single_light: "un appareil",
		path_multi_target: "plusieurs appareils",
		path_sensor_to_effect: "du capteur à l’effet",
		path_cross_device: "entre appareils",
		column_property: "Ce qui a été comparé",
		at_return: "aussitôt",
		at_settled: "au repos",
		at_seconds: "{seconds} s",
		cell_label: "{property}, {boundary} : {content}",
		cell_share: "{k} sur {n} à tort",
		cell_none: "non tranché",
		cell_one_sided: "La caméra ne peut ici que constater un échec, jamais l’exclure",
		cell_undecided: "{n} non tranchées : {reasons}",
		cell_unchecked: "{n} jamais validées",
		cell_more_one: "encore {n} observation sans échec",
		cell_more_other: "encore {n} observations sans échec",
		false_clearances: "Dernières coches vertes à tort",
		no_false_clearances: "Aucune n’a été vue.",
		false_clearance: "{direction}, {when} : à tort, lue après {boundaries}",
		plot_label: "Luminosité vue par la caméra depuis la commande, de {low} à {high}. {stages}",
		plot_time: "Secondes depuis la commande",
		plot_level: "Luminosité",
		stage_request: "Demandé",
		stage_source_report: "Le capteur l’a signalé",
		stage_agent_read: "L’agent a regardé",
		stage_dispatch: "Commande envoyée",
		stage_software_feedback: "Home Assistant l’a dit fait",
		stage_observable_effect: "Vraiment vu",
		stage_at: "{stage} à {when}",
		stage_between: "{stage} entre {low} et {high}",
		stage_before: "{stage} avant {high}",
		absent_not_watched: "non surveillé",
		absent_did_not_happen: "ne s’est pas produit",
		absent_witness_silent: "la caméra n’a pas pu le dire",
		hashes: "Empreintes des preuves",
		hash_ledger: "Registre des preuves, entrée {n}",
		hash_manifest: "Plan de la séance",
		hash_monitors: "Règles du jugement",
		hash_trials: "Essais de la séance",
		hash_coordinates: "Appareil, logiciel et caméra",
		copy: "Copier",
		copied: "Copié",
		run_session: "Lancer une séance",
		requalify: "Revérifier la caméra",
		stop: "Arrêter la séance",
		start: "Lancer",
		cancel: "Annuler",
		confirm_session: "{name} est allumé et éteint {n} fois chacun, et filmé. Assurez-vous que c’est sans danger, et n’y touchez pas jusqu’à la fin.",
		confirm_requalify: "{name} est allumé et éteint plusieurs fois pour que la caméra fasse ses preuves.",
		repetitions: "Fois dans chaque sens",
		working: "En cours…",
		requalified: "La caméra a été revérifiée.",
		phase_idle: "Aucune séance en cours",
		phase_qualifying: "Vérification de la caméra",
		phase_strobing: "Commutation pour l’étalonnage",
		phase_running: "Séance en cours",
		phase_finishing: "Finalisation",
		progress: "{done} sur {total}",
		left: "encore {time} environ",
		leave_alone: "N’y touchez pas, s’il vous plaît.",
		last_valid: "Dernière séance valable, {when}",
		last_invalid: "Dernière séance non valable, {when} : {reasons}",
		editor_title: "Titre",
		editor_entities: "Appareils (tous si vide)",
		editor_entity: "Appareil",
		editor_sort: "Ordre",
		sort_worst: "Les pires d’abord",
		sort_name: "Par nom",
		editor_show_session: "Montrer la séance en cours",
		editor_show_trend: "Montrer la tendance",
		editor_show_legend: "Montrer la légende",
		editor_trend_days: "Jours de la tendance",
		editor_tap_action: "Au toucher (détails si vide)",
		editor_hold_action: "Au maintien",
		config_no_entity: "Choisissez un appareil : la carte a besoin de « entity ».",
		config_not: "« {option} » doit être {kind}.",
		kind_text: "un texte",
		kind_entities: "une liste d’identifiants d’entités",
		kind_flag: "true ou false",
		kind_sort: "« worst » ou « name »",
		kind_days: "un nombre entier de 1 à 90",
		kind_action: "une action",
		reason_no_witness: "pas de caméra",
		reason_unqualified: "la caméra n’a pas fait ses preuves",
		reason_qualification_expired: "la caméra doit refaire ses preuves",
		reason_witness_offline: "la caméra était injoignable",
		reason_ambient_unsuitable: "la lumière de la pièce ne le permettait pas",
		reason_initial_state: "l’état d’avant n’a pas été vu",
		reason_return_not_observed: "la fin de la commande n’a pas été vue",
		reason_clock_step: "l’horloge a été réglée",
		reason_not_applicable: "ne s’applique pas",
		reason_below_resolution: "trop serré pour cette caméra",
		reason_not_one_way: "la lumière a fait des allers-retours",
		reason_no_sample: "aucune image n’est venue",
		reason_late_reply: "la caméra a répondu trop tard",
		reason_reference_moved: "l’image a changé ailleurs",
		reason_arrival_gap: "les images sont venues trop tard",
		reason_stream_restarted: "la caméra s’est reconnectée",
		reason_night_switch: "la caméra est passée du jour à la nuit",
		reason_outside_levels: "ni allumé ni éteint",
		reason_unwitnessed_target: "un des appareils n’est pas filmé",
		reason_state_unknown: "l’état était inconnu"
	}
}, r = "component.simverity.entity.sensor", i = {
	disposition: `${r}.disposition.state`,
	explanation: `${r}.disposition.state_attributes.meaning.state`,
	witness: `${r}.disposition.state_attributes.witness.state`,
	property: `${r}.false_clearance_risk.state_attributes.property.state`,
	source: `${r}.false_clearance_risk.state_attributes.source.state`,
	invalidity: `${r}.session_validity.state_attributes.reasons.state`,
	ledger: `${r}.ledger.state`
}, a = {
	comma_decimal: ["en-US", "en"],
	decimal_comma: [
		"de",
		"es",
		"it"
	],
	space_comma: [
		"fr",
		"sv",
		"cs"
	],
	quote_decimal: ["de-CH"]
};
function o(e) {
	return n[e] ?? n[e.split("-")[0] ?? ""] ?? t;
}
function s(e, t) {
	return e.replace(/\{(\w+)\}/g, (e, n) => String(t[n] ?? e));
}
var c = class {
	language;
	locale;
	localize;
	texts;
	plurals;
	formats = /* @__PURE__ */ new Map();
	times;
	sequence;
	collator;
	constructor(e, t, n, r) {
		this.language = e, this.locale = t, this.localize = n, this.texts = o(e), this.plurals = new Intl.PluralRules(e), this.sequence = new Intl.ListFormat(e, { type: "conjunction" }), this.collator = new Intl.Collator(e, { numeric: !0 });
		let i = {
			12: !0,
			24: !1
		}[t.time_format ?? ""];
		this.times = new Intl.DateTimeFormat(t.time_format === "system" ? void 0 : e, {
			dateStyle: "medium",
			timeStyle: "short",
			...i === void 0 ? {} : { hour12: i },
			...t.time_zone === "server" ? { timeZone: r } : {}
		});
	}
	say(e, t = {}) {
		return s(this.texts[e], t);
	}
	count(e, t) {
		let n = this.plurals.select(t) === "one" ? "one" : "other";
		return this.say(`${e}_${n}`, { n: this.number(t) });
	}
	word(e, t) {
		return this.localize(`${i[e]}.${t}`) || t.replaceAll("_", " ");
	}
	reason(e) {
		let t = `reason_${e}`;
		return t in this.texts ? this.texts[t] : e.replaceAll("_", " ");
	}
	number(e, t = 0) {
		return this.format(`n${t}`, { maximumFractionDigits: t }).format(e);
	}
	percent(e) {
		let t = +(e > 0 && e < .1);
		return this.format(`p${t}`, {
			style: "percent",
			maximumFractionDigits: t
		}).format(e);
	}
	seconds(e) {
		return this.format("s", {
			style: "unit",
			unit: "second",
			unitDisplay: "narrow",
			maximumFractionDigits: 2
		}).format(e);
	}
	duration(e) {
		let t = e < 90, n = {
			style: "unit",
			unitDisplay: "short",
			maximumFractionDigits: 0
		};
		return (t ? this.format("ds", {
			...n,
			unit: "second"
		}) : this.format("dm", {
			...n,
			unit: "minute"
		})).format(t ? Math.max(5, Math.ceil(e / 5) * 5) : Math.round(e / 60));
	}
	date(e) {
		let t = new Date(e);
		return Number.isNaN(t.getTime()) ? e : this.times.format(t);
	}
	list(e) {
		return this.sequence.format(e);
	}
	compare(e, t) {
		return this.collator.compare(e, t);
	}
	format(e, t) {
		let n = this.formats.get(e);
		if (n) return n;
		let r = this.locale.number_format ?? "language", i = r === "system" ? void 0 : [...a[r] ?? (r === "none" ? ["en-US"] : [this.language])], o = new Intl.NumberFormat(i, {
			...t,
			...r === "none" ? { useGrouping: !1 } : {}
		});
		return this.formats.set(e, o), o;
	}
};
function l(e) {
	return new c(e.language, e.locale, e.localize, e.config.time_zone);
}
function u(e, t) {
	return e.language === t.language && e.locale === t.locale && e.localize === t.localize;
}
// node_modules/@lit/reactive-element/css-tag.js
var d = globalThis, f = d.ShadowRoot && (d.ShadyCSS === void 0 || d.ShadyCSS.nativeShadow) && "adoptedStyleSheets" in Document.prototype && "replace" in CSSStyleSheet.prototype, p = Symbol(), m = /* @__PURE__ */ new WeakMap(), ee = class {
	constructor(e, t, n) {
		if (this._$cssResult$ = !0, n !== p) throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");
		this.cssText = e, this.t = t;
	}
	get styleSheet() {
		let e = this.o, t = this.t;
		if (f && e === void 0) {
			let n = t !== void 0 && t.length === 1;
			n && (e = m.get(t)), e === void 0 && ((this.o = e = new CSSStyleSheet()).replaceSync(this.cssText), n && m.set(t, e));
		}
		return e;
	}
	toString() {
		return this.cssText;
	}
}, te = (e) => new ee(typeof e == "string" ? e : e + "", void 0, p), h = (e, ...t) => new ee(e.length === 1 ? e[0] : t.reduce((t, n, r) => t + ((e) => {
	if (!0 === e._$cssResult$) return e.cssText;
	if (typeof e == "number") return e;
	throw Error("Value passed to 'css' function must be a 'css' function result: " + e + ". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.");
})(n) + e[r + 1], e[0]), e, p), ne = (e, t) => {
	if (f) e.adoptedStyleSheets = t.map((e) => e instanceof CSSStyleSheet ? e : e.styleSheet);
	else for (let n of t) {
		let t = document.createElement("style"), r = d.litNonce;
		r !== void 0 && t.setAttribute("nonce", r), t.textContent = n.cssText, e.appendChild(t);
	}
}, re = f ? (e) => e : (e) => e instanceof CSSStyleSheet ? ((e) => {
	let t = "";
	for (let n of e.cssRules) t += n.cssText;
	return te(t);
})(e) : e, { is: ie, defineProperty: ae, getOwnPropertyDescriptor: oe, getOwnPropertyNames: se, getOwnPropertySymbols: ce, getPrototypeOf: le } = Object, g = globalThis, ue = g.trustedTypes, de = ue ? ue.emptyScript : "", fe = g.reactiveElementPolyfillSupport, _ = (e, t) => e, v = {
	toAttribute(e, t) {
		switch (t) {
			case Boolean:
				e = e ? de : null;
				break;
			case Object:
			case Array: e = e == null ? e : JSON.stringify(e);
		}
		return e;
	},
	fromAttribute(e, t) {
		let n = e;
		switch (t) {
			case Boolean:
				n = e !== null;
				break;
			case Number:
				n = e === null ? null : Number(e);
				break;
			case Object:
			case Array: try {
				n = JSON.parse(e);
			} catch {
				n = null;
			}
		}
		return n;
	}
}, pe = (e, t) => !ie(e, t), me = {
	attribute: !0,
	type: String,
	converter: v,
	reflect: !1,
	useDefault: !1,
	hasChanged: pe
};
Symbol.metadata ??= Symbol("metadata"), g.litPropertyMetadata ??= /* @__PURE__ */ new WeakMap();
var y = class extends HTMLElement {
	static addInitializer(e) {
		this._$Ei(), (this.l ??= []).push(e);
	}
	static get observedAttributes() {
		return this.finalize(), this._$Eh && [...this._$Eh.keys()];
	}
	static createProperty(e, t = me) {
		if (t.state && (t.attribute = !1), this._$Ei(), this.prototype.hasOwnProperty(e) && ((t = Object.create(t)).wrapped = !0), this.elementProperties.set(e, t), !t.noAccessor) {
			let n = Symbol(), r = this.getPropertyDescriptor(e, n, t);
			r !== void 0 && ae(this.prototype, e, r);
		}
	}
	static getPropertyDescriptor(e, t, n) {
		let { get: r, set: i } = oe(this.prototype, e) ?? {
			get() {
				return this[t];
			},
			set(e) {
				this[t] = e;
			}
		};
		return {
			get: r,
			set(t) {
				let a = r?.call(this);
				i?.call(this, t), this.requestUpdate(e, a, n);
			},
			configurable: !0,
			enumerable: !0
		};
	}
	static getPropertyOptions(e) {
		return this.elementProperties.get(e) ?? me;
	}
	static _$Ei() {
		if (this.hasOwnProperty(_("elementProperties"))) return;
		let e = le(this);
		e.finalize(), e.l !== void 0 && (this.l = [...e.l]), this.elementProperties = new Map(e.elementProperties);
	}
	static finalize() {
		if (this.hasOwnProperty(_("finalized"))) return;
		if (this.finalized = !0, this._$Ei(), this.hasOwnProperty(_("properties"))) {
			let e = this.properties, t = [...se(e), ...ce(e)];
			for (let n of t) this.createProperty(n, e[n]);
		}
		let e = this[Symbol.metadata];
		if (e !== null) {
			let t = litPropertyMetadata.get(e);
			if (t !== void 0) for (let [e, n] of t) this.elementProperties.set(e, n);
		}
		this._$Eh = /* @__PURE__ */ new Map();
		for (let [e, t] of this.elementProperties) {
			let n = this._$Eu(e, t);
			n !== void 0 && this._$Eh.set(n, e);
		}
		this.elementStyles = this.finalizeStyles(this.styles);
	}
	static finalizeStyles(e) {
		let t = [];
		if (Array.isArray(e)) {
			let n = new Set(e.flat(1 / 0).reverse());
			for (let e of n) t.unshift(re(e));
		} else e !== void 0 && t.push(re(e));
		return t;
	}
	static _$Eu(e, t) {
		let n = t.attribute;
		return !1 === n ? void 0 : typeof n == "string" ? n : typeof e == "string" ? e.toLowerCase() : void 0;
	}
	constructor() {
		super(), this._$Ep = void 0, this.isUpdatePending = !1, this.hasUpdated = !1, this._$Em = null, this._$Ev();
	}
	_$Ev() {
		this._$ES = new Promise((e) => this.enableUpdating = e), this._$AL = /* @__PURE__ */ new Map(), this._$E_(), this.requestUpdate(), this.constructor.l?.forEach((e) => e(this));
	}
	addController(e) {
		(this._$EO ??= /* @__PURE__ */ new Set()).add(e), this.renderRoot !== void 0 && this.isConnected && e.hostConnected?.();
	}
	removeController(e) {
		this._$EO?.delete(e);
	}
	_$E_() {
		let e = /* @__PURE__ */ new Map(), t = this.constructor.elementProperties;
		for (let n of t.keys()) this.hasOwnProperty(n) && (e.set(n, this[n]), delete this[n]);
		e.size > 0 && (this._$Ep = e);
	}
	createRenderRoot() {
		let e = this.shadowRoot ?? this.attachShadow(this.constructor.shadowRootOptions);
		return ne(e, this.constructor.elementStyles), e;
	}
	connectedCallback() {
		this.renderRoot ??= this.createRenderRoot(), this.enableUpdating(!0), this._$EO?.forEach((e) => e.hostConnected?.());
	}
	enableUpdating(e) {}
	disconnectedCallback() {
		this._$EO?.forEach((e) => e.hostDisconnected?.());
	}
	attributeChangedCallback(e, t, n) {
		this._$AK(e, n);
	}
	_$ET(e, t) {
		let n = this.constructor.elementProperties.get(e), r = this.constructor._$Eu(e, n);
		if (r !== void 0 && !0 === n.reflect) {
			let i = (n.converter?.toAttribute === void 0 ? v : n.converter).toAttribute(t, n.type);
			this._$Em = e, i == null ? this.removeAttribute(r) : this.setAttribute(r, i), this._$Em = null;
		}
	}
	_$AK(e, t) {
		let n = this.constructor, r = n._$Eh.get(e);
		if (r !== void 0 && this._$Em !== r) {
			let e = n.getPropertyOptions(r), i = typeof e.converter == "function" ? { fromAttribute: e.converter } : e.converter?.fromAttribute === void 0 ? v : e.converter;
			this._$Em = r;
			let a = i.fromAttribute(t, e.type);
			this[r] = a ?? this._$Ej?.get(r) ?? a, this._$Em = null;
		}
	}
	requestUpdate(e, t, n, r = !1, i) {
		if (e !== void 0) {
			let a = this.constructor;
			if (!1 === r && (i = this[e]), n ??= a.getPropertyOptions(e), !((n.hasChanged ?? pe)(i, t) || n.useDefault && n.reflect && i === this._$Ej?.get(e) && !this.hasAttribute(a._$Eu(e, n)))) return;
			this.C(e, t, n);
		}
		!1 === this.isUpdatePending && (this._$ES = this._$EP());
	}
	C(e, t, { useDefault: n, reflect: r, wrapped: i }, a) {
		n && !(this._$Ej ??= /* @__PURE__ */ new Map()).has(e) && (this._$Ej.set(e, a ?? t ?? this[e]), !0 !== i || a !== void 0) || (this._$AL.has(e) || (this.hasUpdated || n || (t = void 0), this._$AL.set(e, t)), !0 === r && this._$Em !== e && (this._$Eq ??= /* @__PURE__ */ new Set()).add(e));
	}
	async _$EP() {
		this.isUpdatePending = !0;
		try {
			await this._$ES;
		} catch (e) {
			Promise.reject(e);
		}
		let e = this.scheduleUpdate();
		return e != null && await e, !this.isUpdatePending;
	}
	scheduleUpdate() {
		return this.performUpdate();
	}
	performUpdate() {
		if (!this.isUpdatePending) return;
		if (!this.hasUpdated) {
			if (this.renderRoot ??= this.createRenderRoot(), this._$Ep) {
				for (let [e, t] of this._$Ep) this[e] = t;
				this._$Ep = void 0;
			}
			let e = this.constructor.elementProperties;
			if (e.size > 0) for (let [t, n] of e) {
				let { wrapped: e } = n, r = this[t];
				!0 !== e || this._$AL.has(t) || r === void 0 || this.C(t, void 0, n, r);
			}
		}
		let e = !1, t = this._$AL;
		try {
			e = this.shouldUpdate(t), e ? (this.willUpdate(t), this._$EO?.forEach((e) => e.hostUpdate?.()), this.update(t)) : this._$EM();
		} catch (t) {
			throw e = !1, this._$EM(), t;
		}
		e && this._$AE(t);
	}
	willUpdate(e) {}
	_$AE(e) {
		this._$EO?.forEach((e) => e.hostUpdated?.()), this.hasUpdated || (this.hasUpdated = !0, this.firstUpdated(e)), this.updated(e);
	}
	_$EM() {
		this._$AL = /* @__PURE__ */ new Map(), this.isUpdatePending = !1;
	}
	get updateComplete() {
		return this.getUpdateComplete();
	}
	getUpdateComplete() {
		return this._$ES;
	}
	shouldUpdate(e) {
		return !0;
	}
	update(e) {
		this._$Eq &&= this._$Eq.forEach((e) => this._$ET(e, this[e])), this._$EM();
	}
	updated(e) {}
	firstUpdated(e) {}
};
y.elementStyles = [], y.shadowRootOptions = { mode: "open" }, y[_("elementProperties")] = /* @__PURE__ */ new Map(), y[_("finalized")] = /* @__PURE__ */ new Map(), fe?.({ ReactiveElement: y }), (g.reactiveElementVersions ??= []).push("2.1.2");
// node_modules/lit-html/lit-html.js
var b = globalThis, he = (e) => e, x = b.trustedTypes, ge = x ? x.createPolicy("lit-html", { createHTML: (e) => e }) : void 0, _e = "$lit$", S = `lit$${Math.random().toFixed(9).slice(2)}$`, ve = "?" + S, ye = `<${ve}>`, C = document, w = () => C.createComment(""), T = (e) => e === null || typeof e != "object" && typeof e != "function", E = Array.isArray, be = (e) => E(e) || typeof e?.[Symbol.iterator] == "function", xe = "[ 	\n\f\r]", D = /<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g, Se = /-->/g, Ce = />/g, O = RegExp(`>|${xe}(?:([^\\s"'>=/]+)(${xe}*=${xe}*(?:[^ \t\n\f\r"'\`<>=]|("|')|))|$)`, "g"), we = /'/g, Te = /"/g, Ee = /^(?:script|style|textarea|title)$/i, De = (e) => (t, ...n) => ({
	_$litType$: e,
	strings: t,
	values: n
}), k = De(1), Oe = De(2), A = Symbol.for("lit-noChange"), j = Symbol.for("lit-nothing"), ke = /* @__PURE__ */ new WeakMap(), M = C.createTreeWalker(C, 129);
function Ae(e, t) {
	if (!E(e) || !e.hasOwnProperty("raw")) throw Error("invalid template strings array");
	return ge === void 0 ? t : ge.createHTML(t);
}
var je = (e, t) => {
	let n = e.length - 1, r = [], i, a = t === 2 ? "<svg>" : t === 3 ? "<math>" : "", o = D;
	for (let t = 0; t < n; t++) {
		let n = e[t], s, c, l = -1, u = 0;
		for (; u < n.length && (o.lastIndex = u, c = o.exec(n), c !== null);) u = o.lastIndex, o === D ? c[1] === "!--" ? o = Se : c[1] === void 0 ? c[2] === void 0 ? c[3] !== void 0 && (o = O) : (Ee.test(c[2]) && (i = RegExp("</" + c[2], "g")), o = O) : o = Ce : o === O ? c[0] === ">" ? (o = i ?? D, l = -1) : c[1] === void 0 ? l = -2 : (l = o.lastIndex - c[2].length, s = c[1], o = c[3] === void 0 ? O : c[3] === "\"" ? Te : we) : o === Te || o === we ? o = O : o === Se || o === Ce ? o = D : (o = O, i = void 0);
		let d = o === O && e[t + 1].startsWith("/>") ? " " : "";
		a += o === D ? n + ye : l >= 0 ? (r.push(s), n.slice(0, l) + _e + n.slice(l) + S + d) : n + S + (l === -2 ? t : d);
	}
	return [Ae(e, a + (e[n] || "<?>") + (t === 2 ? "</svg>" : t === 3 ? "</math>" : "")), r];
}, Me = class e {
	constructor({ strings: t, _$litType$: n }, r) {
		let i;
		this.parts = [];
		let a = 0, o = 0, s = t.length - 1, c = this.parts, [l, u] = je(t, n);
		if (this.el = e.createElement(l, r), M.currentNode = this.el.content, n === 2 || n === 3) {
			let e = this.el.content.firstChild;
			e.replaceWith(...e.childNodes);
		}
		for (; (i = M.nextNode()) !== null && c.length < s;) {
			if (i.nodeType === 1) {
				if (i.hasAttributes()) for (let e of i.getAttributeNames()) if (e.endsWith(_e)) {
					let t = u[o++], n = i.getAttribute(e).split(S), r = /([.?@])?(.*)/.exec(t);
					c.push({
						type: 1,
						index: a,
						name: r[2],
						strings: n,
						ctor: r[1] === "." ? Pe : r[1] === "?" ? Fe : r[1] === "@" ? Ie : F
					}), i.removeAttribute(e);
				} else e.startsWith(S) && (c.push({
					type: 6,
					index: a
				}), i.removeAttribute(e));
				if (Ee.test(i.tagName)) {
					let e = i.textContent.split(S), t = e.length - 1;
					if (t > 0) {
						i.textContent = x ? x.emptyScript : "";
						for (let n = 0; n < t; n++) i.append(e[n], w()), M.nextNode(), c.push({
							type: 2,
							index: ++a
						});
						i.append(e[t], w());
					}
				}
			} else if (i.nodeType === 8) {
				if (i.data === ve) c.push({
					type: 2,
					index: a
				});
				else {
					let e = -1;
					for (; (e = i.data.indexOf(S, e + 1)) !== -1;) c.push({
						type: 7,
						index: a
					}), e += S.length - 1;
				}
			}
			a++;
		}
	}
	static createElement(e, t) {
		let n = C.createElement("template");
		return n.innerHTML = e, n;
	}
};
function N(e, t, n = e, r) {
	if (t === A) return t;
	let i = r === void 0 ? n._$Cl : n._$Co?.[r], a = T(t) ? void 0 : t._$litDirective$;
	return i?.constructor !== a && (i?._$AO?.(!1), a === void 0 ? i = void 0 : (i = new a(e), i._$AT(e, n, r)), r === void 0 ? n._$Cl = i : (n._$Co ??= [])[r] = i), i !== void 0 && (t = N(e, i._$AS(e, t.values), i, r)), t;
}
var Ne = class {
	constructor(e, t) {
		this._$AV = [], this._$AN = void 0, this._$AD = e, this._$AM = t;
	}
	get parentNode() {
		return this._$AM.parentNode;
	}
	get _$AU() {
		return this._$AM._$AU;
	}
	u(e) {
		let { el: { content: t }, parts: n } = this._$AD, r = (e?.creationScope ?? C).importNode(t, !0);
		M.currentNode = r;
		let i = M.nextNode(), a = 0, o = 0, s = n[0];
		for (; s !== void 0;) {
			if (a === s.index) {
				let t;
				s.type === 2 ? t = new P(i, i.nextSibling, this, e) : s.type === 1 ? t = new s.ctor(i, s.name, s.strings, this, e) : s.type === 6 && (t = new Le(i, this, e)), this._$AV.push(t), s = n[++o];
			}
			a !== s?.index && (i = M.nextNode(), a++);
		}
		return M.currentNode = C, r;
	}
	p(e) {
		let t = 0;
		for (let n of this._$AV) n !== void 0 && (n.strings === void 0 ? n._$AI(e[t]) : (n._$AI(e, n, t), t += n.strings.length - 2)), t++;
	}
}, P = class e {
	get _$AU() {
		return this._$AM?._$AU ?? this._$Cv;
	}
	constructor(e, t, n, r) {
		this.type = 2, this._$AH = j, this._$AN = void 0, this._$AA = e, this._$AB = t, this._$AM = n, this.options = r, this._$Cv = r?.isConnected ?? !0;
	}
	get parentNode() {
		let e = this._$AA.parentNode, t = this._$AM;
		return t !== void 0 && e?.nodeType === 11 && (e = t.parentNode), e;
	}
	get startNode() {
		return this._$AA;
	}
	get endNode() {
		return this._$AB;
	}
	_$AI(e, t = this) {
		e = N(this, e, t), T(e) ? e === j || e == null || e === "" ? (this._$AH !== j && this._$AR(), this._$AH = j) : e !== this._$AH && e !== A && this._(e) : e._$litType$ === void 0 ? e.nodeType === void 0 ? be(e) ? this.k(e) : this._(e) : this.T(e) : this.$(e);
	}
	O(e) {
		return this._$AA.parentNode.insertBefore(e, this._$AB);
	}
	T(e) {
		this._$AH !== e && (this._$AR(), this._$AH = this.O(e));
	}
	_(e) {
		this._$AH !== j && T(this._$AH) ? this._$AA.nextSibling.data = e : this.T(C.createTextNode(e)), this._$AH = e;
	}
	$(e) {
		let { values: t, _$litType$: n } = e, r = typeof n == "number" ? this._$AC(e) : (n.el === void 0 && (n.el = Me.createElement(Ae(n.h, n.h[0]), this.options)), n);
		if (this._$AH?._$AD === r) this._$AH.p(t);
		else {
			let e = new Ne(r, this), n = e.u(this.options);
			e.p(t), this.T(n), this._$AH = e;
		}
	}
	_$AC(e) {
		let t = ke.get(e.strings);
		return t === void 0 && ke.set(e.strings, t = new Me(e)), t;
	}
	k(t) {
		E(this._$AH) || (this._$AH = [], this._$AR());
		let n = this._$AH, r, i = 0;
		for (let a of t) i === n.length ? n.push(r = new e(this.O(w()), this.O(w()), this, this.options)) : r = n[i], r._$AI(a), i++;
		i < n.length && (this._$AR(r && r._$AB.nextSibling, i), n.length = i);
	}
	_$AR(e = this._$AA.nextSibling, t) {
		for (this._$AP?.(!1, !0, t); e !== this._$AB;) {
			let t = he(e).nextSibling;
			he(e).remove(), e = t;
		}
	}
	setConnected(e) {
		this._$AM === void 0 && (this._$Cv = e, this._$AP?.(e));
	}
}, F = class {
	get tagName() {
		return this.element.tagName;
	}
	get _$AU() {
		return this._$AM._$AU;
	}
	constructor(e, t, n, r, i) {
		this.type = 1, this._$AH = j, this._$AN = void 0, this.element = e, this.name = t, this._$AM = r, this.options = i, n.length > 2 || n[0] !== "" || n[1] !== "" ? (this._$AH = Array(n.length - 1).fill(/* @__PURE__ */ new String()), this.strings = n) : this._$AH = j;
	}
	_$AI(e, t = this, n, r) {
		let i = this.strings, a = !1;
		if (i === void 0) e = N(this, e, t, 0), a = !T(e) || e !== this._$AH && e !== A, a && (this._$AH = e);
		else {
			let r = e, o, s;
			for (e = i[0], o = 0; o < i.length - 1; o++) s = N(this, r[n + o], t, o), s === A && (s = this._$AH[o]), a ||= !T(s) || s !== this._$AH[o], s === j ? e = j : e !== j && (e += (s ?? "") + i[o + 1]), this._$AH[o] = s;
		}
		a && !r && this.j(e);
	}
	j(e) {
		e === j ? this.element.removeAttribute(this.name) : this.element.setAttribute(this.name, e ?? "");
	}
}, Pe = class extends F {
	constructor() {
		super(...arguments), this.type = 3;
	}
	j(e) {
		this.element[this.name] = e === j ? void 0 : e;
	}
}, Fe = class extends F {
	constructor() {
		super(...arguments), this.type = 4;
	}
	j(e) {
		this.element.toggleAttribute(this.name, !!e && e !== j);
	}
}, Ie = class extends F {
	constructor(e, t, n, r, i) {
		super(e, t, n, r, i), this.type = 5;
	}
	_$AI(e, t = this) {
		if ((e = N(this, e, t, 0) ?? j) === A) return;
		let n = this._$AH, r = e === j && n !== j || e.capture !== n.capture || e.once !== n.once || e.passive !== n.passive, i = e !== j && (n === j || r);
		r && this.element.removeEventListener(this.name, this, n), i && this.element.addEventListener(this.name, this, e), this._$AH = e;
	}
	handleEvent(e) {
		typeof this._$AH == "function" ? this._$AH.call(this.options?.host ?? this.element, e) : this._$AH.handleEvent(e);
	}
}, Le = class {
	constructor(e, t, n) {
		this.element = e, this.type = 6, this._$AN = void 0, this._$AM = t, this.options = n;
	}
	get _$AU() {
		return this._$AM._$AU;
	}
	_$AI(e) {
		N(this, e);
	}
}, Re = {
	M: _e,
	P: S,
	A: ve,
	C: 1,
	L: je,
	R: Ne,
	D: be,
	V: N,
	I: P,
	H: F,
	N: Fe,
	U: Ie,
	B: Pe,
	F: Le
};
(0, b.litHtmlPolyfillSupport)?.(Me, P), (b.litHtmlVersions ??= []).push("3.3.3");
var ze = (e, t, n) => {
	let r = n?.renderBefore ?? t, i = r._$litPart$;
	if (i === void 0) {
		let e = n?.renderBefore ?? null;
		r._$litPart$ = i = new P(t.insertBefore(w(), e), e, void 0, n ?? {});
	}
	return i._$AI(e), i;
}, I = globalThis, L = class extends y {
	constructor() {
		super(...arguments), this.renderOptions = { host: this }, this._$Do = void 0;
	}
	createRenderRoot() {
		let e = super.createRenderRoot();
		return this.renderOptions.renderBefore ??= e.firstChild, e;
	}
	update(e) {
		let t = this.render();
		this.hasUpdated || (this.renderOptions.isConnected = this.isConnected), super.update(e), this._$Do = ze(t, this.renderRoot, this.renderOptions);
	}
	connectedCallback() {
		super.connectedCallback(), this._$Do?.setConnected(!0);
	}
	disconnectedCallback() {
		super.disconnectedCallback(), this._$Do?.setConnected(!1);
	}
	render() {
		return A;
	}
};
L._$litElement$ = !0, L.finalized = !0, I.litElementHydrateSupport?.({ LitElement: L }), (0, I.litElementPolyfillSupport)?.({ LitElement: L }), (I.litElementVersions ??= []).push("4.2.2");
function Be(e, t, n) {
	return (e === "tap" ? t.tap_action : t.hold_action) === void 0 ? null : {
		config: {
			...t,
			entity: n
		},
		action: e
	};
}
var Ve = class {
	later;
	cancel = null;
	held = !1;
	constructor(e) {
		this.later = e;
	}
	down(e) {
		this.up(), this.held = !1, this.cancel = this.later(500, () => {
			this.cancel = null, this.held = !0, e();
		});
	}
	up() {
		this.cancel?.(), this.cancel = null;
	}
	click(e) {
		this.up(), this.held || e(), this.held = !1;
	}
}, He = "M13 13H11V7H13M11 15H13V17H11M15.73 3H8.27L3 8.27V15.73L8.27 21H15.73L21 15.73V8.27L15.73 3Z", Ue = "M17 12C17 12.54 16.9 13.05 16.74 13.54L15 11.78C14.87 10.3 13.7 9.13 12.22 9L10.46 7.26C10.95 7.1 11.46 7 12 7C14.76 7 17 9.24 17 12M9.88 4H14.12L15.95 6H20V16.8L21.88 18.68C21.96 18.47 22 18.24 22 18V6C22 4.89 21.11 4 20 4H16.83L15 2H9L7.18 4L8.6 5.4L9.88 4M22.11 21.46L20.84 22.73L18.11 20H4C2.9 20 2 19.11 2 18V6C2 5.42 2.25 4.9 2.65 4.54L1.11 3L2.39 1.73L22.11 21.46M9 12C9 13.66 10.34 15 12 15C12.33 15 12.65 14.93 12.94 14.83L9.17 11.06C9.07 11.36 9 11.67 9 12M16.11 18L14.45 16.34C13.72 16.75 12.89 17 12 17C9.24 17 7 14.76 7 12C7 11.11 7.25 10.28 7.66 9.55L4.11 6H4V18H16.11Z", We = "M20,4H16.83L15,2H9L7.17,4H4A2,2 0 0,0 2,6V18A2,2 0 0,0 4,20H20A2,2 0 0,0 22,18V6A2,2 0 0,0 20,4M20,18H4V6H8.05L9.88,4H14.12L15.95,6H20V18M12,7A5,5 0 0,0 7,12A5,5 0 0,0 12,17A5,5 0 0,0 17,12A5,5 0 0,0 12,7M12,15A3,3 0 0,1 9,12A3,3 0 0,1 12,9A3,3 0 0,1 15,12A3,3 0 0,1 12,15Z", Ge = {
	clear: "M23,12L20.56,9.22L20.9,5.54L17.29,4.72L15.4,1.54L12,3L8.6,1.54L6.71,4.72L3.1,5.53L3.44,9.21L1,12L3.44,14.78L3.1,18.47L6.71,19.29L8.6,22.47L12,21L15.4,22.46L17.29,19.28L20.9,18.46L20.56,14.78L23,12M10,17L6,13L7.41,11.59L10,14.17L16.59,7.58L18,9L10,17Z",
	abstain: "M11,18H13V16H11V18M12,2A10,10 0 0,0 2,12A10,10 0 0,0 12,22A10,10 0 0,0 22,12A10,10 0 0,0 12,2M12,20C7.59,20 4,16.41 4,12C4,7.59 7.59,4 12,4C16.41,4 20,7.59 20,12C20,16.41 16.41,20 12,20M12,6A4,4 0 0,0 8,10H10A2,2 0 0,1 12,8A2,2 0 0,1 14,10C14,12 11,11.75 11,15H13C13,12.75 16,12.5 16,10A4,4 0 0,0 12,6Z",
	escalate: He
};
function Ke(e) {
	return e === "qualified" ? We : Ue;
}
function R(e) {
	return k`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${Oe`<path d=${e}></path>`}</svg>`;
}
function qe(e, t) {
	return k`<span class="pill ${e}">${R(Ge[e])}<span>${t}</span></span>`;
}
// src/elements/later.ts
var Je = (e, t) => {
	let n = setTimeout(t, e);
	return () => clearTimeout(n);
}, Ye = .05, Xe = {
	seen: 0,
	open: 1,
	point: null
};
function z(e) {
	return Math.sqrt(Math.min(1, Math.max(0, e)));
}
function Ze(e) {
	if (e === null || e.n === 0) return [0, 1];
	let [t, n] = e.interval ?? [0, e.upperLimit ?? 1];
	return [t, Math.max(n, e.upperLimit ?? 0)];
}
function Qe(e) {
	if (e === null || e.n === 0) return Xe;
	let [t, n] = Ze(e);
	return {
		seen: z(t),
		open: z(n),
		point: z(e.k / e.n)
	};
}
// src/elements/risk-bar.ts
var B = (e) => `${(e * 100).toFixed(2)}%`;
function $e(e, t, n) {
	let { seen: r, open: i, point: a } = e;
	return k`<div class="bar ${n}" role="img" aria-label=${t}>
    <div class="ruled-out" style="inset-inline-start:${B(i)}"></div>
    <div class="unknown" style="inset-inline-start:${B(r)};inline-size:${B(i - r)}"></div>
    <div class="seen" style="inline-size:${B(r)}"></div>
    <div class="limit" style="inset-inline-start:${B(z(Ye))}"></div>
    ${a === null ? "" : k`<div class="point" style="inset-inline-start:${B(a)}"></div>`}
  </div>`;
}
var et = h`
  .bar {
    position: relative;
    height: 12px;
    border-radius: 6px;
    background: var(--surface);
    box-shadow: inset 0 0 0 1px var(--line);
  }
  .bar > div {
    position: absolute;
    inset-block: 0;
  }
  .ruled-out {
    inset-inline-end: 0;
    border-start-end-radius: 6px;
    border-end-end-radius: 6px;
    background: color-mix(in srgb, var(--quiet) 10%, transparent);
  }
  .clear > .ruled-out {
    background: color-mix(in srgb, var(--good) 45%, transparent);
  }
  .unknown {
    background: var(--hatch);
    border-radius: 6px;
  }
  .seen {
    inset-inline-start: 0;
    background: var(--bad);
    border-start-start-radius: 6px;
    border-end-start-radius: 6px;
  }
  .bar > .limit {
    inset-block: -3px;
    width: 0;
    border-inline-start: 2px dotted var(--text);
  }
  .bar > .point {
    inset-block: -2px;
    width: 6px;
    margin-inline-start: -3px;
    border-radius: 3px;
    background: var(--text);
    box-shadow: 0 0 0 1px var(--surface);
  }
  @media (forced-colors: active) {
    .seen,
    .bar > .point {
      background: CanvasText;
      forced-color-adjust: none;
    }
    .unknown {
      background: repeating-linear-gradient(-45deg, CanvasText 0 1px, Canvas 1px 5px);
      forced-color-adjust: none;
    }
  }
`, tt = h`
  :host {
    --good: var(--success-color, #43a047);
    --bad: var(--error-color, #db4437);
    --open: var(--warning-color, #ffa600);
    --line: var(--divider-color, rgba(0, 0, 0, 0.12));
    --text: var(--primary-text-color, #212121);
    --quiet: var(--secondary-text-color, #5e5e5e);
    --surface: var(--ha-card-background, var(--card-background-color, #fff));
    --hatch: repeating-linear-gradient(
      -45deg,
      color-mix(in srgb, var(--quiet) 62%, transparent) 0 2px,
      color-mix(in srgb, var(--quiet) 14%, transparent) 2px 6px
    );
    color: var(--text);
    font-family: var(--ha-font-family-body, inherit);
  }
  .escalate {
    --tone: var(--bad);
  }
  .abstain {
    --tone: var(--open);
  }
  .clear {
    --tone: var(--good);
  }
  .pill {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding: 2px 8px 2px 4px;
    border-radius: 12px;
    border: 1px solid color-mix(in srgb, var(--tone) 60%, transparent);
    background: color-mix(in srgb, var(--tone) 14%, transparent);
    font-size: var(--ha-font-size-s, 12px);
    line-height: 1.4;
  }
  svg.icon {
    width: 20px;
    height: 20px;
    flex: none;
    fill: currentColor;
  }
  .pill svg.icon {
    width: 16px;
    height: 16px;
    fill: var(--tone);
  }
  button.action {
    font: inherit;
    font-weight: 500;
    min-height: 40px;
    padding: 0 16px;
    border-radius: 20px;
    border: 1px solid var(--primary-color, #03a9f4);
    color: var(--text);
    background: color-mix(in srgb, var(--primary-color, #03a9f4) 10%, transparent);
    cursor: pointer;
  }
  button.action:disabled {
    cursor: default;
    opacity: 0.6;
  }
  button:focus-visible,
  [tabindex]:focus-visible,
  summary:focus-visible {
    outline: 2px solid var(--primary-color, #03a9f4);
    outline-offset: 2px;
  }
  @media (prefers-contrast: more) {
    :host {
      --line: currentColor;
      --quiet: var(--text);
    }
  }
  @media (forced-colors: active) {
    .pill,
    .bar {
      border: 1px solid CanvasText;
    }
    svg.icon {
      fill: CanvasText;
    }
  }
`, nt = class extends L {
	static properties = { row: { attribute: !1 } };
	press = new Ve(Je);
	render() {
		let e = this.row;
		return k`<button
      class="row ${e.disposition}"
      aria-label=${e.summary}
      @pointerdown=${() => this.press.down(() => this.tell("hold"))}
      @pointerleave=${() => this.press.up()}
      @pointercancel=${() => this.press.up()}
      @click=${() => this.press.click(() => this.tell("tap"))}
      @contextmenu=${(e) => e.preventDefault()}
    >
      <span class="badge">${R(Ge[e.disposition])}</span>
      <span class="head">
        <span class="name">${e.name}</span>
        ${qe(e.disposition, e.verdict)}
      </span>
      <span class="sentence">${e.sentence}</span>
      <span class="risk">${$e(e.bar, "", e.disposition)}</span>
      <span class="figures"><span class="share">${e.share}</span> <span class="range">${e.range}</span></span>
      <span class="notes">
        <span class="witness">${R(Ke(e.witness))}${e.witnessText}</span>
        ${e.notes.map((e) => k`<span>${e}</span>`)} <slot></slot>
      </span>
    </button>`;
	}
	tell(e) {
		let t = {
			gesture: e,
			row: this.row
		};
		this.dispatchEvent(new CustomEvent("simverity-gesture", {
			detail: t,
			bubbles: !0,
			composed: !0
		}));
	}
	static styles = [
		tt,
		et,
		h`
      :host {
        display: block;
        content-visibility: auto;
        contain-intrinsic-size: auto 132px;
      }
      .row {
        all: unset;
        box-sizing: border-box;
        width: 100%;
        display: grid;
        grid-template-columns: 40px 1fr;
        column-gap: 12px;
        row-gap: 6px;
        padding: 12px 16px;
        cursor: pointer;
        -webkit-touch-callout: none;
        user-select: none;
      }
      .row > * {
        grid-column: 2;
        min-width: 0;
      }
      .row:hover {
        background: color-mix(in srgb, var(--text) 4%, transparent);
      }
      .row:focus-visible {
        outline: 2px solid var(--primary-color, #03a9f4);
        outline-offset: -2px;
        border-radius: var(--ha-card-border-radius, 12px);
      }
      .badge {
        grid-column: 1;
        grid-row: 1 / span 2;
        width: 40px;
        height: 40px;
        border-radius: 50%;
        display: grid;
        place-items: center;
        background: color-mix(in srgb, var(--tone) 20%, transparent);
        color: var(--tone);
      }
      .badge svg.icon {
        width: 24px;
        height: 24px;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 8px;
      }
      .name {
        font-size: var(--ha-font-size-l, 16px);
        font-weight: 500;
        overflow-wrap: anywhere;
      }
      .sentence,
      .range,
      .notes {
        color: var(--quiet);
        font-size: var(--ha-font-size-s, 12px);
        line-height: 1.4;
      }
      .figures {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 8px;
        font-size: var(--ha-font-size-m, 14px);
        font-variant-numeric: tabular-nums;
      }
      .share {
        font-weight: 500;
      }
      .range {
        align-self: center;
      }
      .notes {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 12px;
      }
      .witness {
        display: inline-flex;
        align-items: center;
        gap: 4px;
      }
      .witness svg.icon {
        width: 16px;
        height: 16px;
      }
    `
	];
}, rt = {
	ATTRIBUTE: 1,
	CHILD: 2,
	PROPERTY: 3,
	BOOLEAN_ATTRIBUTE: 4,
	EVENT: 5,
	ELEMENT: 6
}, it = (e) => (...t) => ({
	_$litDirective$: e,
	values: t
}), at = class {
	constructor(e) {}
	get _$AU() {
		return this._$AM._$AU;
	}
	_$AT(e, t, n) {
		this._$Ct = e, this._$AM = t, this._$Ci = n;
	}
	_$AS(e, t) {
		return this.update(e, t);
	}
	update(e, t) {
		return this.render(...t);
	}
}, { I: ot } = Re, st = (e) => e, ct = () => document.createComment(""), V = (e, t, n) => {
	let r = e._$AA.parentNode, i = t === void 0 ? e._$AB : t._$AA;
	if (n === void 0) n = new ot(r.insertBefore(ct(), i), r.insertBefore(ct(), i), e, e.options);
	else {
		let t = n._$AB.nextSibling, a = n._$AM, o = a !== e;
		if (o) {
			let t;
			n._$AQ?.(e), n._$AM = e, n._$AP !== void 0 && (t = e._$AU) !== a._$AU && n._$AP(t);
		}
		if (t !== i || o) {
			let e = n._$AA;
			for (; e !== t;) {
				let t = st(e).nextSibling;
				st(r).insertBefore(e, i), e = t;
			}
		}
	}
	return n;
}, H = (e, t, n = e) => (e._$AI(t, n), e), lt = {}, ut = (e, t = lt) => e._$AH = t, dt = (e) => e._$AH, U = (e) => {
	e._$AR(), e._$AA.remove();
}, ft = (e, t, n) => {
	let r = /* @__PURE__ */ new Map();
	for (let i = t; i <= n; i++) r.set(e[i], i);
	return r;
}, pt = it(class extends at {
	constructor(e) {
		if (super(e), e.type !== rt.CHILD) throw Error("repeat() can only be used in text expressions");
	}
	dt(e, t, n) {
		let r;
		n === void 0 ? n = t : t !== void 0 && (r = t);
		let i = [], a = [], o = 0;
		for (let t of e) i[o] = r ? r(t, o) : o, a[o] = n(t, o), o++;
		return {
			values: a,
			keys: i
		};
	}
	render(e, t, n) {
		return this.dt(e, t, n).values;
	}
	update(e, [t, n, r]) {
		let i = dt(e), { values: a, keys: o } = this.dt(t, n, r);
		if (!Array.isArray(i)) return this.ut = o, a;
		let s = this.ut ??= [], c = [], l, u, d = 0, f = i.length - 1, p = 0, m = a.length - 1;
		for (; d <= f && p <= m;) if (i[d] === null) d++;
		else if (i[f] === null) f--;
		else if (s[d] === o[p]) c[p] = H(i[d], a[p]), d++, p++;
		else if (s[f] === o[m]) c[m] = H(i[f], a[m]), f--, m--;
		else if (s[d] === o[m]) c[m] = H(i[d], a[m]), V(e, c[m + 1], i[d]), d++, m--;
		else if (s[f] === o[p]) c[p] = H(i[f], a[p]), V(e, i[d], i[f]), f--, p++;
		else if (l === void 0 && (l = ft(o, p, m), u = ft(s, d, f)), l.has(s[d])) {
			if (l.has(s[f])) {
				let t = u.get(o[p]), n = t === void 0 ? null : i[t];
				if (n === null) {
					let t = V(e, i[d]);
					H(t, a[p]), c[p] = t;
				} else c[p] = H(n, a[p]), V(e, i[d], n), i[t] = null;
				p++;
			} else U(i[f]), f--;
		} else U(i[d]), d++;
		for (; p <= m;) {
			let t = V(e, c[m + 1]);
			H(t, a[p]), c[p++] = t;
		}
		for (; d <= f;) {
			let e = i[d++];
			e !== null && U(e);
		}
		return this.ut = o, ut(e, c), A;
	}
}), mt = (e) => typeof e == "object" && !!e && typeof e.action == "string", ht = (e) => Array.isArray(e) && e.every((e) => typeof e == "string"), gt = (e) => Number.isInteger(e) && e >= 1 && e <= 90, _t = {
	kind: "kind_text",
	fits: (e) => typeof e == "string"
}, W = {
	kind: "kind_flag",
	fits: (e) => typeof e == "boolean"
}, vt = {
	kind: "kind_action",
	fits: mt
}, yt = {
	title: _t,
	entity: _t,
	entities: {
		kind: "kind_entities",
		fits: ht
	},
	sort: {
		kind: "kind_sort",
		fits: (e) => e === "worst" || e === "name"
	},
	show_session: W,
	show_trend: W,
	show_legend: W,
	trend_days: {
		kind: "kind_days",
		fits: gt
	},
	tap_action: vt,
	hold_action: vt
};
function bt(e, t) {
	let n = o(t), r = typeof e == "object" && e ? e : {};
	for (let [e, t] of Object.entries(r)) {
		let r = yt[e];
		if (r && t != null && !r.fits(t)) throw Error(s(n.config_not, {
			option: e,
			kind: n[r.kind]
		}));
	}
}
var xt = [{
	name: "show_trend",
	selector: { boolean: {} }
}, {
	name: "trend_days",
	selector: { number: {
		min: 1,
		max: 90,
		mode: "box"
	} }
}], St = [{
	name: "tap_action",
	selector: { ui_action: {} }
}, {
	name: "hold_action",
	selector: { ui_action: {} }
}], Ct = [
	"light",
	"switch",
	"fan",
	"cover",
	"lock",
	"climate",
	"media_player",
	"input_boolean"
];
function wt(e) {
	return (t) => {
		let n = `editor_${t.name}`, r = o(e());
		return n in r ? r[n] : t.name;
	};
}
function Tt(e) {
	let t = o(e()), n = [{
		value: "worst",
		label: t.sort_worst
	}, {
		value: "name",
		label: t.sort_name
	}];
	return {
		schema: [
			{
				name: "title",
				selector: { text: {} }
			},
			{
				name: "entities",
				selector: { entity: {
					multiple: !0,
					filter: { domain: Ct }
				} }
			},
			{
				name: "sort",
				selector: { select: {
					mode: "dropdown",
					options: n
				} }
			},
			{
				name: "show_session",
				selector: { boolean: {} }
			},
			{
				name: "show_legend",
				selector: { boolean: {} }
			},
			...xt,
			...St
		],
		computeLabel: wt(e),
		assertConfig: (t) => bt(t, e())
	};
}
// src/controllers/notice.ts
function Et(e, t, n, r) {
	switch (e.status) {
		case "loading": return {
			tone: "busy",
			text: r.say("loading")
		};
		case "absent": return {
			tone: "info",
			text: r.say("absent")
		};
		case "forbidden": return {
			tone: "warning",
			text: r.say("forbidden")
		};
		case "mismatch": {
			let t = r.say("mismatch_versions", {
				card: n,
				told: e.told ?? "?"
			});
			return {
				tone: "warning",
				text: r.say("mismatch"),
				detail: t,
				reload: !0
			};
		}
		case "ready": return t > 0 ? null : e.subjects.size > 0 ? {
			tone: "info",
			text: r.say("nothing_listed")
		} : {
			tone: "info",
			text: r.say(e.hidden > 0 ? "all_hidden" : "empty")
		};
	}
}
function Dt(e, t) {
	let n = [];
	if (e.stale && n.push({
		tone: "warning",
		text: t.say("stale")
	}), e.ledger.state !== "sound" && e.ledger.state !== "verifying") {
		let r = t.word("ledger", e.ledger.state);
		n.push({
			tone: "error",
			text: t.say("ledger_bad", { state: r })
		});
	}
	return [
		"unreachable",
		"unauthorized",
		"unsupported"
	].includes(e.witness) && n.push({
		tone: "warning",
		text: t.say("witness_gone")
	}), n;
}
// src/wire/json.ts
var G = class extends Error {
	name = "WireError";
}, K = (e, t) => {
	if (typeof e != "string") throw new G(`${t} is no text`);
	return e;
}, q = (e, t) => {
	if (typeof e != "number" || !Number.isFinite(e)) throw new G(`${t} is no number`);
	return e;
}, Ot = (e, t) => {
	if (typeof e != "boolean") throw new G(`${t} is neither true nor false`);
	return e;
}, kt = (e, t) => {
	if (typeof e != "object" || !e || Array.isArray(e)) throw new G(`${t} is no object`);
	return e;
};
function J(...e) {
	return (t, n) => {
		let r = e.find((e) => e === t);
		if (r === void 0) throw new G(`${n} is none of ${e.join(", ")}`);
		return r;
	};
}
function Y(e) {
	return (t, n) => t == null ? null : e(t, n);
}
function At(e) {
	return (t, n) => {
		if (!Array.isArray(t)) throw new G(`${n} is no list`);
		return t.map((t, r) => e(t, `${n}[${r}]`));
	};
}
function jt(e) {
	return (t, n) => new Map(Object.entries(kt(t, n)).map(([t, r]) => [t, e(r, `${n}.${t}`)]));
}
function X(e, t) {
	let n = kt(e, t);
	return (e, r) => r(n[e], `${t}.${e}`);
}
var Mt = "simverity/snapshot/subscribe", Nt = [
	"clear",
	"abstain",
	"escalate"
], Pt = [
	"none",
	"unqualified",
	"qualified",
	"expired",
	"offline"
], Ft = [
	"idle",
	"qualifying",
	"strobing",
	"running",
	"finishing"
], It = ["on", "off"], Lt = (e, t) => {
	let [n, r, ...i] = At(q)(e, t);
	if (n === void 0 || r === void 0 || i.length) throw new G(`${t} is no interval`);
	return [n, r];
}, Rt = (e, t) => {
	let n = X(e, t);
	return {
		property: n("property", K),
		boundary: n("boundary", K),
		direction: n("direction", Y(J(...It))),
		source: n("source", K),
		basis: n("basis", J("one_look", "standing")),
		k: n("k", q),
		n: n("n", q),
		abstained: n("abstained", q),
		interval: n("interval", Y(Lt)),
		upperLimit: n("upper_limit", Y(q))
	};
}, zt = (e, t) => {
	let n = X(e, t), r = n("sensors", jt(Y(K)));
	return {
		entityId: n("entity_id", K),
		disposition: n("disposition", J(...Nt)),
		explanation: n("explanation", K),
		carriedOver: n("carried_over", Ot),
		headline: n("headline", Y(Rt)),
		trials: n("trials", q),
		abstentions: n("abstentions", jt(q)),
		lastFalseClearance: n("last_false_clearance", Y(K)),
		cleanAuditsToClear: n("clean_audits_to_clear", Y(q)),
		witness: n("witness", J(...Pt)),
		sensors: {
			disposition: r.get("disposition") ?? null,
			risk: r.get("false_clearance_risk") ?? null
		}
	};
}, Bt = (e, t) => {
	let n = X(e, t);
	return {
		session: n("session_id", K),
		valid: n("valid", Ot),
		reasons: n("reasons", At(K)),
		endedAt: n("ended_at", K)
	};
}, Vt = (e, t) => {
	let n = X(e, t);
	return {
		phase: n("phase", J(...Ft)),
		session: n("session_id", Y(K)),
		done: n("done", q),
		total: n("total", q),
		secondsLeft: n("seconds_left", Y(q)),
		last: n("last", Y(Bt))
	};
}, Ht = (e, t) => {
	let n = X(e, t);
	return {
		state: n("state", K),
		entries: n("entries", q),
		head: n("head", Y(K))
	};
}, Ut = {
	subjects: jt(zt),
	removed: At(K),
	hidden: q,
	session: Vt,
	ledger: Ht,
	witness: K
};
function Wt(e) {
	let t = Object.entries(Ut).filter(([t]) => e[t] !== void 0);
	return Object.fromEntries(t.map(([t, n]) => [t, n(e[t], t)]));
}
function Gt(e, t) {
	let n = X(e, "event"), r = n("type", J("snapshot", "change", "unloaded"));
	if (r === "unloaded") return { type: r };
	let i = e;
	if (r === "change") return {
		type: r,
		change: Wt(i)
	};
	let a = {
		schema: n("schema", Y(q)),
		version: n("version", Y(K))
	};
	return a.schema !== 1 || a.version !== t ? {
		type: "mismatch",
		...a
	} : {
		type: r,
		whole: {
			subjects: n("subjects", Ut.subjects),
			hidden: n("hidden", q),
			session: n("session", Vt),
			ledger: n("ledger", Ht),
			witness: n("witness", K)
		}
	};
}
var Z = {
	status: "loading",
	stale: !1,
	subjects: /* @__PURE__ */ new Map(),
	hidden: 0,
	session: {
		phase: "idle",
		session: null,
		done: 0,
		total: 0,
		secondsLeft: null,
		last: null
	},
	ledger: {
		state: "verifying",
		entries: 0,
		head: null
	},
	witness: "not_configured",
	told: null
};
function Kt(e, t) {
	switch (t.type) {
		case "snapshot": return {
			...Z,
			...t.whole,
			status: "ready"
		};
		case "mismatch": return {
			...Z,
			status: "mismatch",
			told: t.version
		};
		case "unloaded": return {
			...Z,
			status: "absent"
		};
		case "change": {
			let { subjects: n, removed: r, ...i } = t.change;
			if (!n && !r) return {
				...e,
				...i
			};
			let a = new Map([...e.subjects, ...n ?? []]);
			for (let e of r ?? []) a.delete(e);
			return {
				...e,
				...i,
				subjects: a
			};
		}
	}
}
// src/controllers/link.ts
var qt = 3e3, Jt = 5e3, Yt = class {
	connection;
	version;
	later;
	listeners = /* @__PURE__ */ new Set();
	current = Z;
	cancel = () => void 0;
	end = null;
	open = !1;
	attempt = 0;
	constructor(e, t, n) {
		this.connection = e, this.version = t, this.later = n;
	}
	get picture() {
		return this.current;
	}
	listen(e) {
		return this.listeners.add(e), this.cancel(), this.open ? this.current.status === "absent" && this.subscribe() : this.start(), e(this.current), () => {
			this.listeners.delete(e), this.listeners.size === 0 && this.schedule(Jt, () => this.stop());
		};
	}
	onReady = () => void this.subscribe();
	onDisconnected = () => this.show({
		...this.current,
		stale: !0
	});
	start() {
		this.open = !0, this.connection.addEventListener("ready", this.onReady), this.connection.addEventListener("disconnected", this.onDisconnected), this.subscribe();
	}
	stop() {
		this.open = !1, this.connection.removeEventListener("ready", this.onReady), this.connection.removeEventListener("disconnected", this.onDisconnected), this.attempt += 1, this.leave(), this.current = Z;
	}
	async subscribe() {
		this.attempt += 1;
		let e = this.attempt;
		await this.leave();
		try {
			let t = await this.connection.subscribeMessage((t) => {
				e === this.attempt && this.take(t);
			}, { type: Mt }, { resubscribe: !1 });
			e === this.attempt ? this.end = t : await Xt(t);
		} catch (t) {
			e === this.attempt && this.refused(t);
		}
	}
	take(e) {
		try {
			let t = Gt(e, this.version);
			this.show(Kt(this.current, t)), t.type === "unloaded" && this.retry();
		} catch (e) {
			if (!(e instanceof G)) throw e;
			this.show({
				...Z,
				status: "mismatch"
			});
		}
	}
	refused(e) {
		let t = e?.code;
		this.show({
			...Z,
			status: t === "unauthorized" ? "forbidden" : "absent"
		}), this.retry();
	}
	retry() {
		this.schedule(qt, () => void this.subscribe());
	}
	schedule(e, t) {
		this.cancel(), this.cancel = this.later(e, t);
	}
	async leave() {
		let e = this.end;
		this.end = null, e && await Xt(e);
	}
	show(e) {
		this.current = e;
		for (let t of [...this.listeners]) t(e);
	}
};
async function Xt(e) {
	try {
		await e();
	} catch {}
}
var Zt = /* @__PURE__ */ new WeakMap();
function Qt(e, t, n) {
	let r = Zt.get(e) ?? new Yt(e, t, n);
	return Zt.set(e, r), r;
}
// src/controllers/rows.ts
var $t = [
	"escalate",
	"abstain",
	"clear"
];
function en(e, t) {
	if (e === null || e.n === 0) return {
		share: t.say("share_none"),
		range: t.say("anything")
	};
	let [n, r] = Ze(e), i = t.say("share", {
		k: t.number(e.k),
		n: t.number(e.n)
	}), a = {
		low: t.percent(n),
		high: t.percent(r)
	};
	return r >= 1 && n === 0 ? {
		share: i,
		range: t.say("anything")
	} : {
		share: i,
		range: t.say(n > 0 ? "range" : "at_most", a)
	};
}
function Q(e, t) {
	let n = t?.attributes.friendly_name;
	return typeof n == "string" && n ? n : e;
}
function $(e) {
	return e !== void 0 && e.state !== "unavailable";
}
function tn(e, t) {
	let n = [];
	return e.carriedOver && n.push(t.say("carried_over")), e.cleanAuditsToClear !== null && e.disposition !== "clear" && e.cleanAuditsToClear > 0 && n.push(t.count("more_audits", e.cleanAuditsToClear)), e.lastFalseClearance !== null && n.push(t.say("last_failed", { when: t.date(e.lastFalseClearance) })), n;
}
function nn(e, t, n, r) {
	let i = Q(t.entityId, n), a = en(t.headline, r), o = r.word("disposition", t.disposition);
	return {
		subject: e,
		entityId: t.entityId,
		name: i,
		available: $(n),
		disposition: t.disposition,
		verdict: o,
		sentence: r.word("explanation", t.explanation),
		...a,
		bar: Qe(t.headline),
		witness: t.witness,
		witnessText: r.say("witness", { state: r.word("witness", t.witness) }),
		notes: tn(t, r),
		summary: r.say("open_details", {
			name: i,
			disposition: o,
			share: `${a.share}, ${a.range}`
		}),
		dispositionSensor: t.sensors.disposition,
		riskSensor: t.sensors.risk
	};
}
var rn = class {
	home = null;
	kept = /* @__PURE__ */ new Map();
	speaker = null;
	speech(e) {
		return this.speaker !== null && this.home !== null && u(this.home, e) || (this.speaker = l(e), this.kept.clear()), this.home = e, this.speaker;
	}
	row(e, t, n) {
		let r = this.speech(n), i = n.states[t.entityId], a = this.kept.get(e), [o, s] = [Q(t.entityId, i), $(i)];
		if (a && a.view === t && a.name === o && a.available === s) return a.row;
		let c = nn(e, t, i, r);
		return this.kept.set(e, {
			view: t,
			name: o,
			available: s,
			row: c
		}), c;
	}
	all(e, t, n) {
		let r = t.entities?.length ? new Set(t.entities) : null, i = [];
		for (let [t, a] of e.subjects) (r === null || r.has(a.entityId)) && i.push(this.row(t, a, n));
		let a = this.speech(n), o = t.sort !== "name";
		return i.sort((e, t) => (o ? $t.indexOf(e.disposition) - $t.indexOf(t.disposition) : 0) || a.compare(e.name, t.name));
	}
	touched(e, t, n) {
		if (!u(t, n) || t.user !== n.user || t.connection !== n.connection) return !0;
		if (t.states === n.states) return !1;
		for (let { entityId: r } of e.subjects.values()) {
			let [e, i] = [t.states[r], n.states[r]];
			if (e !== i && (Q(r, e) !== Q(r, i) || $(e) !== $(i))) return !0;
		}
		return !1;
	}
}, an = class extends L {
	static properties = { picture: { state: !0 } };
	rows = new rn();
	home = null;
	unlisten = null;
	constructor() {
		super(), this.picture = Z;
	}
	get hass() {
		return this.home;
	}
	set hass(e) {
		let t = this.home;
		this.home = e, e !== null && ((t === null || t.connection !== e.connection) && this.follow(), (t === null || this.rows.touched(this.picture, t, e)) && this.requestUpdate(), (t === null || t.language !== e.language) && e.loadBackendTranslation("entity", "simverity"));
	}
	get speech() {
		return this.home === null ? null : this.rows.speech(this.home);
	}
	connectedCallback() {
		super.connectedCallback(), this.follow();
	}
	disconnectedCallback() {
		super.disconnectedCallback(), this.unlisten?.(), this.unlisten = null;
	}
	follow() {
		if (this.unlisten?.(), this.unlisten = null, this.home === null || !this.isConnected) return;
		let e = Qt(this.home.connection, "0.1.0", Je);
		this.unlisten = e.listen((e) => {
			this.picture = e;
		});
	}
};
// src/elements/notice.ts
function on(e, t) {
	return k`<div class="notice ${e.tone}" role=${e.tone === "busy" ? "status" : "note"}>
    <p>${e.text}</p>
    ${e.detail ? k`<p class="detail">${e.detail}</p>` : ""}
    ${e.reload ? k`<button class="action" @click=${() => location.reload()}>${t}</button>` : ""}
  </div>`;
}
var sn = h`
  .notice {
    margin: 12px 16px;
    padding: 12px 16px;
    border-radius: 8px;
    background: color-mix(in srgb, var(--tone, var(--quiet)) 10%, transparent);
    border-inline-start: 4px solid var(--tone, var(--quiet));
  }
  .notice p {
    margin: 0;
    line-height: 1.5;
  }
  .notice .detail {
    color: var(--quiet);
    font-size: var(--ha-font-size-s, 12px);
  }
  .notice button {
    margin-top: 12px;
  }
  .notice.busy {
    background: none;
    border: none;
    color: var(--quiet);
  }
  .notice.warning {
    --tone: var(--open);
  }
  .notice.error {
    --tone: var(--bad);
  }
`, cn = () => document.documentElement.lang || "en", ln = {
	"simverity-device-row": nt,
	"simverity-card": class extends an {
		static properties = {
			...an.properties,
			config: { state: !0 }
		};
		static getConfigForm() {
			return Tt(cn);
		}
		static getStubConfig() {
			return {};
		}
		setConfig(e) {
			bt(e, cn()), this.config = e;
		}
		getCardSize() {
			return 2 + 3 * Math.min(this.picture.subjects.size, 6);
		}
		getGridOptions() {
			return {
				columns: 12,
				min_columns: 6,
				rows: "auto"
			};
		}
		render() {
			let [e, t] = [this.hass, this.speech];
			return !e || !t || !this.config ? k`` : k`<ha-card>
      <h2 class="card-header">${this.config.title ?? t.say("title")}</h2>
      ${this.body(e, t)}
    </ha-card>`;
		}
		body(e, t) {
			let n = this.rows.all(this.picture, this.config, e), r = Et(this.picture, n.length, "0.1.0", t);
			return r ? on(r, t.say("reload")) : k`
      ${Dt(this.picture, t).map((e) => on(e, ""))}
      <ul @simverity-gesture=${(e) => this.gesture(e)}>
        ${pt(n, (e) => e.subject, (e) => k`<li><simverity-device-row .row=${e}></simverity-device-row></li>`)}
      </ul>
    `;
		}
		gesture({ detail: { gesture: e, row: t } }) {
			let n = Be(e, this.config, t.entityId);
			n && this.dispatchEvent(new CustomEvent("hass-action", {
				detail: n,
				bubbles: !0,
				composed: !0
			}));
		}
		static styles = [
			tt,
			sn,
			h`
      ha-card {
        overflow: hidden;
        padding-bottom: 8px;
      }
      .card-header {
        margin: 0;
        padding: 16px 16px 4px;
        font-size: var(--ha-font-size-xl, 20px);
        font-weight: 400;
        line-height: 1.3;
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
      }
      li + li {
        border-top: 1px solid var(--line);
      }
    `
		];
	}
};
for (let [e, t] of Object.entries(ln)) customElements.get(e) || customElements.define(e, t);
var un = o(document.documentElement.lang || "en");
window.customCards ??= [], window.customCards.some((e) => e.type === "simverity-card") || window.customCards.push({
	type: "simverity-card",
	name: un.card_name,
	description: un.card_description,
	preview: !0
});
